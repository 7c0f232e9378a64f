// A slider of frames, which stand on the page as folds of which one is open. Without
// this script each fold opens by itself, as in a notebook that is not trusted; with it
// one control shows one frame at a time. A control of the browser brings the keys with
// it (arrows, Home, End), and screen readers say its value: the sentence of the frame.
for (const slider of document.querySelectorAll(".nys-slider:not(.nys-live)")) {
  slider.classList.add("nys-live");
  const frames = [...slider.querySelectorAll("details")];
  const names = frames.map((frame) => frame.firstElementChild);
  const sentences = frames.map((frame) => frame.lastElementChild.textContent.trim());
  const label = document.createElement("label");
  const range = document.createElement("input");
  const name = document.createElement("span");

  range.type = "range";
  range.min = 0;
  range.max = frames.length - 1;
  range.value = frames.findIndex((frame) => frame.open);
  range.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves the arrows to it
  name.setAttribute("aria-hidden", "true"); // the value of the control says it
  names.forEach((summary) => (summary.hidden = true));

  function show() {
    const at = Number(range.value);
    frames.forEach((frame, place) => (frame.open = place === at));
    name.textContent = names[at].textContent;
    range.setAttribute("aria-valuetext", `${names[at].textContent}: ${sentences[at]}`);
  }
  range.addEventListener("input", show);
  label.append(slider.firstElementChild.textContent, " ", range);
  slider.firstElementChild.replaceChildren(label, " ", name);
  show();
}
