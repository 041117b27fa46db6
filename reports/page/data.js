// data.js: reads the report that the page carries. What repeats is written once:
// cells point to kinds, kinds to findings, findings to strings (html_data.go).
const STAGES = ["connect", "list", "offer", "call", "result", "view"];
const STAGE_QUESTIONS = [
  "Which handshake, and does the server answer it?", "Do the tools survive the host's parser?",
  "What reaches the model's tool list?", "Do the arguments get through?",
  "Is the result accepted?", "What does the model see?",
];
const VERDICTS = [
  { word: "works", mark: "✓" }, { word: "unknown", mark: "?" },
  { word: "degraded", mark: "~" }, { word: "breaks", mark: "✗" },
];
const WORKS = 0, UNKNOWN = 1, DEGRADED = 2, BREAKS = 3;
const UNCHECKED = "○";
const SEVERITIES = ["note", "undecided", "degrades", "breaks"];
const INFO = 0;
const BLASTS = ["this tool alone", "the whole server: the host loses all its tools",
  "the whole request: every tool of every server in that chat turn"];

// readReport resolves to the data with accessors; it fails with words for people.
async function readReport(element) {
  let text = element.textContent;
  if (element.dataset.encoding === "gzip") {
    if (typeof DecompressionStream !== "function") {
      throw new Error("this browser cannot unpack the report (it lacks DecompressionStream); use one of 2023 or later");
    }
    const bytes = atob(text.slice(1, -1)), packed = new Uint8Array(bytes.length);
    for (let i = 0; i < bytes.length; i++) packed[i] = bytes.charCodeAt(i);
    const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
    text = await new Response(stream).text();
  }
  element.remove(); // its text is not needed twice
  const r = JSON.parse(text);
  r.cells = Int32Array.from(r.cells);
  return r;
}

// FINDINGS is where the findings of a kind begin.
const FINDINGS = 8;

// kindOf is what a cell of this kind says.
function kindOf(r, k) {
  const v = r.kinds[k], s = r.strings;
  return { verdict: v[0], stage: v[1], blast: v[2], checked: v[3] === 1, search: s[v[4]], basis: s[v[5]], app: s[v[6]], tried: v[7],
    findings: v.slice(FINDINGS).map((f) => findingOf(r, f)) };
}

function findingOf(r, f) {
  const v = r.findings[f], s = r.strings;
  return { index: f, rule: r.rules[v[0]], severity: v[1], stage: v[2], blast: v[3], message: s[v[4]], says: s[v[5]], culprit: s[v[6]],
    schemaPointer: s[v[7]], dataPointer: s[v[8]], sample: s[v[9]], witness: s[v[10]], basis: s[v[11]], note: s[v[12]], fix: s[v[13]],
    evidence: v.slice(14).map((e) => evidenceOf(r, e)) };
}

function evidenceOf(r, e) {
  const [ref, basis, version, date, place, text] = r.evidence[e].map((i) => r.strings[i]);
  return { ref, basis, version, date, place, text };
}

function markOf(kind) {
  return kind[0] === WORKS && kind[3] !== 1 ? UNCHECKED : VERDICTS[kind[0]].mark;
}

function tileClass(kind) { return "tile v" + kind[0] + (kind[0] === WORKS && kind[3] !== 1 ? " open" : ""); }

function wordsOf(kind) {
  if (kind[0] === WORKS) return kind[3] === 1 ? "works" : "works, not checked";
  return VERDICTS[kind[0]].word + (kind[1] >= 0 ? " at " + STAGES[kind[1]] : "");
}

function rowName(row) {
  if (row.tool === "" && row.source < 0) return "(whole server)";
  const name = row.tool === "" ? "(no name)" : row.tool;
  return row.nth ? name + " (no. " + (row.nth + 1) + " of this name)" : name;
}

function hostName(host) { return host.version ? host.id + " " + host.version : host.id; }

function plural(n, noun) { return n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s"); }

// sentence begins with a capital, except where the first word is a name like outputSchema.
function sentence(text) { return /^[a-z]+[A-Z_./]/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1); }

// fixOf shows a proven rewrite by its name, or general advice in words.
function fixOf(fix, advice) {
  if (!fix) return advice ? el("div", { class: "fix" }, el("b", {}, "What helps"), el("p", {}, advice)) : null;
  if (!/^[a-z0-9-]+( \([^)]*\))?(; [a-z0-9-]+( \([^)]*\))?)*$/.test(fix)) return el("div", { class: "fix" }, el("b", {}, "Fix"), el("p", {}, fix));
  const names = fix.split("; ").map((part, i) => [i ? ", or " : "", el("code", {}, part.split(" ")[0]), part.includes(" ") ? " " + part.slice(part.indexOf(" ") + 1) : ""]);
  return el("div", { class: "fix" }, el("b", {}, "Fix"), el("p", {}, "The rewrite ", names, " was tried and works here; ", el("code", {}, "conform fix"), " writes it out."));
}

// el makes an element. Children are nodes or text; text never becomes markup.
function el(tag, attributes, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes || {})) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "class") node.className = value;
    else if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((c) => c !== null && c !== undefined && c !== ""));
  return node;
}

function byId(id) { return document.getElementById(id); }
