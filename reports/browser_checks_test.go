//go:build browser

package reports_test

import (
	"fmt"
	"os"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// accessibility is what the usual checkers look for, written small: names of
// controls, ids that are unique and that exist where ARIA points to them, parents
// that roles need, the order of headings, and contrast of text (WCAG 2.2, 1.4.3:
// 4.5 to 1, 3 to 1 for large text).
const accessibility = `(() => {
  const faults = [], seen = new Set();
  const visible = (n) => n.checkVisibility && n.checkVisibility();
  for (const n of document.querySelectorAll("[id]")) { if (seen.has(n.id)) faults.push("id twice: " + n.id); seen.add(n.id); }
  for (const n of document.querySelectorAll("[aria-labelledby],[aria-controls],[aria-describedby],[aria-activedescendant]"))
    for (const a of ["aria-labelledby", "aria-controls", "aria-describedby", "aria-activedescendant"])
      for (const id of (n.getAttribute(a) || "").split(" ").filter(Boolean)) if (!document.getElementById(id) && visible(n)) faults.push(a + " points nowhere: " + id);
  const nameOf = (n) => (n.getAttribute("aria-label") || n.getAttribute("title") || [...(n.labels || [])].map((l) => l.textContent).join("") || n.textContent || "").trim();
  for (const n of document.querySelectorAll("button,a[href],input,select,[role=tab],[role=grid]")) if (visible(n) && !nameOf(n)) faults.push("no name: " + n.outerHTML.slice(0, 80));
  for (const n of document.querySelectorAll("[role=gridcell],[role=columnheader],[role=rowheader]")) if (!n.closest("[role=row]")) faults.push("outside a row: " + n.id);
  for (const n of document.querySelectorAll("[role=row]")) if (!n.closest("[role=grid]")) faults.push("row outside the grid");
  for (const n of document.querySelectorAll("[role=gridcell]")) if (!n.getAttribute("aria-label")) faults.push("cell without words: " + n.id);
  let level = 0;
  for (const n of document.querySelectorAll("h1,h2,h3,h4")) { if (!visible(n)) continue; const l = Number(n.tagName[1]); if (l > level + 1) faults.push("heading jumps to " + n.tagName + ": " + n.textContent.slice(0, 40)); level = l; }
  if (!document.documentElement.lang) faults.push("no language");
  if (document.querySelectorAll("h1").length !== 1) faults.push("not one h1");
  for (const n of document.querySelectorAll("body *")) if (visible(n) && n.scrollHeight > n.clientHeight + 2 && /auto|scroll/.test(getComputedStyle(n).overflowY) && n.clientHeight > 0 && n.tabIndex < 0 && !n.querySelector("button,a,[tabindex]") && n.id !== "detail") faults.push("scrolls, but not by keys: " + n.className + n.id);
  const parse = (c) => { const m = c.match(/[\d.]+/g).map(Number); return m.length < 4 ? [...m, 1] : m; };
  const light = ([r, g, b]) => { const f = (v) => { v /= 255; return v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4; }; return 0.2126 * f(r) + 0.7152 * f(g) + 0.0722 * f(b); };
  const behind = (n) => { for (; n; n = n.parentElement) { const c = parse(getComputedStyle(n).backgroundColor); if (c[3] > 0.99) return c; } return [255, 255, 255, 1]; };
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let t = walker.nextNode(); t; t = walker.nextNode()) {
    const n = t.parentElement;
    if (!t.textContent.trim() || !visible(n) || n.closest(".hidden,.faded,script,style,noscript,option")) continue;
    const style = getComputedStyle(n), a = light(parse(style.color)), b = light(behind(n)), ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5)) faults.push("contrast " + ratio.toFixed(2) + ": " + t.textContent.trim().slice(0, 30) + " in ." + n.className);
  }
  return [...new Set(faults)];
})()`

// axe runs the checker axe-core, once it is part of the page.
const axe = `axe.run(document, { resultTypes: ["violations"] }).then((r) => r.violations.map((v) => v.id + ": " + v.nodes[0].html.slice(0, 120) + " (" + v.nodes.length + ")"))`

// accessible holds the page against the checks above and, where CONFORM_AXE names
// the file axe.min.js, against axe-core (scripts/browser.sh installs it).
func (t *tab) accessible() {
	GinkgoHelper()
	Expect(eval[[]string](t, accessibility)).To(BeEmpty())
	if name := os.Getenv("CONFORM_AXE"); name != "" {
		source, err := os.ReadFile(name)
		Expect(err).NotTo(HaveOccurred())
		eval[bool](t, string(source)+";true")
		Expect(eval[[]string](t, axe)).To(BeEmpty(), "axe-core")
	}
}

const (
	track = `{"type":"object","properties":{"track":{"type":"array","items":[{"type":"number"},{"type":"number"}],"additionalItems":false},"unit":{"type":"string","default":"m"},"speed":{"type":"number","minimum":1.0}},"required":["track"]}`
	order = `{"type":"object","properties":{"id":{"type":"string","pattern":"^h-[0-9]+$"},"span":{"type":"array","prefixItems":[{"type":"number"},{"type":"number"}]}},"required":["id"]}`
	bare  = `{"type":"object","properties":{"id":{"type":"string"},"span":{"type":"array","items":{"type":"string"}}},"required":["id"]}`
)

// pictured is the sample with what a page shows besides findings.
func pictured() *verdict.Report {
	r := sample()
	for i := range r.Tools {
		t := &r.Tools[i]
		if t.Name != "hauler_status" {
			continue
		}
		t.Definition = `{"name":"hauler_status","description":"Where a hauler is","inputSchema":` + order + `,"outputSchema":` + track + `}`
		t.Results = []string{`{"content":[{"type":"text","text":"ok"}],"structuredContent":{"track":[4.0,7.5,9],"unit":"m"}}`}
		t.Offers = []verdict.Offered{{Names: map[string]string{"alpha-ide 3.1.4": "mcp_hauler_hauler_status"}, Schema: bare}}
	}
	for i := range r.Cells {
		c := &r.Cells[i]
		if c.Tool != "hauler_status" || c.Host != "alpha-ide" {
			continue
		}
		*c = verdict.Cell{Tool: c.Tool, Host: c.Host, HostVersion: c.HostVersion, Verdict: verdict.Breaks, Stage: verdict.Result, Blast: verdict.BlastTool,
			Checked: true, Basis: "observed", Modelled: c.Modelled, Findings: []verdict.Finding{{Rule: "result-schema-mismatch", Severity: verdict.Error,
				Stage: verdict.Result, Blast: verdict.BlastTool, Message: "this host rejects the result", HostText: "Structured content does not match: data/track/0 boolean schema is false",
				SchemaPointer: "/outputSchema/properties/track/items", DataPointer: "/structuredContent/track/0", Sample: "real", Basis: "observed",
				Evidence: []string{"alpha-ide/lab-3.1.4"}, Fix: "tuple-open-tail"}}}
	}
	r.Summary = verdict.Count(r.Cells)
	return r
}

// catalogue is a report of the size of a large company's catalogue, with as many
// different findings and texts as a real one.
func catalogue(tools, hosts int) *verdict.Report {
	r := &verdict.Report{Format: verdict.Format, Conform: verdict.Program{Version: "test", Table: "0"}, Target: verdict.Target{Name: "catalogue"}, Evidence: map[string]verdict.Evidence{}}
	kinds := []string{"host", "host", "host", "sdk", "api", "spec"}
	for h := range hosts {
		id := fmt.Sprintf("host-number-%d", h)
		r.Hosts = append(r.Hosts, verdict.Host{ID: id, Name: "Host " + id, Version: fmt.Sprintf("1.%d.0", h), Kind: kinds[h%len(kinds)], Surface: "ide", Modelled: []string{"list", "offer", "result"}})
		r.Evidence[id+"/lab"] = verdict.Evidence{Basis: "observed", Version: "1.0", Date: "2026-11-01", Ref: "observations/" + id + ".jsonl"}
	}
	for n := range tools {
		name := fmt.Sprintf("department_%d_tool_%d", n%40, n)
		t := verdict.Tool{Name: name, Samples: 1, How: "recorded", Definition: `{"name":"` + name + `","inputSchema":{"type":"object","properties":{`}
		for p := range 20 {
			t.Definition += fmt.Sprintf(`"field_%d":{"type":"string","description":"what field %d of tool %d holds, told at some length so that it weighs as much as a real one"},`, p, p, n)
		}
		t.Definition += `"last":{"type":"boolean"}}},"outputSchema":` + track + `}`
		t.Results = []string{fmt.Sprintf(`{"content":[],"structuredContent":{"track":[%d,2,3]}}`, n)}
		r.Tools = append(r.Tools, t)
		for h, host := range r.Hosts {
			c := verdict.Cell{Tool: name, Host: host.ID, HostVersion: host.Version, Verdict: verdict.Works, Checked: h%2 == 0, Basis: "observed", Modelled: host.Modelled}
			if (n+h)%7 == 0 {
				c.Verdict, c.Stage, c.Blast = verdict.Degraded, verdict.Offer, verdict.BlastTool
				c.Findings = append(c.Findings, verdict.Finding{Rule: "offered-keyword-lost", Severity: verdict.Warning, Stage: verdict.Offer, Message: fmt.Sprintf("pattern of field_%d is not offered to the model", n%20),
					SchemaPointer: fmt.Sprintf("/inputSchema/properties/field_%d", n%20), Basis: "observed", Evidence: []string{host.ID + "/lab"}})
			}
			if (n+h)%11 == 0 {
				c.Verdict, c.Stage, c.Blast = verdict.Breaks, verdict.Result, verdict.BlastTool
				c.Findings = append([]verdict.Finding{{Rule: "result-schema-mismatch", Severity: verdict.Error, Stage: verdict.Result, Blast: verdict.BlastTool, Message: "this host rejects the result",
					HostText: fmt.Sprintf("MCP error -32602: the output of %s does not match: data/track/%d must be string", name, h%3), SchemaPointer: "/outputSchema/properties/track/items",
					DataPointer: fmt.Sprintf("/structuredContent/track/%d", h%3), Sample: "real", Basis: "observed", Evidence: []string{host.ID + "/lab"}}}, c.Findings...)
			}
			r.Cells = append(r.Cells, c)
		}
	}
	r.Summary = verdict.Count(r.Cells)
	return r
}
