// Small repairs that the theme needs for screen readers, the keyboard, and paper.

// From disk a page may not fetch another one, so the search shows titles without the
// excerpts that it would have to fetch.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

const all = (selector, root = document) => [...root.querySelectorAll(selector)];

document.addEventListener("DOMContentLoaded", () => {
  // A label that differs from the words on the button hides them from voice control.
  for (const node of all("summary[aria-label], .search-button__button[aria-label]"))
    if (node.textContent.trim()) node.removeAttribute("aria-label");
  // What unfolds a part of the list of pages shows an arrow only.
  for (const node of all("summary"))
    if (!node.textContent.trim() && !node.getAttribute("aria-label")) {
      const of = node.closest("li")?.querySelector("a")?.textContent.trim();
      node.setAttribute("aria-label", of ? `Pages of: ${of}` : "More");
    }
  // The title of the book stands outside every landmark.
  const title = document.querySelector(".sidebar-primary-item .navbar-brand");
  if (title && !title.closest("nav, header")) {
    title.parentElement.setAttribute("role", "navigation");
    title.parentElement.setAttribute("aria-label", "Title of the book");
  }
  // A word of a verdict leads to what it means.
  const root = document.documentElement.dataset.content_root ?? "../../";
  const words = root + "book/notebooks/how_to_read_this_book.html#words-of-a-verdict";
  for (const node of all(".nys-word[title]")) {
    const link = document.createElement("a");
    link.href = words;
    link.append(...node.childNodes);
    node.append(link);
  }
  // A header cell without words heads a column of names of rows: it is a cell.
  for (const node of all("th"))
    if (!node.textContent.trim() && !node.children.length) {
      const cell = document.createElement("td");
      cell.className = node.className;
      node.replaceWith(cell);
    }
  all("div.exercise").forEach(gatherSolution);
  all("details.code").forEach(gatherCode);
  all(".nys-map svg").forEach(lightNear);
  openPlace();
  reachScrolling();
  soon(reachScrolling);
});

// A solution of words and cells, which a notebook holds one after the other, folds as one.
function gatherSolution(exercise) {
  const parts = [];
  const isPart = (node) =>
    node?.matches("details.solution, div.cell.tag_solution") ||
    (parts.length && node?.matches("details.code"));
  for (let node = exercise.nextElementSibling; isPart(node); node = node.nextElementSibling)
    parts.push(node);
  if (!parts.some((node) => node.matches("div.cell"))) return;
  const whole = document.createElement("details");
  const summary = document.createElement("summary");
  whole.className = "solution";
  const named = exercise.querySelector("strong")?.textContent ?? "the exercise";
  summary.textContent = `Solution of ${named}`;
  whole.append(summary);
  exercise.after(whole);
  for (const part of parts) {
    if (part.matches("div.cell")) {
      all("details.hide", part).forEach((node) => (node.open = true));
      whole.append(part);
    } else if (part.matches("details.code")) whole.append(part);
    else {
      part.querySelector(":scope > summary")?.remove();
      whole.append(...part.childNodes);
      part.remove();
    }
  }
}

// Listings that follow one another fold as one.
function gatherCode(first) {
  if (first.previousElementSibling?.matches("details.code")) return;
  const group = [first];
  for (let next = first.nextElementSibling; next?.matches("details.code"); )
    next = group[group.push(next) - 1].nextElementSibling;
  if (group.length < 2) return;
  const names = group.map((node) => node.firstElementChild.textContent.trim());
  const whole = document.createElement("details");
  const summary = document.createElement("summary");
  whole.className = "code";
  const words = (name, k) => (k ? name.replace(/^Code of /, "") : name);
  summary.textContent = names.map(words).join(", ");
  first.before(whole);
  whole.append(summary, ...group);
  group.forEach((node) => (node.open = true));
}

// What is linked to is seen, also inside a fold.
function openPlace() {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  for (let up = place; up; up = up.parentElement?.closest("details")) {
    if (up.matches("details")) up.open = true;
  }
}
addEventListener("hashchange", openPlace);

// What scrolls must be reachable without a mouse; what does not, need not.
const SCROLLS =
  ".cell_output, .cell_output .output, .nys-table, .nys-figure, .nys-map, .nys-card, " +
  ".pst-scrollable-table-container, pre, .highlight, div.math, mjx-container, " +
  "dt.sig, .bd-sidebar-secondary";
function reachScrolling() {
  // All is measured before anything is changed: a change between two measures would lay
  // the whole page out anew, some thousand times.
  const found = all(SCROLLS).map((node) => {
    const scrolls = overflows(node);
    const more = scrolls && node.scrollWidth > node.clientWidth + 8;
    return { node, scrolls, more, end: atEnd(node) };
  });
  for (const { node, scrolls, more, end } of found) {
    node.classList.toggle("nys-more", more);
    node.classList.toggle("nys-end", end);
    node.onscroll = () => node.classList.toggle("nys-end", atEnd(node));
    if (scrolls) node.tabIndex = 0;
    else if (node.getAttribute("tabindex") === "0") node.removeAttribute("tabindex");
  }
}
// Where the end is in sight nothing says that there is more.
function atEnd(node) {
  return node.scrollLeft + node.clientWidth >= node.scrollWidth - 2;
}
function overflows(node) {
  const wide = node.scrollWidth > node.clientWidth + 1;
  const high = node.scrollHeight > node.clientHeight + 1;
  if (!wide && !high) return false;
  const { overflowX, overflowY } = getComputedStyle(node);
  const may = /auto|scroll/;
  return (wide && may.test(overflowX)) || (high && may.test(overflowY));
}

// A formula that is wider than its line breaks (formulas.js), and if it cannot, scrolls.
function scrollWideFormulas() {
  fitFormulas();
  const inline = all('.bd-content mjx-container:not([display="true"])');
  inline.forEach((node) => node.classList.remove("nys-wide"));
  const block = "p, li, dd, td, th, figcaption, summary, div";
  const wide = inline.filter((node) => {
    const room = node.closest(block).getBoundingClientRect();
    return room.width > 0 && node.getBoundingClientRect().right > room.right + 1;
  });
  wide.forEach((node) => node.classList.add("nys-wide"));
  reachScrolling();
}

let waits = 0;
function soon(work) {
  clearTimeout(waits);
  waits = setTimeout(work, 50);
}
addEventListener("mathematics-set", scrollWideFormulas);
// The article changes its width a moment after the window, when a margin slides away.
addEventListener("resize", scrollWideFormulas);
addEventListener("DOMContentLoaded", () => {
  const article = document.querySelector(".bd-article");
  if (article) new ResizeObserver(() => soon(scrollWideFormulas)).observe(article);
});
// Folded text has no width until it is opened.
document.addEventListener("toggle", () => soon(scrollWideFormulas), true);

// On paper there is nothing to click: proofs open, solutions and docstrings stay shut.
// And paper is white, and a formula no wider than it.
const PAPER = 658;
let opened = [];
let theme = "";
addEventListener("beforeprint", () => {
  theme = document.documentElement.dataset.theme ?? "";
  document.documentElement.dataset.theme = "light";
  opened = all("details:is(.proof, .variant, .fold):not([open])").filter(
    (node) => !node.closest("details.solution:not([open])") && !isDocstring(node),
  );
  opened.forEach((node) => (node.open = true));
  all("img[loading]").forEach((node) => (node.loading = "eager"));
  fitFormulas(PAPER, SMALLEST.paper);
});
addEventListener("afterprint", () => {
  document.documentElement.dataset.theme = theme;
  opened.forEach((node) => (node.open = false));
  scrollWideFormulas();
});
function isDocstring(fold) {
  return fold.children.length === 2 && fold.lastElementChild.matches(".highlight-text");
}

// In the map of the theorems the lines of the one that is pointed at stand out.
function lightNear(svg) {
  const mark = (id) => {
    for (const line of all("path[data-from]", svg))
      line.classList.toggle("nys-near", [line.dataset.from, line.dataset.to].includes(id));
  };
  for (const node of all("a[data-node]", svg)) {
    for (const event of ["mouseenter", "focus"])
      node.addEventListener(event, () => mark(node.dataset.node));
    for (const event of ["mouseleave", "blur"])
      node.addEventListener(event, () => mark(""));
  }
}
