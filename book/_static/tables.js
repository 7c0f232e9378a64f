// On a phone a table of words, a verdict or a ledger is a list of cards: each row says,
// cell by cell, what its column is called. A table of numbers, which are compared by
// columns, stays a table.

const MANY_LETTERS = 25; // in one cell of a row that is read and not compared

document.addEventListener("DOMContentLoaded", () =>
  document
    .querySelectorAll(":is(.nys-table, .pst-scrollable-table-container) > table")
    .forEach((table) => {
      const heads = [...(table.tHead?.rows[0]?.cells ?? [])];
      const names = heads.map((head) => head.textContent.trim());
      const rows = [...table.tBodies].flatMap((body) => [...body.rows]);
      const whole = rows.filter((row) => row.cells.length === names.length);
      const letters = (cell) => cell.textContent.replace(/\\\(.*?\\\)|[^\p{L}]/gu, "").length;
      const read = whole.filter((row) =>
        [...row.cells].slice(1).some((cell) => letters(cell) >= MANY_LETTERS),
      );
      const words = names.length > 2 && read.length * 2 > whole.length;
      if (!names.length || !(words || table.closest(".nys-verdict, .nys-ledger"))) return;
      table.parentElement.classList.add("nys-cards");
      for (const row of whole)
        [...row.cells].forEach((cell, place) => {
          if (place && cell.textContent.trim()) cell.dataset.column = names[place];
        });
    }),
);

// A ledger is filtered and sorted in the page. Without this script it is a plain table.
// Each result is a body of the table: a row, and under it a row that unfolds.

document.addEventListener("DOMContentLoaded", () =>
  document.querySelectorAll(".nys-ledger > table").forEach((table) => {
    const bodies = [...table.tBodies];
    // Every row tells how many false claims were refuted: who looks for what is refuted
    // does not look for those.
    const names = [...table.tHead.rows[0].cells].map((head) => head.textContent.trim());
    const without = names.indexOf("refuted");
    const words = bodies.map((body) => {
      const [first, ...others] = body.rows;
      const cells = [...first.cells].filter((cell, column) => column !== without);
      const told = [...cells, ...others].map((node) => node.textContent).join(" ");
      return told.toLowerCase().replace(/rightly refuted|\d+ refuted \([^)]*\)/g, "");
    });

    const filter = document.createElement("div");
    filter.className = "nys-filter";
    const label = document.createElement("label");
    const input = document.createElement("input");
    const count = document.createElement("span");
    label.append("Filter ", input);
    input.type = "search";
    input.placeholder = "spectral, Theorem 9, refuted ...";
    count.setAttribute("role", "status");
    filter.append(label, count);
    table.parentElement.before(filter);
    const show = () => {
      const wanted = input.value.toLowerCase().split(/[\s,]+/).filter(Boolean);
      let shown = 0;
      bodies.forEach((body, k) => {
        body.hidden = !wanted.every((word) => words[k].includes(word));
        shown += !body.hidden;
      });
      count.textContent = `${shown} of ${bodies.length} results`;
    };
    input.addEventListener("input", show);
    show();

    const order = new Intl.Collator("en", { numeric: true });
    const value = (body, column) => body.rows[0].cells[column].textContent.trim();
    // Numbers of the book by number, whatever they are called; no value comes last.
    const key = (text, column) =>
      column === 0 ? text.replace(/^\D+/, "") : text === "-" || !text ? "\uffff" : text;
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      const button = document.createElement("button");
      button.className = "nys-sort";
      button.type = "button";
      button.append(...head.childNodes);
      head.append(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        heads.forEach((each) => each.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const keyed = bodies.map((body) => [key(value(body, column), column), body]);
        keyed.sort(([one], [other]) => (up ? 1 : -1) * order.compare(one, other));
        table.append(...keyed.map(([, body]) => body));
      });
    });
  }),
);
