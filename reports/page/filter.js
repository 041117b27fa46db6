// filter.js: which rows, columns and cells the reader wants to see.
class Filter {
  constructor(report) {
    this.report = report;
    this.verdicts = new Set();
    this.text = ""; this.group = "all"; this.host = ""; this.stage = -1; this.order = "worst"; this.narrow = false;
    this.haystacks = null;
    this.apply();
  }

  get active() { return this.verdicts.size > 0 || this.text !== "" || this.stage >= 0; }

  clear() {
    this.verdicts.clear();
    this.text = ""; this.group = "all"; this.host = ""; this.stage = -1; this.narrow = false;
  }

  // words of every finding, lower case, made at the first search.
  words() {
    if (!this.haystacks) {
      const r = this.report;
      this.haystacks = r.findings.map((f) => (r.rules[f[0]].id + " " + r.rules[f[0]].title + " " + r.strings[f[4]] + " " + r.strings[f[5]] + " " + r.strings[f[7]]).toLowerCase());
    }
    return this.haystacks;
  }

  // kindsBy says for each kind of cell: 0 no match, 1 matches verdict and stage, 2
  // its words match too.
  kindsBy() {
    const r = this.report, needle = this.text.toLowerCase();
    let found = null;
    if (needle) found = this.words().map((w) => w.includes(needle));
    return Uint8Array.from(r.kinds, (k) => {
      if (this.verdicts.size && !this.verdicts.has(k[0])) return 0;
      const findings = k.slice(FINDINGS);
      if (this.stage >= 0 && k[1] !== this.stage && !findings.some((f) => r.findings[f][2] === this.stage && r.findings[f][1] !== INFO)) return 0;
      return found && findings.some((f) => found[f]) ? 2 : 1;
    });
  }

  apply() {
    const r = this.report, width = r.hosts.length, needle = this.text.toLowerCase(), name = this.host.toLowerCase();
    const kinds = this.kindsBy();
    let columns = r.hosts.map((h, i) => i).filter((i) => {
      const h = r.hosts[i];
      const [key, value] = this.group.split(":");
      return (this.group === "all" || h[key] === value) && (!name || (h.id + " " + h.name + " " + h.version).toLowerCase().includes(name));
    });
    const named = r.rows.map((row) => !needle || rowName(row).toLowerCase().includes(needle));
    const matches = (row, column) => {
      const k = r.cells[row * width + column];
      return k >= 0 && (named[row] ? kinds[k] > 0 : kinds[k] === 2);
    };
    let rows = [], cells = 0;
    const used = new Uint8Array(width);
    r.rows.forEach((row, i) => {
      let any = false;
      for (const c of columns) if (matches(i, c)) { any = true; cells++; used[c] = 1; }
      if (any || !this.active) rows.push(i);
    });
    if (this.narrow && this.active) columns = columns.filter((c) => used[c]);
    rows = this.sorted(rows, columns);
    Object.assign(this, { columns, rows, matches, count: cells });
  }

  // sorted keeps the row of the whole server on top.
  sorted(rows, columns) {
    const r = this.report, width = r.hosts.length;
    const top = (i) => (r.rows[i].source < 0 ? 0 : 1);
    if (this.order === "worst") {
      const weight = new Map(rows.map((i) => {
        let w = 0;
        for (const c of columns) {
          const k = r.cells[i * width + c];
          if (k >= 0) w += [0, 1, 1000, 1000000][r.kinds[k][0]];
        }
        return [i, w];
      }));
      return rows.sort((a, b) => top(a) - top(b) || weight.get(b) - weight.get(a) || a - b);
    }
    if (this.order === "name") return rows.sort((a, b) => top(a) - top(b) || rowName(r.rows[a]).localeCompare(rowName(r.rows[b])) || a - b);
    return rows.sort((a, b) => top(a) - top(b) || a - b);
  }
}
