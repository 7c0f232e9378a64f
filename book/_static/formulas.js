// A formula that is wider than its line breaks where a person would break it: before a
// relation, words, or after a \quad; if a piece is still too wide, before plus and minus
// and after commas outside of brackets; then inside of them. What remains too wide, a
// matrix most often, is set smaller, as far as it can be read, and then scrolls.

const SMALLEST = { screen: 12, paper: 9.75 }; // pixels
const NEARLY = 0.87; // rather so much smaller than broken within brackets
const OPEN = ["mjx-c28", "mjx-c5B", "mjx-c7B", "mjx-c230A", "mjx-c2308", "mjx-c27E8"];
const SHUT = ["mjx-c29", "mjx-c5D", "mjx-c7D", "mjx-c230B", "mjx-c2309", "mjx-c27E9"];
const BARS = ["mjx-c2016", "mjx-c7C", "mjx-c2225"];
const ROWS = "mjx-mrow, mjx-texatom, mjx-mstyle, mjx-mpadded";
const seen = (node) => node.getBoundingClientRect().width;

// What may stand at the break before each child of a row: 2, a relation or words; 1, a
// sum or a comma; 0, nothing. Inside of brackets it is negative: the last resort.
function breaks(row) {
  let depth = 0;
  let bars = false;
  let after = 0; // that a break may follow the child before
  return [...row.children].map((node, place, all) => {
    const sign = node.localName === "mjx-mo" ? node.querySelector("mjx-c") : null;
    const bracket = sign ?? node.querySelector(":scope > mjx-mo:first-child > mjx-c");
    const is = (list) => list.some((name) => bracket?.classList.contains(name));
    if (is(SHUT)) depth -= 1;
    const next = all[place + 1]?.getAttribute("space");
    const space = node.getAttribute("space");
    let before = after;
    after = 0;
    if (sign && space === "4" && next === "4") before = 2;
    else if (sign && space === "3" && next === "3") before = Math.max(before, 1);
    else if (node.localName === "mjx-mtext" && seen(node) > 12) before = 2;
    const quad = node.matches("mjx-mspace") ? node : node.querySelector("mjx-mspace");
    if (quad && parseFloat(quad.style.width) >= 1) after = 2;
    else if (sign?.classList.contains("mjx-c2C")) after = 1;
    const inside = depth > 0 || bars;
    if (is(OPEN)) depth += 1;
    if (is(BARS)) bars = !bars;
    return place === 0 ? 0 : inside ? -before : before;
  });
}

// Put the children of a row into pieces, cut where `may` says so; return the pieces.
function cut(row, may) {
  const marks = breaks(row);
  const pieces = [];
  [...row.children].forEach((node, place) => {
    if (!pieces.length || may(marks[place])) {
      const piece = document.createElement("span");
      piece.className = "nys-piece";
      node.before(piece);
      pieces.push(piece);
    }
    pieces[pieces.length - 1].append(node);
  });
  return pieces;
}

const WAYS = [(mark) => mark > 1, (mark) => mark > 0, (mark) => mark !== 0];
function breakRow(row, room, way = 0) {
  row.classList.add("nys-open");
  for (const piece of cut(row, WAYS[way])) {
    if (seen(piece) <= room / (way ? NEARLY : 1)) continue;
    if (way + 1 < WAYS.length) breakRow(piece, room, way + 1);
    else {
      const inner = [...piece.children].filter((node) => seen(node) > room / 2);
      if (inner.some((node) => node.matches(ROWS))) piece.classList.add("nys-open");
      for (const node of inner) if (node.matches(ROWS)) breakRow(node, room);
      if (inner.some((node) => node.matches("mjx-mtext"))) piece.classList.add("nys-words");
    }
  }
}

// The rows of an alignment are lines; a matrix stays whole. Between brackets, which do not
// grow, an alignment keeps to the right of the first one.
const HANGING = 32;
function breakFormula(formula, room) {
  const tables = [...formula.querySelectorAll("mjx-mtable")].filter((table) =>
    table.querySelector("mjx-mtd")?.style.textAlign,
  );
  const rooms = new Map();
  const size = parseFloat(getComputedStyle(formula).fontSize);
  for (const table of tables) {
    const inside = table.closest("mjx-mrow");
    const start = table.getBoundingClientRect().left - formula.getBoundingClientRect().left;
    const left = inside ? room - start - HANGING / 2 : room;
    if (inside) table.style.maxWidth = `${left / size}em`;
    for (const cell of table.querySelectorAll(":scope > * > * > * > mjx-mtd"))
      if (!cell.querySelector(":scope > mjx-mtable")) rooms.set(cell, left - HANGING);
  }
  tables.forEach((table) => table.classList.add("nys-lines"));
  if (!tables.length || tables[0].closest("mjx-mrow")) rooms.set(formula, room - HANGING);
  // What is inside first: it makes room.
  for (const [row, most] of [...rooms].reverse())
    if (seen(row) > most + HANGING) breakRow(row, most);
}

// How wide a formula is; of one in a line that was broken, how far its pieces reach.
function reach(node, formula, left) {
  const pieces = formula.querySelectorAll(".nys-piece:not(.nys-open)");
  return node.getAttribute("display") || !pieces.length
    ? Math.max(seen(formula), formula.scrollWidth)
    : Math.max(...[...pieces].map((piece) => piece.getBoundingClientRect().right)) - left;
}

// What is around a formula, without its padding: its left side and its width.
const BLOCK = "p, li, dd, td, th, figcaption, summary, div, blockquote";
function roomOf(node) {
  const block = node.closest(BLOCK);
  const { left, width } = block.getBoundingClientRect();
  const style = getComputedStyle(block);
  const [before, after] = [style.paddingLeft, style.paddingRight].map(parseFloat);
  return { left: left + before, width: width - before - after };
}

// All is measured before anything is changed, or the page would be laid out anew for
// each formula; a formula that was broken once stays so, and joins where there is room.
function fitFormulas(most = Infinity, smallest = SMALLEST.screen) {
  const wide = (node) => {
    const own = (node.getAttribute("display") && node.clientWidth) || Infinity;
    const { left, width: around } = roomOf(node);
    const room = Math.min(own, around, most);
    const formula = node.querySelector("mjx-math");
    return { node, formula, left, room, width: formula ? reach(node, formula, left) : 0 };
  };
  const all = [...document.querySelectorAll(".bd-content mjx-container")];
  all.forEach((node) => node.style.removeProperty("--nys-fit"));
  const found = all.map(wide).filter(({ room, width }) => room > 0 && width > room + 1);
  for (const { node, formula, room, width } of found) {
    if (node.classList.contains("nys-broken")) continue;
    const words = node.querySelector("mjx-mtext");
    if (width * 0.9 <= room && node.getAttribute("display") && !words) continue; // smaller
    breakFormula(formula, room);
    node.classList.add("nys-broken");
  }
  // Smaller letters break elsewhere: what is then too wide is set smaller once more.
  for (let time = 0; time < 2; time += 1) {
    const still = found.map(({ node, formula, left, room }) => ({
      node,
      fit: room / reach(node, formula, left),
      size: parseFloat(getComputedStyle(node).fontSize),
    }));
    for (const { node, fit, size } of still)
      if (fit < 1)
        node.style.setProperty("--nys-fit", `${Math.max(smallest, size * fit - 0.2)}px`);
  }
}
