// lists.js: the other views: problems, advice, and how to read the page.
const MORE = 50; // entries drawn at once

function drawList(target, items, draw, empty) {
  target.replaceChildren();
  if (!items.length) { target.append(el("p", { class: "empty" }, empty)); return; }
  let shown = 0;
  const more = el("button", { type: "button", class: "more", onclick: () => step() });
  const step = () => {
    const next = items.slice(shown, shown + MORE).map(draw);
    shown += next.length;
    if (more.parentNode) more.before(...next); else target.append(...next, more);
    more.hidden = shown >= items.length;
    more.textContent = "Show " + Math.min(MORE, items.length - shown) + " more of " + (items.length - shown).toLocaleString("en");
  };
  target.showAll = (most) => { while (shown < Math.min(items.length, most)) step(); };
  step();
}

function problemCard(r, p, open) {
  const rule = r.rules[p.rule], severity = p.severity, who = p.row >= 0 ? rowName(r.rows[p.row]) : "(whole server)";
  const hosts = p.hosts || [];
  return el("article", { class: "problem s" + severity },
    el("h3", {}, el("span", { class: "badge v" + severity }, VERDICTS[severity].mark + " " + SEVERITIES[severity]), " ", el("bdi", {}, who),
      el("small", {}, " in " + plural(hosts.length, "host") + (p.stage >= 0 ? ", at " + STAGES[p.stage] : "")), el("code", { class: "rule" }, rule.id)),
    el("p", {}, sentence(p.why)),
    p.says ? el("figure", { class: "says" }, el("figcaption", {}, "In the host's words"), el("blockquote", { tabindex: "0" }, p.says)) : null,
    fixOf(p.fix, ""),
    el("p", { class: "dim" }, "Reaches " + p.spread + "." + (p.also && p.also.length ? " The same in " + plural(p.also.length, "more tool") + ": " + p.also.slice(0, 12).join(", ") + (p.also.length > 12 ? " …" : "") : "")),
    el("p", { class: "chips" }, hosts.map((c) => p.row >= 0 && r.cells[p.row * r.hosts.length + c] >= 0
      ? el("button", { type: "button", class: "chip", onclick: () => open(p.row, c) }, hostName(r.hosts[c])) : el("span", { class: "chip plain" }, hostName(r.hosts[c])))));
}

function adviceCard(r, a) {
  const rule = r.rules[a.rule];
  return el("article", { class: "problem s" + a.severity },
    el("h3", {}, el("span", { class: "badge v" + a.severity }, ["note", "undecided", "warning", "error"][a.severity]), " ", rule.title, a.tool ? el("small", {}, " in ", el("bdi", {}, a.tool)) : "", el("code", { class: "rule" }, rule.id)),
    el("p", {}, sentence(a.message)), a.pointer ? el("p", { class: "pointer" }, el("code", {}, a.pointer)) : null,
    a.source ? el("p", { class: "dim" }, "Source: " + a.source) : null);
}

function helpText(r) {
  const marks = [["v0", "✓", "works", "and its result was checked as this host would"], ["v0 open", UNCHECKED, "works, not checked", "the host does not check results, or there was none to check"],
    ["v2", "~", "degraded", "usable, but something is lost: a parameter's shape, a field, an image, the end of a text"],
    ["v3", "✗", "breaks", "the host rejects the tool, the call or the result, or shows the model nothing of it"], ["v1", "?", "unknown", "no evidence, or nothing to test with; never counted as good"]];
  return [
    el("h2", {}, "How to read this"),
    el("p", {}, "Each row is a tool of the server, each column a program that talks to it. The server's own words were sent through an emulation of each program; a cell says what became of them."),
    el("dl", { class: "key" }, marks.map(([c, m, word, means]) => [el("dt", {}, el("span", { class: "tile " + c }, m), " ", el("b", {}, word)), el("dd", {}, means)])),
    el("h3", {}, "The six stages"),
    el("ol", {}, STAGES.map((s, i) => el("li", {}, el("b", {}, s), ": " + STAGE_QUESTIONS[i]))),
    el("p", {}, "“4/6” at the head of a column: for four of the six stages there is evidence of what this program does. The other two say nothing."),
    el("h3", {}, "How well it is founded"),
    el("p", {}, el("span", { class: "basis b-observed" }, "observed"), " this version was run and recorded · ", el("span", { class: "basis b-source" }, "source"), " read in its source · ",
      el("span", { class: "basis b-documented" }, "documented"), " its makers say so · ", el("span", { class: "basis b-reported" }, "reported"), " a public issue says so · ", el("span", { class: "basis b-inferred" }, "inferred"), " from what it is built on"),
    el("h3", {}, "Keys"),
    el("ul", {}, [["Arrow keys, Page Up, Page Down, Home, End", "move in the matrix"], ["Enter", "opens a cell, a tool (its name) or a host (the head of its column)"],
      ["Esc", "closes what is open"], ["/", "goes to the search"], ["j, k", "the next and the previous problem in the matrix"]].map(([k, t]) => el("li", {}, el("kbd", {}, k), " " + t))),
    el("p", { class: "dim" }, "Made by conform " + r.version + ", table " + r.table + ". This file is complete in itself and fetches nothing."),
  ];
}
