// main.js: puts the parts together.
function summarize(r) {
  const named = (rows) => new Set(rows.filter((row) => row.source >= 0).map((row) => row.tool)).size; // twins are one tool, as in every format
  const width = r.hosts.length, tools = named(r.rows), broken = named(r.rows.filter((row) => row.broken)), [works, degraded, breaks, unknown] = r.summary;
  const lost = r.rows.some((row) => row.source < 0 && row.broken);
  byId("title").replaceChildren(el("bdi", {}, r.target.name || "server"), el("small", {}, " " + r.target.version));
  document.title = (r.target.name || "server") + " · conform";
  const when = r.time ? new Date(r.time).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric", timeZone: "UTC" }) : "";
  byId("meta").textContent = [r.target.transport, r.target.sessions.length ? "protocol " + r.target.sessions.join(", ") : "", plural(tools, "tool") + " in " + plural(width, "host"), when, "table " + r.table].filter(Boolean).join(" · ");
  byId("headline").textContent = breaks ? (lost ? "At least one host loses the whole server. " : "")
    + (broken ? broken.toLocaleString("en") + " of " + plural(tools, "tool") + (broken === 1 ? " breaks" : " break") + " in at least one host." : "")
    : degraded ? "Nothing breaks; something is lost in " + plural(degraded, "cell") + "." : unknown ? "Nothing breaks where it could be established." : "Every tool works in every host.";
  const order = [[BREAKS, breaks], [DEGRADED, degraded], [UNKNOWN, unknown], [WORKS, works]];
  byId("bar").replaceChildren(...order.filter(([, n]) => n).map(([v, n]) => { const part = el("span", { class: "v" + v }); part.style.flexGrow = n; return part; }));
  byId("failed").replaceChildren(...r.target.failed.map((f) => el("p", { class: "failed" }, "! A session failed: " + f)));
  return order;
}

const countWord = (v, n) => (n === 1 ? VERDICTS[v].word : { [WORKS]: "work", [BREAKS]: "break" }[v] || VERDICTS[v].word);

function start(r) {
  const order = summarize(r), filter = new Filter(r);
  let grid;
  const detail = new Detail(r, () => { grid.element.focus({ preventScroll: true }); grid.later(); }, (row, host) => show(row, host));
  grid = new Grid(r, filter, (row, host) => detail.open(row, host));
  const show = (row, host) => {
    select("matrix");
    if ((row >= 0 && !filter.rows.includes(row)) || (host >= 0 && !filter.columns.includes(host))) { filter.clear(); fields(); refresh(); }
    detail.open(row, host);
    grid.find(row, host);
  };

  const refresh = () => {
    filter.apply();
    grid.element.scrollTop = 0;
    grid.row = 0;
    grid.reset();
    for (const b of byId("counts").children) b.setAttribute("aria-pressed", filter.verdicts.has(Number(b.dataset.v)));
    byId("matched").textContent = filter.active || filter.group !== "all" || filter.host
      ? plural(filter.count, "matching cell") + " in " + plural(filter.rows.length, "row") + " and " + plural(filter.columns.length, "host")
      : plural(filter.rows.length, "row") + ", " + plural(filter.columns.length, "host") + (filter.order === "worst" ? ", the worst first" : "");
  };
  const fields = () => {
    byId("find").value = filter.text; byId("group").value = filter.group; byId("hostname").value = filter.host;
    byId("stage").value = filter.stage; byId("order").value = filter.order; byId("narrow").checked = filter.narrow;
  };

  byId("counts").replaceChildren(...order.map(([v, n]) => el("button", { type: "button", class: "count v" + v, "data-v": v, "aria-pressed": "false",
    onclick: () => { if (!filter.verdicts.delete(v)) filter.verdicts.add(v); select("matrix"); refresh(); } },
  el("span", { class: "tile v" + v, "aria-hidden": "true" }, VERDICTS[v].mark), el("b", {}, n.toLocaleString("en")), " " + countWord(v, n))));
  const groups = new Map();
  for (const h of r.hosts) for (const key of ["kind", "surface"]) if (h[key]) groups.set(key + ":" + h[key], (groups.get(key + ":" + h[key]) || 0) + 1);
  const option = (value, text) => el("option", { value }, text);
  byId("group").replaceChildren(option("all", "all (" + r.hosts.length + ")"), ...["kind", "surface"].map((key) => el("optgroup", { label: key },
    [...groups].filter(([g]) => g.startsWith(key + ":")).sort().map(([g, n]) => option(g, g.split(":")[1] + " (" + n + ")")))));
  byId("stage").replaceChildren(option("-1", "any"), ...STAGES.map((s, i) => option(i, s)));
  let typing = 0;
  const input = (id, set) => byId(id).addEventListener("input", (e) => {
    set(e.target.type === "checkbox" ? e.target.checked : e.target.value);
    clearTimeout(typing);
    typing = setTimeout(refresh, r.cells.length > 20000 && e.target.type === "search" ? 150 : 0);
  });
  input("find", (v) => { filter.text = v.trim(); }); input("group", (v) => { filter.group = v; }); input("hostname", (v) => { filter.host = v.trim(); });
  input("stage", (v) => { filter.stage = Number(v); }); input("order", (v) => { filter.order = v; }); input("narrow", (v) => { filter.narrow = v; });
  byId("clear").addEventListener("click", () => { filter.clear(); fields(); refresh(); byId("find").focus(); });
  byId("filters").addEventListener("submit", (e) => e.preventDefault());

  const lists = {
    problems: () => drawList(byId("problems"), r.problems, (p) => problemCard(r, p, show), "No problem was found."),
    advice: () => drawList(byId("advice"), r.advice, (a) => adviceCard(r, a), "There is no advice: no rule that holds whatever the host was broken."),
  };
  const drawOnce = (name) => { lists[name]?.(); delete lists[name]; };
  byId("help").replaceChildren(...helpText(r));
  byId("tab-problems").append(el("span", { class: "number" }, r.problems.length));
  byId("tab-advice").append(el("span", { class: "number" }, r.advice.length));
  byId("keys").replaceChildren(...[["✓", "works"], [UNCHECKED, "works, not checked"], ["~", "degraded"], ["✗", "breaks"], ["?", "unknown"]].map(([m, w], i) =>
    el("span", {}, el("span", { class: "tile " + ["v0", "v0 open", "v2", "v3", "v1"][i], "aria-hidden": "true" }, m), " " + w)), el("span", { class: "keys" }, el("kbd", {}, "↑ ↓ ← →"), " move ", el("kbd", {}, "Enter"), " open ", el("kbd", {}, "Esc"), " close ", el("kbd", {}, "/"), " find"));
  const select = tabs((name) => { drawOnce(name); if (name === "matrix") grid.later(); });
  document.addEventListener("keydown", (e) => keys(e, r, filter, grid, detail, select));
  printing(filter, r, () => { drawOnce("problems"); drawOnce("advice"); });
  fields();
  refresh();
  const follow = () => {
    const link = new URLSearchParams(location.hash.slice(1));
    if (!link.has("tool") && !link.has("host")) return;
    const host = link.has("host") ? r.hosts.findIndex((h) => [h.id, hostName(h).replace(" ", "@")].includes(link.get("host"))) : -1;
    const row = link.has("tool") ? r.rows.findIndex((t) => t.tool === link.get("tool") && (t.nth || 0) === Number(link.get("nth") || 0)) : -1;
    if ((link.has("host") && host < 0) || (link.has("tool") && row < 0)) { byId("matched").textContent = "This link names a cell that this report does not have."; return; }
    show(row, host);
  };
  addEventListener("hashchange", follow);
  follow();
  document.body.dataset.ready = "true";
}

// tabs wires the views and returns the function that selects one.
function tabs(onSelect) {
  const all = [...document.querySelectorAll("[role=tab]")];
  const select = (name, focus) => {
    for (const t of all) {
      const on = t.id === "tab-" + name;
      t.setAttribute("aria-selected", on);
      t.tabIndex = on ? 0 : -1;
      byId(t.getAttribute("aria-controls")).hidden = !on;
      if (on && focus) t.focus();
    }
    onSelect(name);
  };
  for (const [i, t] of all.entries()) {
    t.addEventListener("click", () => select(t.id.slice(4)));
    t.addEventListener("keydown", (e) => {
      const to = { ArrowRight: i + 1, ArrowLeft: i - 1 + all.length, Home: 0, End: all.length - 1 }[e.key];
      if (to === undefined) return;
      e.preventDefault();
      select(all[to % all.length].id.slice(4), true);
    });
  }
  return select;
}

// keys that work anywhere but where somebody types.
function keys(e, r, filter, grid, detail, select) {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(e.target.tagName);
  if (e.key === "Escape" && !detail.element.hidden && !typing) { e.preventDefault(); detail.close(); return; }
  if (typing || e.ctrlKey || e.metaKey || e.altKey) return;
  if (e.key === "/") { e.preventDefault(); select("matrix"); byId("find").focus(); }
  if (e.key !== "j" && e.key !== "k") return;
  const width = filter.columns.length, total = filter.rows.length * width, step = e.key === "j" ? 1 : -1;
  for (let n = Math.max(0, grid.row) * width + grid.column + step; n >= 0 && n < total; n += step) {
    const row = filter.rows[Math.floor(n / width)], column = filter.columns[n % width], k = r.cells[row * r.hosts.length + column];
    if (k < 0 || r.kinds[k][0] < DEGRADED || !filter.matches(row, column)) continue;
    grid.go(Math.floor(n / width), n % width);
    if (!detail.element.hidden) detail.open(row, column);
    return;
  }
}

readReport(byId("report")).then(start).catch((e) => {
  byId("headline").textContent = "This report cannot be shown: " + e.message;
  throw e;
});
