// place.js: the failing place in the schema beside the data that failed there, and
// the tool as the model gets it.

// sourceOf is what the report carries of the tool that a finding is about.
function sourceOf(r, row, finding) {
  if (finding && finding.culprit && finding.culprit !== r.rows[row].tool) {
    return r.sources.find((s) => s.name === finding.culprit) || null;
  }
  return r.rows[row].source < 0 ? null : r.sources[r.rows[row].source];
}

// split takes the first segment off a pointer.
function split(pointer) {
  const at = pointer.indexOf("/", 1);
  return at < 0 ? [pointer.slice(1), ""] : [pointer.slice(1, at), pointer.slice(at)];
}

function placeOf(r, row, finding) {
  const source = sourceOf(r, row, finding);
  const schema = source && finding.schemaPointer ? schemaPanel(source, finding.schemaPointer) : null;
  const data = finding.dataPointer || finding.sample ? dataPanel(source, finding) : null;
  if (!schema && !data) return pointers(finding);
  return el("div", { class: schema && data ? "beside" : "" }, schema, data);
}

function pointers(finding) {
  const lines = [];
  if (finding.schemaPointer) lines.push(el("p", { class: "pointer" }, "in the definition: ", el("code", {}, finding.schemaPointer)));
  if (finding.dataPointer) lines.push(el("p", { class: "pointer" }, "in the data: ", el("code", {}, finding.dataPointer)));
  return lines.length ? el("div", {}, lines) : null;
}

function schemaPanel(source, pointer) {
  if (!source.definition) return null;
  let [name, rest] = split(pointer);
  let text = subtree(source.definition, name);
  if (!text) { text = source.definition; rest = pointer; name = "the tool"; }
  return panel(name + " of " + source.name, text, rest, pointer);
}

function dataPanel(source, finding) {
  if (finding.sample === "synthesized" && finding.witness) {
    const rest = finding.dataPointer.replace(/^\/(structuredContent|arguments)(?=\/|$)/, "");
    return panel("Data, made from the schema (the server never sent it)", finding.witness, rest, finding.dataPointer);
  }
  const results = source && source.results ? source.results : [];
  if (!results.length) return null;
  const exact = results.find((text) => nearest(layOut(text), finding.dataPointer) === finding.dataPointer) || results[0];
  const [name, rest] = split(finding.dataPointer || "/");
  const part = name ? subtree(exact, name) : "";
  return part ? panel("Data, a real result (" + name + ")", part, rest, finding.dataPointer)
    : panel("Data, a real result", exact, finding.dataPointer, finding.dataPointer);
}

// panel shows text with a place marked and scrolled to.
function panel(title, text, pointer, full) {
  const lines = layOut(text), hit = nearest(lines, pointer);
  const code = codeOf(lines, pointer === "" ? null : hit, title);
  scrollToHit(code);
  const missing = hit !== pointer;
  return el("figure", { class: "panel" },
    el("figcaption", {}, el("b", {}, title), full ? el("code", { class: "where" }, full) : "",
      missing ? el("span", { class: "dim" }, " (marked: the nearest place that is there)") : ""), code);
}

function scrollToHit(code) {
  requestAnimationFrame(() => {
    const hit = code.querySelector(".hit");
    if (hit) code.scrollTop = Math.max(0, hit.offsetTop - code.clientHeight / 3);
  });
}

// offerOf is the form in which the model of a host gets the tool, null when the
// report does not carry it.
function offerOf(source, host) {
  if (!source || !source.offers) return null;
  return source.offers.find((o) => o.hosts[host] !== undefined) || null;
}

// inShell quotes a text for a command line: people copy it.
function inShell(text) { return "'" + text.replaceAll("'", "'\\''") + "'"; }

function offerPanel(r, row, host) {
  const source = sourceOf(r, row, null);
  if (!source) return null;
  const offer = offerOf(source, host), command = "conform run --show-offered " + inShell(source.name + "@" + r.hosts[host].id) + " …";
  if (!offer) {
    return el("p", { class: "dim" }, source.offers ? "This host does not offer the tool to its model, or its table says nothing of it."
      : "Not carried here, because the tool works everywhere. To see it: ", source.offers ? "" : el("code", {}, command));
  }
  const parts = [el("p", {}, "The model knows it as ", el("code", {}, offer.hosts[host] || source.name), ".")];
  if (offer.cut) parts.push(el("p", {}, "What it gets is too long for this report. To see it: ", el("code", {}, command)));
  if (offer.description !== undefined) parts.push(el("p", {}, offer.description === "" ? "It gets no description." : "Its description was changed to:"),
    offer.description === "" ? null : el("blockquote", { tabindex: "0" }, offer.description));
  if (offer.rendered) parts.push(el("pre", { class: "code", tabindex: "0" }, offer.rendered));
  else if (offer.schema) parts.push(comparison(subtree(source.definition || "", "inputSchema"), offer.schema));
  else if (!offer.cut) parts.push(el("p", {}, "Its inputSchema arrives as the server wrote it."));
  return el("div", {}, parts);
}

// comparison shows the offered schema with what was lost (−) and what is new (+).
function comparison(before, after) {
  const a = before ? layOut(before).map(textOf) : [], b = layOut(after).map(textOf);
  const lines = before ? compareLines(a, b) : null;
  const pre = el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": "inputSchema as the model gets it" });
  if (!lines) { pre.textContent = b.join("\n"); return pre; }
  for (const [sign, text] of lines) {
    const word = { "-": "lost: ", "+": "new: ", " ": "" }[sign];
    pre.append(el("span", { class: "line " + ({ "-": "lost", "+": "new" }[sign] || "") },
      el("span", { "aria-hidden": "true" }, sign === "-" ? "− " : sign + " "), word ? el("span", { class: "hidden" }, word) : "", text, "\n"));
  }
  return el("div", {}, el("p", { class: "dim" }, "Beside what the server wrote: − lost on the way, + new."), pre);
}
