// print.js: the matrix on paper. It is a plain table, which repeats its heads on each
// sheet and cuts no row in two, made when somebody prints and gone afterwards.
const PRINTED = 400; // rows, problems and pieces of advice
const PAPER = 1020; // px of a landscape sheet between its margins, A4 or Letter
const NAMES = 290; // px that the names of tools take at most

function printing(filter, r, drawLists) {
  const area = byId("grid").parentNode;
  let table = null;
  addEventListener("beforeprint", () => {
    drawLists();
    for (const id of ["problems", "advice"]) byId(id).showAll?.(PRINTED);
    table = printed(filter, r);
    area.prepend(table);
  });
  addEventListener("afterprint", () => table?.remove());
}

function printed(filter, r) {
  const rows = filter.rows.slice(0, PRINTED), columns = filter.columns;
  const cell = (row, c) => {
    const k = r.cells[row * r.hosts.length + c];
    return el("td", {}, k < 0 ? "" : el("span", { class: tileClass(r.kinds[k]) }, markOf(r.kinds[k])));
  };
  const table = el("table", { class: "printed" },
    el("thead", {}, el("tr", {}, el("th", { class: "tool" }, "Tool"), columns.map((c) => el("th", {},
      el("span", { class: "headname" }, el("b", {}, r.hosts[c].id), r.hosts[c].version ? " " + r.hosts[c].version : ""))))),
    el("tbody", {}, rows.map((row) => el("tr", {}, el("th", { class: "tool" }, el("bdi", {}, rowName(r.rows[row]))), columns.map((c) => cell(row, c))))));
  table.style.zoom = Math.min(0.8, PAPER / (columns.length * 30 + NAMES)).toFixed(3);
  if (rows.length < filter.rows.length) {
    table.append(el("caption", {}, "The first " + PRINTED + " of " + plural(filter.rows.length, "row") + "; a filter chooses others."));
  }
  return table;
}
