// Who hears a page hears whether the option that was opened is right: a fold says only
// that it is open. Without this script the folds work as they are.

document.addEventListener("DOMContentLoaded", () => {
  for (const quiz of document.querySelectorAll("div.quiz")) {
    const told = document.createElement("p");
    told.className = "nys-said";
    told.setAttribute("role", "status");
    quiz.append(told);
    for (const option of quiz.querySelectorAll("details.option"))
      option.addEventListener("toggle", () => {
        const answer = option.querySelector("p > strong").textContent;
        told.textContent = option.open ? answer : "";
      });
  }
});
