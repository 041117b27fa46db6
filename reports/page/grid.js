// grid.js: the matrix. Only the rows in view exist as elements; they are reused
// while scrolling. The grid keeps the focus and names the active cell, so that a
// row that scrolls away takes no focus with it.
const ROW = 32, CELL = 36, OVERSCAN = 6;

class Grid {
  constructor(report, filter, open) {
    Object.assign(this, { report, filter, open, pool: [], row: 0, column: 0, moved: false });
    this.element = byId("grid"); this.heads = byId("heads"); this.body = byId("rows");
    this.element.addEventListener("scroll", () => this.later(), { passive: true });
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("click", (e) => this.click(e));
    this.element.addEventListener("mouseover", (e) => this.hover(e.target.closest("[data-c]")));
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
    const width = f.columns.length * CELL;
    this.body.style.height = f.rows.length * ROW + "px";
    this.heads.style.width = this.body.style.width = "calc(var(--name) + " + width + "px)";
    for (const p of this.pool) p.element.remove();
    this.pool = [];
    this.draw(true);
  }

  draw(fresh) {
    const f = this.filter, top = this.element.scrollTop, height = this.element.clientHeight;
    const everything = this.printing;
    const first = everything ? 0 : Math.max(0, Math.floor(top / ROW) - OVERSCAN);
    const last = everything ? Math.min(f.rows.length, 400) : Math.min(f.rows.length, Math.ceil((top + height) / ROW) + OVERSCAN);
    const free = [], shown = new Set();
    for (const p of this.pool) {
      if (p.at >= first && p.at < last && !fresh) shown.add(p.at); else free.push(p);
    }
    for (let i = first; i < last; i++) {
      if (shown.has(i)) continue;
      const p = free.pop() || this.newRow();
      this.fill(p, i);
    }
    for (const p of free) { p.element.remove(); }
    if (free.length) this.pool = this.pool.filter((p) => !free.includes(p));
    this.mark();
  }

  newRow() {
    const p = { at: -1, element: el("div", { class: "row", role: "row" }), cells: [] };
    p.name = el("div", { class: "name", role: "rowheader", "aria-colindex": "1" });
    p.element.append(p.name);
    this.filter.columns.forEach((_, i) => {
      const cell = el("div", { class: "cell", role: "gridcell", "aria-colindex": i + 2, "data-c": i }, el("span", { class: "tile" }));
      p.cells.push(cell);
      p.element.append(cell);
    });
    this.body.append(p.element);
    this.pool.push(p);
    return p;
  }

  fill(p, i) {
    const f = this.filter, r = this.report, row = f.rows[i], name = rowName(r.rows[row]);
    p.at = i;
    p.element.style.transform = "translateY(" + i * ROW + "px)";
    p.element.setAttribute("aria-rowindex", i + 2);
    p.element.dataset.r = i;
    p.name.textContent = name;
    p.name.title = name;
    p.name.classList.toggle("server", r.rows[row].source < 0);
    f.columns.forEach((c, j) => {
      const cell = p.cells[j], k = r.cells[row * r.hosts.length + c], faded = f.active && !f.matches(row, c);
      if (cell.kind !== k || cell.faded !== faded) this.fillCell(cell, r.hosts[c], k, faded);
    });
  }

  // fillCell depends on the column and the kind alone: while scrolling most cells
  // stay as they are.
  fillCell(cell, host, k, faded) {
    const tile = cell.firstChild, kind = this.report.kinds[k];
    cell.kind = k;
    cell.faded = faded;
    if (!kind) {
      tile.className = "tile none";
      tile.textContent = "";
      cell.setAttribute("aria-label", hostName(host) + ": no cell");
      return;
    }
    tile.className = "tile v" + kind[0] + (kind[0] === WORKS && kind[3] !== 1 ? " open" : "") + (faded ? " faded" : "");
    tile.textContent = markOf(kind);
    cell.setAttribute("aria-label", hostName(host) + ": " + wordsOf(kind));
  }

  hover(target) {
    const c = target ? Number(target.dataset.c) : -1, row = target?.closest("[data-r]");
    if (row && !target.title) target.title = rowName(this.report.rows[this.filter.rows[row.dataset.r]]) + " in " + target.getAttribute("aria-label");
    if (this.titled && this.titled !== target) this.titled.removeAttribute("title");
    this.titled = row ? target : null;
    if (c === this.hot) return;
    this.heads.querySelectorAll(".hot").forEach((h) => h.classList.remove("hot"));
    if (c >= 0) byId("h-" + c)?.classList.add("hot");
    this.hot = c;
  }

  // mark shows the active cell and names it to assistive technology.
  mark() {
    this.element.querySelectorAll(".active").forEach((n) => n.classList.remove("active"));
    const id = this.row < 0 ? "h-" + this.column : this.column < 0 ? "n-" + this.row : "c-" + this.row + "-" + this.column;
    const p = this.row < 0 ? null : this.pool.find((q) => q.at === this.row);
    const cell = this.row < 0 ? byId(id) : p && (this.column < 0 ? p.name : p.cells[this.column]);
    this.marked?.removeAttribute("id"); // only the active cell of a row has an id
    this.marked = p ? cell : null;
    if (p && cell) cell.id = id;
    if (!cell) { this.element.removeAttribute("aria-activedescendant"); return; }
    cell.classList.add("active");
    this.element.setAttribute("aria-activedescendant", id);
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
