// detail.js: what opens beside the matrix: a cell, a tool or a host.
class Detail {
  constructor(report, onClose, onOpen) {
    Object.assign(this, { report, onClose, onOpen, element: byId("detail") });
    this.element.addEventListener("keydown", (e) => {
      if (e.key === "Escape") { e.preventDefault(); this.close(); }
    });
  }

  // open shows row × host; -1 for either is the card of the other.
  open(row, host) {
    const r = this.report;
    const content = row < 0 ? this.hostCard(host) : host < 0 ? this.toolCard(row) : this.cellCard(row, host);
    if (!content) return;
    this.element.replaceChildren(
      el("div", { class: "tools" },
        el("button", { type: "button", class: "copy", onclick: (e) => this.copy(e.currentTarget) }, "Copy link"),
        el("button", { type: "button", class: "close", "aria-label": "Close (Esc)", title: "Close (Esc)", onclick: () => this.close() }, "✕")),
      ...content.flat().filter((c) => c));
    this.element.hidden = false;
    document.body.classList.add("opened");
    this.element.scrollTop = 0;
    this.element.focus({ preventScroll: true });
    const link = new URLSearchParams();
    if (row >= 0) { link.set("tool", r.rows[row].tool); if (r.rows[row].nth) link.set("nth", r.rows[row].nth); }
    if (host >= 0) link.set("host", hostName(r.hosts[host]).replace(" ", "@"));
    history.replaceState(null, "", "#" + link);
  }

  close() {
    this.element.hidden = true;
    document.body.classList.remove("opened");
    history.replaceState(null, "", location.pathname + location.search);
    this.onClose();
  }

  async copy(button) {
    const link = location.href;
    try { await navigator.clipboard.writeText(link); } catch {
      const field = el("textarea", { class: "hidden" }, link);
      document.body.append(field);
      field.select();
      document.execCommand("copy");
      field.remove();
      button.focus();
    }
    button.textContent = "Copied ✓";
    byId("say").textContent = "Link copied";
    setTimeout(() => { button.textContent = "Copy link"; }, 2000);
  }

  cellCard(row, host) {
    const r = this.report, h = r.hosts[host], k = r.cells[row * r.hosts.length + host];
    const name = rowName(r.rows[row]);
    if (k < 0) return [el("h2", { id: "detail-title" }, name, el("small", {}, " in " + hostName(h))), el("p", {}, "This host's session lists no such tool.")];
    const cell = kindOf(r, k);
    const weighty = cell.findings.filter((f) => f.severity !== INFO), notes = cell.findings.filter((f) => f.severity === INFO);
    return [
      el("h2", { id: "detail-title" }, el("bdi", {}, name), el("small", {}, " in ", h.name, " ", h.version)),
      this.verdictLine(cell),
      this.pipeline(h, cell),
      ...weighty.map((f) => this.findingCard(row, host, f)),
      r.rows[row].source < 0 ? null : el("section", {}, el("h3", {}, "As the model gets it"), offerPanel(r, row, host)),
      notes.length ? el("details", { class: "notes" }, el("summary", {}, plural(notes.length, "note") + " that change nothing in practice"),
        notes.map((f) => this.findingCard(row, host, f))) : null,
      this.sampling(row),
    ];
  }

  verdictLine(cell) {
    const v = VERDICTS[cell.verdict];
    let why = "";
    if (cell.verdict === WORKS) {
      why = cell.checked ? { proven: "The host reads this outputSchema as its own dialect does: every result that the schema allows passes.",
        tried: "Its results were checked as this host would. " + (cell.tried ? plural(cell.tried, "instance") + " made from the schema " + (cell.tried === 1 ? "was" : "were") + " tried too; none was rejected." : "None could be made from the schema beside them.") }[cell.search]
        || "Its results were checked as this host would." : "Nothing is lost. No result was checked: this host does not check, or there was no result.";
    } else if (cell.verdict === UNKNOWN) why = "The evidence does not decide it. This is never counted as good.";
    else if (cell.blast >= 0) why = "It reaches " + BLASTS[cell.blast] + ".";
    return el("div", { class: "verdict" },
      el("span", { class: "badge v" + cell.verdict }, (cell.verdict === WORKS && !cell.checked ? UNCHECKED : v.mark) + " " + v.word + (cell.stage >= 0 && cell.verdict !== WORKS ? " at " + STAGES[cell.stage] : "")),
      cell.basis ? el("span", { class: "basis b-" + cell.basis, title: "how well the verdict is founded" }, cell.basis) : "",
      cell.app === "down" ? el("span", { class: "basis" }, "its MCP App is down too") : "",
      why ? el("p", {}, why) : "");
  }

  // pipeline draws the six stages, which are modelled, and where it fails.
  pipeline(h, cell) {
    const worst = new Map();
    for (const f of cell.findings) worst.set(f.stage, Math.max(worst.get(f.stage) ?? 0, f.severity));
    return el("ol", { class: "pipeline", "aria-label": "The six stages" }, STAGES.map((name, i) => {
      const modelled = h.modelled >> i & 1, severity = worst.get(i) ?? -1;
      const state = severity > INFO ? SEVERITIES[severity] : modelled ? "passes" : "not modelled";
      const mark = { 3: "✗", 2: "~", 1: "?" }[severity] || (modelled ? "✓" : "·");
      return el("li", { class: severity > INFO ? "s" + severity : modelled ? "s0" : "none", title: STAGE_QUESTIONS[i] },
        el("span", { class: "dot", "aria-hidden": "true" }, mark), name, el("span", { class: "hidden" }, ": " + state));
    }));
  }

  findingCard(row, host, f) {
    const r = this.report, h = r.hosts[host];
    return el("article", { class: "finding s" + f.severity },
      el("h3", {}, f.rule.title, el("code", { class: "rule" }, f.rule.id)),
      el("p", {}, sentence(f.message)),
      f.culprit && f.culprit !== r.rows[row].tool ? el("p", { class: "culprit" }, "The tool that does it: ", el("code", {}, f.culprit)) : null,
      f.says ? el("figure", { class: "says" }, el("figcaption", {}, h.name + " says"), el("blockquote", { tabindex: "0" }, f.says)) : null,
      placeOf(r, row, f),
      this.fix(f), this.evidence(f), this.others(row, host, f), this.about(f.rule));
  }

  fix(f) {
    return fixOf(f.fix, f.rule.fix);
  }

  evidence(f) {
    if (!f.evidence.length && !f.note) return null;
    return el("div", { class: "evidence" }, el("h4", {}, "How we know"), el("ul", {}, f.evidence.map((e) => el("li", {},
      el("span", { class: "basis b-" + e.basis }, e.basis || "evidence"), " ",
      [e.version ? "version " + e.version : "", e.date].filter(Boolean).join(", "), e.version || e.date ? " · " : "",
      /^https?:\/\//.test(e.place) ? el("a", { href: e.place, rel: "noreferrer noopener" }, e.place) : el("code", {}, e.place || e.ref),
      e.text ? el("span", { class: "dim" }, " " + e.text) : ""))), f.note ? el("p", { class: "dim" }, f.note) : null);
  }

  // others leads to the same fault of the tool in other hosts.
  others(row, host, f) {
    const r = this.report, width = r.hosts.length, same = [];
    for (let c = 0; c < width; c++) {
      const k = r.cells[row * width + c];
      if (c !== host && k >= 0 && r.kinds[k].slice(FINDINGS).some((i) => r.rules[r.findings[i][0]].id === f.rule.id && r.findings[i][1] === f.severity)) same.push(c);
    }
    return same.length ? el("div", { class: "others" }, el("h4", {}, "The same in"), el("p", {}, same.map((c) =>
      el("button", { type: "button", class: "chip", onclick: () => this.onOpen(row, c) }, hostName(r.hosts[c]))))) : null;
  }

  about(rule) {
    if (!rule.text) return null;
    return el("details", { class: "about" }, el("summary", {}, "More about this rule"), rule.text.split(/\n\s*\n/).map((t) => el("p", {}, t)),
      rule.wrong ? [el("h4", {}, "Wrong"), el("pre", { class: "code", tabindex: "0" }, rule.wrong)] : [],
      rule.right ? [el("h4", {}, "Right"), el("pre", { class: "code", tabindex: "0" }, rule.right)] : []);
  }

  sampling(row) {
    const source = sourceOf(this.report, row, null);
    return source ? el("p", { class: "dim" }, "How it was tested: " + (source.how || "not called") + ".") : null;
  }

  toolCard(row) {
    const r = this.report, source = sourceOf(r, row, null), width = r.hosts.length;
    const counts = [0, 0, 0, 0];
    for (let c = 0; c < width; c++) { const k = r.cells[row * width + c]; if (k >= 0) counts[r.kinds[k][0]]++; }
    return [
      el("h2", { id: "detail-title" }, el("bdi", {}, rowName(r.rows[row])), el("small", {}, " in all hosts")),
      el("p", {}, [BREAKS, DEGRADED, UNKNOWN, WORKS].filter((v) => counts[v]).map((v) => el("span", { class: "badge v" + v }, VERDICTS[v].mark + " " + counts[v] + " " + countWord(v, counts[v])))),
      this.sampling(row),
      ...[BREAKS, DEGRADED, UNKNOWN].map((v) => this.hostChips(row, v)),
      source && source.definition ? panel("The tool as the server wrote it", source.definition, "", "") : null,
      ...(source && source.results || []).map((text, i, all) => panel("A real result" + (all.length > 1 ? ", no. " + (i + 1) : ""), text, "", "")),
    ];
  }

  hostChips(row, v) {
    const r = this.report, width = r.hosts.length;
    const hosts = r.hosts.map((_, c) => c).filter((c) => r.cells[row * width + c] >= 0 && r.kinds[r.cells[row * width + c]][0] === v);
    return hosts.length ? el("div", { class: "others" }, el("h3", {}, VERDICTS[v].mark + " " + VERDICTS[v].word + " in"),
      el("p", {}, hosts.map((c) => el("button", { type: "button", class: "chip", onclick: () => this.onOpen(row, c) }, hostName(r.hosts[c]))))) : null;
  }

  hostCard(host) {
    const r = this.report, h = r.hosts[host], width = r.hosts.length, counts = [0, 0, 0, 0];
    for (let row = 0; row < r.rows.length; row++) { const k = r.cells[row * width + host]; if (k >= 0) counts[r.kinds[k][0]]++; }
    return [
      el("h2", { id: "detail-title" }, h.name, el("small", {}, " " + h.version)),
      el("p", {}, [BREAKS, DEGRADED, UNKNOWN, WORKS].filter((v) => counts[v]).map((v) => el("span", { class: "badge v" + v }, VERDICTS[v].mark + " " + counts[v] + " " + countWord(v, counts[v])))),
      el("dl", {}, [["Kind", h.kind + (h.surface ? ", " + h.surface : "")], ["Evidence", h.seen], ["Session", h.protocol ? "protocol " + h.protocol : "none"]].map(([a, b]) => [el("dt", {}, a), el("dd", {}, b)])),
      el("h3", {}, "What the table models"),
      el("ul", { class: "stages" }, STAGES.map((s, i) => el("li", { class: h.modelled >> i & 1 ? "" : "dim" }, (h.modelled >> i & 1 ? "✓ " : "· ") + s + ": " + STAGE_QUESTIONS[i] + (h.modelled >> i & 1 ? "" : " (not modelled: says nothing)")))),
      el("p", { class: "dim" }, "All that the table holds about it: ", el("code", {}, "conform hosts show " + h.id)),
    ];
  }
}
