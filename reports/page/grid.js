// grid.js: the matrix. Only the rows in view exist as elements; they are reused
// while scrolling. The grid keeps the focus and names the active cell, so that a
// row that scrolls away takes no focus with it. The names stand in one column of
// their own that sticks to the left: a sticky element in each row would be a layer
// for each row, and layers are what scrolling costs. For assistive technology each
// row begins with a header of next to no size that has the name.
const ROW = 32, CELL = 36, OVERSCAN = 6;

// lengthOf is how many px the name of a host takes in a head.
const pen = document.createElement("canvas").getContext("2d");
function lengthOf(host) {
  const wide = (weight, text) => { pen.font = weight + " 12.3px " + getComputedStyle(document.body).fontFamily; return pen.measureText(text).width; };
  return wide("600", host.id) + (host.version ? wide("400", " " + host.version) : 0) + 4;
}

class Grid {
  constructor(report, filter, open) {
    Object.assign(this, { report, filter, open, pool: [], row: 0, column: 0, moved: false });
    this.element = byId("grid"); this.heads = byId("heads"); this.body = byId("rows");
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("click", (e) => this.click(e));
    this.element.addEventListener("mouseover", (e) => this.hover(e.target));
    this.element.addEventListener("mouseleave", () => this.hover(null));
    this.element.addEventListener("focus", () => this.mark());
    new ResizeObserver(() => this.later()).observe(this.element);
  }

  later() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => { this.waiting = false; this.draw(); });
  }

  // reset follows a change of the filter.
  reset() {
    const f = this.filter, r = this.report;
    this.row = Math.min(this.row, f.rows.length - 1);
    this.column = Math.min(this.column, f.columns.length - 1);
    this.element.setAttribute("aria-rowcount", f.rows.length + 1);
    this.element.setAttribute("aria-colcount", f.columns.length + 1);
    const corner = el("div", { class: "corner", role: "columnheader", "aria-colindex": "1" }, el("span", {}, "Tool"), el("span", { class: "dim" }, "host →"));
    const heads = f.columns.map((c, i) => {
      const h = r.hosts[c], stages = STAGES.filter((_, s) => h.modelled >> s & 1).length;
      return el("div", { class: "head kind-" + h.kind, role: "columnheader", "aria-colindex": i + 2, id: "h-" + i, "data-c": i,
        title: h.name + " " + h.version + "\n" + h.kind + (h.surface ? ", " + h.surface : "") + ", " + h.seen + "\n" + stages + " of 6 stages modelled" },
        el("span", { class: "headname" }, el("b", {}, h.id), h.version ? el("span", { class: "dim" }, " " + h.version) : ""),
        el("span", { class: "modelled", "aria-label": stages + " of 6 stages modelled" }, stages + "/6"));
    });
    this.heads.replaceChildren(corner, ...heads);
    // As high as the longest name, within bounds.
    const longest = Math.max(...f.columns.map((c) => lengthOf(r.hosts[c])), 0);
    this.heads.style.height = Math.round(Math.min(230, Math.max(90, longest)) + 36) + "px";
    const width = f.columns.length * CELL;
    this.body.style.height = f.rows.length * ROW + "px";
    this.heads.style.width = this.body.style.width = "calc(var(--name) + " + width + "px)";
    this.names = el("div", { class: "names", "aria-hidden": "true" });
    this.body.replaceChildren(this.names);
    this.pool = [];
    this.draw();
  }

  draw() {
    const f = this.filter, top = this.element.scrollTop, height = this.element.clientHeight;
    const first = Math.max(0, Math.floor(top / ROW) - OVERSCAN), last = Math.min(f.rows.length, Math.ceil((top + height) / ROW) + OVERSCAN);
    const free = [], shown = new Set();
    for (const p of this.pool) {
      if (p.at >= first && p.at < last) shown.add(p.at); else free.push(p);
    }
    for (let i = first; i < last; i++) {
      if (shown.has(i)) continue;
      const p = free.pop() || this.newRow();
      this.fill(p, i);
    }
    for (const p of free) { p.element.remove(); p.name.remove(); }
    if (free.length) this.pool = this.pool.filter((p) => !free.includes(p));
    this.mark();
  }

  newRow() {
    const p = { at: -1, element: el("div", { class: "row", role: "row" }), name: el("div", { class: "name" }), header: el("div", { class: "header", role: "rowheader", "aria-colindex": "1" }) };
    p.cells = this.filter.columns.map((_, i) => el("div", { class: "cell", role: "gridcell", "aria-colindex": i + 2, "data-c": i }));
    p.element.append(p.header, ...p.cells);
    this.names.append(p.name);
    this.body.append(p.element);
    this.pool.push(p);
    return p;
  }

  fill(p, i) {
    const f = this.filter, r = this.report, row = f.rows[i], name = rowName(r.rows[row]);
    p.at = i;
    p.element.style.top = p.name.style.top = i * ROW + "px";
    p.element.setAttribute("aria-rowindex", i + 2);
    p.element.dataset.r = p.name.dataset.r = i;
    p.name.textContent = name;
    p.name.title = name;
    p.header.textContent = name;
    p.name.classList.toggle("server", r.rows[row].source < 0);
    f.columns.forEach((c, j) => {
      const cell = p.cells[j], k = r.cells[row * r.hosts.length + c], faded = f.active && !f.matches(row, c);
      if (cell.kind !== k || cell.faded !== faded) this.fillCell(cell, r.hosts[c], k, faded);
    });
  }

  // fillCell depends on the column and the kind alone: while scrolling most cells
  // stay as they are.
  fillCell(cell, host, k, faded) {
    const kind = this.report.kinds[k];
    cell.kind = k;
    cell.faded = faded;
    cell.className = kind ? tileClass(kind).replace("tile", "cell") + (faded ? " faded" : "") : "cell none";
    cell.textContent = kind ? markOf(kind) : "";
    cell.setAttribute("aria-label", hostName(host) + ": " + (kind ? wordsOf(kind) : "no cell"));
  }

  // hover lights the row and the head of the column, and gives a cell its title.
  hover(target) {
    const cell = target?.closest(".cell"), row = target?.closest("[data-r]")?.dataset.r, c = target?.closest("[data-c]")?.dataset.c;
    if (cell && !cell.title) cell.title = rowName(this.report.rows[this.filter.rows[row]]) + " in " + cell.getAttribute("aria-label");
    if (this.titled && this.titled !== cell) this.titled.removeAttribute("title");
    this.titled = cell;
    const hot = [this.pool.find((p) => p.at === Number(row ?? -1))].flatMap((p) => (p ? [p.element, p.name] : []));
    if (c !== undefined && byId("h-" + c)) hot.push(byId("h-" + c));
    this.hot?.forEach((n) => hot.includes(n) || n.classList.remove("hot"));
    hot.forEach((n) => n.classList.add("hot"));
    this.hot = hot;
  }

  // mark shows the active cell and names it to assistive technology.
  mark() {
    const p = this.row < 0 ? null : this.pool.find((q) => q.at === this.row);
    const shown = this.row < 0 ? byId("h-" + this.column) : p && (this.column < 0 ? p.name : p.cells[this.column]);
    if (this.shown !== shown) this.shown?.classList.remove("active");
    if (this.named?.id) this.named.removeAttribute("id"); // only the active cell of a row has an id
    this.shown = shown;
    this.named = p && (this.column < 0 ? p.header : shown);
    if (!shown) { this.element.removeAttribute("aria-activedescendant"); return; }
    if (this.named) this.named.id = this.column < 0 ? "n-" + this.row : "c-" + this.row + "-" + this.column;
    shown.classList.add("active");
    this.element.setAttribute("aria-activedescendant", (this.named || shown).id);
  }

  // go makes a cell active and scrolls it into view.
  go(row, column) {
    const f = this.filter;
    this.row = Math.max(-1, Math.min(row, f.rows.length - 1));
    this.column = Math.max(-1, Math.min(column, f.columns.length - 1));
    if (this.row < 0 && this.column < 0) this.column = 0;
    const g = this.element, head = this.heads.offsetHeight, name = this.heads.firstChild.offsetWidth;
    if (this.row >= 0) {
      const y = this.row * ROW;
      if (y < g.scrollTop) g.scrollTop = y;
      if (y + ROW > g.scrollTop + g.clientHeight - head) g.scrollTop = y + ROW - g.clientHeight + head + 2;
    }
    if (this.column >= 0) {
      const x = this.column * CELL;
      if (x < g.scrollLeft) g.scrollLeft = x;
      if (x + CELL > g.scrollLeft + g.clientWidth - name) g.scrollLeft = x + CELL - g.clientWidth + name + 2;
    }
    this.draw();
  }

  key(e) {
    const page = Math.max(1, Math.floor((this.element.clientHeight - this.heads.offsetHeight) / ROW) - 1), far = 1e9;
    const to = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1], PageUp: [-page, 0], PageDown: [page, 0] }[e.key];
    if (to) this.go(Math.max(this.row + to[0], e.key === "PageUp" ? 0 : -1), this.column + to[1]);
    else if (e.key === "Home") this.go(e.ctrlKey ? 0 : this.row, 0);
    else if (e.key === "End") this.go(e.ctrlKey ? far : this.row, far);
    else if (e.key === "Enter" || e.key === " ") this.choose(this.row, this.column);
    else return;
    e.preventDefault();
  }

  click(e) {
    const cell = e.target.closest("[data-c]"), name = e.target.closest(".name"), row = e.target.closest("[data-r]");
    if (!cell && !name) return;
    this.go(row ? Number(row.dataset.r) : -1, cell ? Number(cell.dataset.c) : -1);
    this.choose(this.row, this.column);
    this.draw();
  }

  choose(row, column) {
    const f = this.filter;
    this.open(row < 0 ? -1 : f.rows[row], column < 0 ? -1 : f.columns[column]);
  }

  // find makes the cell of a report row and host active, if the filter shows it.
  find(row, host) {
    const i = row < 0 ? -1 : this.filter.rows.indexOf(row), j = host < 0 ? -1 : this.filter.columns.indexOf(host);
    if ((row < 0 || i >= 0) && (host < 0 || j >= 0)) this.go(i, j);
  }
}
