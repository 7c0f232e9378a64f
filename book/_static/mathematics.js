// Which parts of MathJax a page loads, and in which order its formulas are set: first
// those that a reader sees, then the others from there on, then what is folded, a little
// at a time, so that the page can be read and scrolled while it goes on. In the end every
// formula is set and carries MathML for screen readers.

window.MathJax = Object.assign(window.MathJax ?? {}, {
  loader: {
    load: ["input/tex", "[tex]/boldsymbol", "output/chtml", "a11y/assistive-mml"],
  },
  chtml: { mtextInheritFont: true }, // words in a formula are words of the page
  startup: { pageReady: typesetPage },
});
window.MathJax.tex = Object.assign(window.MathJax.tex ?? {}, {
  packages: { "[+]": ["boldsymbol"] },
});

const A_FRAME = 40; // milliseconds of work before the page may answer
const AT_ONCE = 24; // pieces in one pass of MathJax; measuring is per pass

async function typesetPage() {
  const { mathjax } = MathJax._.mathjax;
  const document_ = MathJax.startup.document;
  const typeset = (elements) =>
    mathjax.handleRetriesFor(() => {
      document_.options.elements = elements;
      document_.reset();
      document_.render();
      document_.clear();
    });

  const article = document.querySelector("article.bd-article") ?? document.body;
  const { open, folded } = pieces(article);
  const height = innerHeight * 1.5;
  const place = new Map(open.map((node) => [node, node.getBoundingClientRect()]));
  const seen = ({ top, bottom }) => bottom > -innerHeight / 2 && top < height;
  const first = open.filter((node) => seen(place.get(node)));
  if (first.length) await typeset(first);
  document.documentElement.dataset.mathematics = "seen";
  performance.mark("mathematics seen");

  // What a reader unfolds, or jumps to, comes before what is next.
  const waiting = new Set([...open.filter((node) => !first.includes(node)), ...folded]);
  const take = (chosen) => {
    chosen = chosen.filter((node) => waiting.delete(node));
    return chosen.length ? typeset(chosen) : undefined;
  };
  document.addEventListener("toggle", ({ target }) => take([target]), true);
  addEventListener("beforeprint", () => take([...waiting]));
  const watch = new IntersectionObserver(
    (entries) => take(entries.filter((e) => e.isIntersecting).map((e) => e.target)),
    { rootMargin: "50%" },
  );
  waiting.forEach((node) => watch.observe(node));

  let since = performance.now();
  while (waiting.size) {
    await take([...waiting].slice(0, AT_ONCE));
    if (performance.now() - since > A_FRAME) {
      await new Promise((done) => setTimeout(done));
      since = performance.now();
    }
  }
  watch.disconnect();
  await typeset([document.body]); // titles in the margins, and anything left
  document.documentElement.dataset.mathematics = "set";
  performance.mark("mathematics set");
  dispatchEvent(new Event("mathematics-set"));
}

// The article in pieces that can be set one by one: what is folded apart from the rest.
function pieces(root) {
  const open = [];
  const folded = [];
  const walk = (node) => {
    for (const child of node.children) {
      if (!/\\[(\[]/.test(child.textContent)) continue;
      if (child.matches("details:not([open])")) folded.push(child);
      else if (child.matches("section, div, blockquote, details, ul, ol, table, tbody"))
        child.matches(".math") ? open.push(child) : walk(child);
      else open.push(child);
    }
  };
  walk(root);
  return { open, folded };
}
