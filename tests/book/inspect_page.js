// Run by test_site.py in a loaded page: what is wrong with it, as sentences.
(wanted) => {
  const told = [];
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const short = (text) => text.trim().replace(/\s+/g, " ").slice(0, 70);

  for (const node of all(".math"))
    if (!node.querySelector("mjx-container") && !node.closest("mjx-container"))
      told.push("formula not shown: " + short(node.textContent));
  for (const node of all("mjx-merror, [data-mjx-error]"))
    told.push("formula with an error: " + short(node.textContent));
  for (const node of all('mjx-container mjx-mtext[style*="color: red"]'))
    told.push("unknown macro: " + short(node.textContent));
  if (all("mjx-container").length && !all("mjx-assistive-mml math").length)
    told.push("no MathML for screen readers");

  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walk.nextNode()) texts.push(walk.currentNode);
  for (const text of texts) {
    const hidden = "pre, code, script, style, noscript, textarea, mjx-assistive-mml";
    if (text.parentElement.closest(hidden)) continue;
    if (/\\[a-zA-Z([]|\$\$/.test(text.data))
      told.push("raw TeX: " + short(text.data));
  }

  for (const image of all("img")) {
    const alt = (image.getAttribute("alt") || "").trim();
    if (!alt || /^\S*[\/\\]\S*$|^\S+\.(png|svg|jpe?g|gif|webp)$/i.test(alt))
      told.push("image without alternative text: " + image.getAttribute("src"));
    if (!image.naturalWidth) told.push("image does not load: " + image.src);
  }

  const wide = document.documentElement.scrollWidth;
  if (wide > window.innerWidth) {
    const culprits = all("body *")
      .filter((n) => n.getBoundingClientRect().right > window.innerWidth + 1)
      .filter((n) => !n.closest("mjx-container, pre, .pst-sidebar"))
      .map((n) => n.tagName.toLowerCase() + "." + n.className);
    told.push(`wider than the window: ${wide} px (${culprits.slice(-3).join(", ")})`);
  }

  // A formula that runs out of its text must scroll, not be cut off.
  window.dispatchEvent(new Event("resize"));
  for (const node of all(".bd-article mjx-container")) {
    const right = node.getBoundingClientRect().right;
    if (right <= window.innerWidth + 1) continue;
    let scrolls = null;
    for (let up = node; up && !scrolls; up = up.parentElement)
      scrolls = /auto|scroll/.test(getComputedStyle(up).overflowX) ? up : null;
    const whole = !scrolls || scrolls === document.body || scrolls === document.documentElement;
    if (whole) told.push("formula cut off: " + short(node.textContent));
  }

  // A figure is whole at every width, and so is a table of words on a phone. A formula
  // breaks, then gets smaller; one that is too wide even in the smallest letters scrolls.
  const smallest = (node) =>
    node.classList.contains("nys-broken") && parseFloat(getComputedStyle(node).fontSize) <= 12;
  const cards = window.innerWidth <= 600 ? ", .nys-cards" : "";
  for (const node of all(`.nys-figure, .bd-article mjx-container${cards}`)) {
    const scrolls = /auto|scroll/.test(getComputedStyle(node).overflowX);
    const over = node.scrollWidth > node.clientWidth + (node.matches(".nys-cards") ? 8 : 1);
    if (node.checkVisibility() && scrolls && over && !smallest(node))
      told.push("scrolls sideways: " + short(node.textContent || node.innerHTML));
  }

  // Of a figure the picture for this mode is shown, and one only.
  for (const figure of all(".nys-figure")) {
    const seen = all("img", figure).filter((n) => getComputedStyle(n).display !== "none");
    const other = wanted === "dark" ? "only-light" : "only-dark";
    if (seen.length !== 1 || seen[0].classList.contains(other))
      told.push("figure of the wrong mode: " + short(figure.innerHTML));
  }

  // What scrolls can be reached by the keyboard.
  for (const node of all(".nys-figure, .nys-table, .bd-article pre, .nys-map"))
    if (node.scrollWidth > node.clientWidth + 1 && node.checkVisibility()) {
      const style = getComputedStyle(node);
      const inside = node.querySelector("a, button, [tabindex='0'], summary");
      if (/auto|scroll/.test(style.overflowX) && node.tabIndex < 0 && !inside)
        told.push("scrolls, and no key reaches it: " + short(node.textContent));
    }

  // A link in a text is told by more than its colour; axe-core takes seconds for this.
  for (const node of all(".bd-article :is(p, li) a[href]")) {
    const sign = node.textContent.trim() === "¶" || node.querySelector("img");
    const line = getComputedStyle(node).textDecorationLine;
    if (!sign && node.checkVisibility() && !/underline/.test(line))
      told.push("link without a line: " + short(node.textContent));
  }

  const mode = document.documentElement.dataset.theme;
  if (mode !== undefined && mode !== wanted)
    told.push(`theme is ${mode}, not ${wanted}`);

  // Contrast of text with what lies behind it (WCAG 2, level AA).
  const colour = (css) => {
    const found = css.match(/^rgba?\(([^)]*)\)$/);
    if (!found) return null;
    const [r, g, b, a = 1] = found[1].split(/[ ,/]+/).map(Number);
    return { r, g, b, a };
  };
  const over = (top, below) => {
    const mix = (x, y) => x * top.a + y * (1 - top.a);
    return {
      r: mix(top.r, below.r),
      g: mix(top.g, below.g),
      b: mix(top.b, below.b),
      a: 1,
    };
  };
  const light = ({ r, g, b }) => {
    const [x, y, z] = [r, g, b].map((v) => {
      v /= 255;
      return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (node) => {
    const layers = [];
    for (; node; node = node.parentElement) {
      const style = getComputedStyle(node);
      if (style.backgroundImage !== "none") return null;
      const layer = colour(style.backgroundColor);
      if (!layer) return null;
      layers.push(layer);
      if (layer.a === 1) break;
    }
    const white = { r: 255, g: 255, b: 255, a: 1 };
    return layers.reverse().reduce((below, top) => over(top, below), white);
  };
  const seen = new Set();
  for (const text of texts) {
    const node = text.parentElement;
    if (!text.data.trim() || seen.has(node)) continue;
    const silent = "script, style, noscript, mjx-assistive-mml, [disabled], button";
    if (node.closest(silent)) continue;
    const visible = { opacityProperty: true, visibilityProperty: true };
    if (!node.checkVisibility(visible)) continue;
    seen.add(node);
    const style = getComputedStyle(node);
    const ground = behind(node);
    const ink = colour(style.color);
    if (!ground || !ink) continue;
    const [high, low] = [light(over(ink, ground)), light(ground)].sort((x, y) => y - x);
    const ratio = (high + 0.05) / (low + 0.05);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5))
      told.push(`contrast ${ratio.toFixed(2)}: ${short(text.data)}`);
  }
  return told;
}
