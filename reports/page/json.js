// json.js: lays out JSON text as it was written (1.0 stays 1.0, a key that stands
// twice stays twice) and knows the pointer of every part, so that a place can be
// marked. It uses no recursion: the text may come from a hostile server.
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gy;
const MAX_LINES = 4000;
const SHORT = 64; // characters of a list that stays on one line

// layOut returns lines of { depth, parts: [{ text, kind, at }] }; at is a pointer.
function layOut(text) {
  const tokens = text.match(new RegExp(TOKEN.source, "g")) || [];
  const lines = [];
  let line = { depth: 0, parts: [] };
  const stack = [];
  const put = (part, kind, at) => line.parts.push({ text: part, kind, at });
  const breakLine = (depth) => { lines.push(line); line = { depth, parts: [] }; };
  for (let i = 0; i < tokens.length; i++) {
    if (lines.length >= MAX_LINES) { put(" … (cut here)", "gap", ""); break; }
    const token = tokens[i], top = stack[stack.length - 1];
    if (token === "," ) {
      put(",", "mark", top ? top.at : "");
      if (top) { top.index++; top.wantsKey = !top.list; }
      if (top && !top.inline) breakLine(stack.length); else put(" ", "mark", top ? top.at : "");
      continue;
    }
    if (token === ":") { put(": ", "mark", top ? top.child : ""); continue; }
    if (token === "}" || token === "]") {
      stack.pop();
      if (top && !top.empty && !top.inline) breakLine(stack.length);
      put(token, "mark", top ? top.at : "");
      continue;
    }
    if (top && top.empty) { top.empty = false; if (!top.inline) breakLine(stack.length); }
    if (top && !top.list && top.wantsKey) {
      top.wantsKey = false;
      top.child = top.at + "/" + escapePointer(token);
      put(token, "key", top.child);
      continue;
    }
    const at = !top ? "" : top.list ? top.at + "/" + top.index : top.child;
    if (token === "{" || token === "[") {
      put(token, "mark", at);
      stack.push({ list: token === "[", at, index: 0, child: at, wantsKey: token === "{", empty: true,
        inline: (top && top.inline) || fits(tokens, i) });
      continue;
    }
    put(token, token[0] === '"' ? "string" : "word", at);
  }
  lines.push(line);
  return lines;
}

// fits reports whether the list or object that begins at a token holds no other
// one and is short.
function fits(tokens, start) {
  let length = 0;
  for (let i = start + 1; i < tokens.length; i++) {
    const t = tokens[i];
    if (t === "}" || t === "]") return true;
    length += t.length + 1;
    if (t === "{" || t === "[" || length > SHORT) return false;
  }
  return true;
}

function escapePointer(key) {
  let name = key;
  try { name = JSON.parse(key); } catch { name = key.slice(1, -1); }
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

// nearest is the deepest pointer above a place that the text really has.
function nearest(lines, pointer) {
  const known = new Set();
  for (const l of lines) for (const p of l.parts) known.add(p.at);
  let at = pointer;
  while (at !== "" && !known.has(at)) at = at.slice(0, at.lastIndexOf("/"));
  return at;
}

// subtree is the text of one member of an object, as written; "" when there is none.
function subtree(text, key) {
  const pattern = new RegExp(TOKEN.source, "g");
  let depth = 0, wanted = false, start = -1;
  for (let m = pattern.exec(text); m; m = pattern.exec(text)) {
    const t = m[0];
    if (start >= 0 && depth === 1 && (t === "," || t === "}")) return text.slice(start, m.index);
    if (depth === 1 && !wanted && t[0] === '"') {
      const colon = /^\s*:/.exec(text.slice(pattern.lastIndex, pattern.lastIndex + 16));
      if (colon && escapePointer(t) === key) { wanted = true; pattern.lastIndex += colon[0].length; start = pattern.lastIndex; continue; }
    }
    if (t === "{" || t === "[") depth++;
    if (t === "}" || t === "]") depth--;
  }
  return "";
}

// codeOf draws lines; hit marks a pointer and what is below it.
function codeOf(lines, hit, label) {
  const pre = el("pre", { class: "code", tabindex: "0", role: "region", "aria-label": label });
  for (const l of lines) {
    const row = el("span", { class: "line" }, "  ".repeat(l.depth));
    for (const p of l.parts) {
      const struck = hit !== null && (p.at === hit || (hit !== "" && p.at.startsWith(hit + "/")));
      if (struck) row.classList.add("struck");
      row.append(el("span", { class: (struck ? "hit " : "") + "j-" + p.kind }, p.text));
    }
    row.append("\n");
    pre.append(row);
  }
  return pre;
}

const textOf = (l) => "  ".repeat(l.depth) + l.parts.map((p) => p.text).join("");

// compareLines pairs two texts line by line: " " both, "-" only the first, "+" only
// the second. Texts beyond 1,500 lines are not compared and null comes back.
function compareLines(a, b) {
  let head = 0, tail = 0;
  while (head < a.length && head < b.length && a[head] === b[head]) head++;
  while (tail < a.length - head && tail < b.length - head && a[a.length - 1 - tail] === b[b.length - 1 - tail]) tail++;
  const x = a.slice(head, a.length - tail), y = b.slice(head, b.length - tail);
  if (x.length > 1500 || y.length > 1500) return null;
  const width = y.length + 1, length = new Uint16Array((x.length + 1) * width);
  for (let i = x.length - 1; i >= 0; i--) {
    for (let j = y.length - 1; j >= 0; j--) {
      length[i * width + j] = x[i] === y[j] ? length[(i + 1) * width + j + 1] + 1
        : Math.max(length[(i + 1) * width + j], length[i * width + j + 1]);
    }
  }
  const out = a.slice(0, head).map((t) => [" ", t]);
  for (let i = 0, j = 0; i < x.length || j < y.length;) {
    if (i < x.length && j < y.length && x[i] === y[j]) { out.push([" ", x[i]]); i++; j++; }
    else if (j === y.length || (i < x.length && length[(i + 1) * width + j] >= length[i * width + j + 1])) out.push(["-", x[i++]]);
    else out.push(["+", y[j++]]);
  }
  return out.concat(a.slice(a.length - tail).map((t) => [" ", t]));
}
