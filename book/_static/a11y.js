// Small repairs that the theme needs for screen readers and for reading from disk.

// From disk a page may not fetch another one, so the search shows titles without the
// excerpts that it would have to fetch.
if (location.protocol === "file:" && typeof DOCUMENTATION_OPTIONS !== "undefined") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}

document.addEventListener("DOMContentLoaded", () => {
  // A label that differs from the words on the button hides them from voice control.
  document
    .querySelectorAll("summary[aria-label], .search-button__button[aria-label]")
    .forEach((node) => {
      if (node.textContent.trim()) node.removeAttribute("aria-label");
    });
  // The title of the book stands outside every landmark.
  const title = document.querySelector(".sidebar-primary-item .navbar-brand");
  if (title && !title.closest("nav, header")) {
    title.parentElement.setAttribute("role", "navigation");
    title.parentElement.setAttribute("aria-label", "Title of the book");
  }
  // A word of a verdict leads to what it means.
  const root = document.documentElement.dataset.content_root ?? "../../";
  const words = root + "book/notebooks/how_to_read_this_book.html#words-of-a-verdict";
  document.querySelectorAll(".nys-word[title]").forEach((node) => {
    const link = document.createElement("a");
    link.href = words;
    link.append(...node.childNodes);
    node.append(link);
  });
  // What scrolls must be reachable without a mouse.
  document
    .querySelectorAll(".cell_output .output, .pst-scrollable-table-container")
    .forEach((node) => {
      if (node.scrollWidth > node.clientWidth + 1) node.tabIndex = 0;
    });
});

// Every formula carries MathML for screen readers. What MathJax offers beyond that in
// its menu would load files that the built book leaves out, so the menu omits it.
window.addEventListener("load", () => {
  if (!window.MathJax || !MathJax.startup || !MathJax.startup.promise) return;
  MathJax.startup.promise.then(() => {
    const { menu } = MathJax.startup.document.menu;
    ["Accessibility", "Language"].forEach((id) => menu.find(id)?.hide());
    menu.find("Settings")?.submenu.find("Renderer")?.hide();
    scrollWideFormulas();
    addEventListener("resize", scrollWideFormulas);
    // Folded text has no width until it is opened.
    addEventListener("toggle", scrollWideFormulas, true);
    addEventListener("click", () => setTimeout(scrollWideFormulas), true);
  });
});

// A formula in a line of text that is wider than the line scrolls in itself.
function scrollWideFormulas() {
  document.querySelectorAll('mjx-container:not([display="true"])').forEach((node) => {
    node.classList.remove("nys-wide");
    const block = node.closest("p, li, dd, td, th, figcaption, summary, div");
    const room = block.getBoundingClientRect();
    const wide = room.width > 0 && node.getBoundingClientRect().right > room.right + 1;
    node.classList.toggle("nys-wide", wide);
    if (wide) node.tabIndex = 0;
  });
}
