// On the page of the search: first what carries the name that is looked for, from the
// list that the build wrote (theorems by the book's number and by their source's, terms,
// functions, sections), then the pages that hold the words, which the theme finds.

const plain = (words) =>
  words
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .replace(/[–—-]/g, " ")
    .toLowerCase();
const tokens = (words) => plain(words).match(/\d+(?:\.\d+)*|[\p{L}_]+/gu) ?? [];
const isNumber = (token) => /^\d/.test(token);

// How well a place answers: less is better; null if it does not.
function rank(query, [kind, words]) {
  const wanted = tokens(query);
  const have = tokens(words);
  const found = wanted.map((token) =>
    have.findIndex((each) => (isNumber(token) ? each === token : each.startsWith(token))),
  );
  if (!wanted.length || found.includes(-1)) return null;
  const name = tokens(words.split(":")[0]);
  const whole = name.length === wanted.length && found.every((at, k) => at === k);
  const inOrder = found.every((at, k) => at === found[0] + k);
  return 1000 * !inOrder + 100 * kind - 300 * whole + have.length + found[0];
}

function places(query, most = 8) {
  return NYS_PLACES.map((place) => [rank(query, place), place])
    .filter(([value]) => value !== null)
    .sort(([one], [other]) => one - other)
    .map(([, place]) => place)
    .filter((place, k, rest) => rest.findIndex((each) => each[3] === place[3]) === k)
    .slice(0, most);
}

document.addEventListener("DOMContentLoaded", () => {
  const query = new URLSearchParams(location.search).get("q") ?? "";
  const results = document.getElementById("search-results");
  if (!query.trim() || !results || typeof NYS_PLACES === "undefined") return;
  const found = places(query);
  if (!found.length) return;
  const box = document.createElement("section");
  box.className = "nys-places";
  box.setAttribute("aria-label", "Places of this name");
  const list = document.createElement("ol");
  for (const [, words, page, address] of found) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = (document.documentElement.dataset.content_root ?? "") + address;
    link.textContent = words;
    const where = document.createElement("span");
    where.textContent = page;
    item.append(link, " ", where);
    list.append(item);
  }
  box.append(list);
  results.before(box);
  // The theme looks for pages that hold the words, and says so if there are none.
  new MutationObserver(() => {
    for (const node of results.querySelectorAll("p"))
      if (node.textContent.startsWith("Your search did not match"))
        node.textContent = "No page holds these words in its text.";
  }).observe(results, { childList: true, subtree: true, characterData: true });
});
