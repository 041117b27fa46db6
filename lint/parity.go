package lint

import (
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// parityRules compare the two surfaces of a result: content, which some hosts show
// the model, and structuredContent, which others do.
func parityRules() []*Rule {
	return []*Rule{
		{ID: "surface-parity", Title: "The text leaves out part of structuredContent", Covers: []string{"R16", "R18", "R19"}, Stage: verdict.View, Level: Quality, Revisions: from2025_6,
			Why:    "A model in a host that shows content never learns what stands in structuredContent alone. Each value is looked for in the text, also escaped, with digits in groups, and as JSON; booleans and values of an enum also count when their key is named. Values that say too little to be told apart (a digit, a short word) are not counted, nor is what lies deeper than eight levels.",
			Source: "linter of mcp-ts-core 0.12.3, format-parity; observed in 20 of 30 real servers", Wrong: `text "3 moving", structuredContent {"moving":3,"lead":"hauler-7"}`, Right: `text "3 moving, led by hauler-7"`, Run: runParity},
		{ID: "surface-parity-reverse", Title: "structuredContent leaves out part of the text's JSON", Covers: []string{"R16", "R19"}, Stage: verdict.View, Level: Quality, Severity: verdict.Info, Revisions: from2025_6,
			Why:    "A model in a host that shows structuredContent never learns what stands in the text alone.",
			Source: "observed: git-cyanheads keeps members in the text that structuredContent drops", Wrong: `text {"a":1,"b":"kiel"}, structuredContent {"a":1}`, Right: "The same JSON in both", Run: runParityReverse},
		{ID: "surface-blocks-lost", Title: "Images or resources stand beside structuredContent", Covers: []string{"R19"}, Stage: verdict.View, Level: Quality, Severity: verdict.Info, Revisions: from2025_6,
			Why:    "Hosts that show structuredContent in place of content lose the blocks.",
			Source: "the rows' claim view.surface", Wrong: "An image in content and structuredContent beside it", Right: "A link to the image in structuredContent too", Run: runBlocksLost},
		{ID: "surface-branch-unsampled", Title: "A branch of the outputSchema was never seen", Covers: []string{"R17"}, Stage: verdict.View, Level: Quality, Severity: verdict.Info, Revisions: from2025_6,
			Why:    "What no result showed was not checked: a fault in that branch comes to light in production.",
			Source: "linter of mcp-ts-core 0.12.3, format-parity (one variant per branch)", Wrong: "oneOf of three, results of one", Right: "A sample for each branch in the samples file", Run: runBranches},
		{ID: "structured-truncated", Title: "structuredContent was cut", Covers: []string{"R38", "R39"}, Stage: verdict.Result, Level: Quality, Revisions: from2025_6,
			Why:    "Text may be cut for the model's sake; structuredContent is data, and programs take it for whole. A marker at the end of a string, or a list shorter than the total beside it in a tool without pages, says that it is not.",
			Source: "cloudflare/mcp 257: structured output is never truncated", Wrong: `"log":"line 1 … [truncated]"`, Right: "The whole value, or pages", Run: runTruncated},
		{ID: "structured-variant", Title: "structuredContent depends on how the text is cut", Covers: []string{"R38", "R39", "R49"}, Stage: verdict.Result, Level: Quality, Severity: verdict.Error, Revisions: from2025_6,
			Why:    "A switch in the address that turns the cutting of texts on or off changes content alone. The same call at both addresses (--variant) must give the same structuredContent, or programs get half of the data.",
			Source: "cloudflare/mcp 257: structured output is never truncated", Wrong: "structuredContent with 10 rows at /mcp and 40 at /mcp?truncateToolResult=false", Right: "The same rows at both", Run: runVariant},
	}
}

// surfaceHosts returns the columns of the run that show the model one surface
// alone.
func (p *Pass) surfaceHosts(prefers string) string {
	var out []string
	for _, h := range p.Hosts {
		if s, _ := capabilities.Get[capabilities.Surface](h, "view.surface"); s != nil && s.Prefers == prefers {
			out = append(out, h.ID)
		}
	}
	slices.Sort(out)
	return naming(slices.Compact(out))
}

// eachStructured calls f for the successful results that have both surfaces.
func (p *Pass) eachStructured(f func(s *recording.Session, tool *recording.Tool, name string, result, structured *schema.Value)) {
	p.EachResult(func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value) {
		structured := result.Get("structuredContent")
		if structured != nil && !result.Get("isError").IsTrue() && kindOf(result.Get("content")) == "array" {
			f(s, tool, name, result, structured)
		}
	})
}

func runParity(p *Pass) (out []Finding, err error) {
	open := false
	p.eachStructured(func(s *recording.Session, tool *recording.Tool, name string, result, structured *schema.Value) {
		if textIs(result, structured) {
			return
		}
		c := compareSurfaces(result, structured, outputOf(tool))
		open = open || c.vague+c.deep > 0
		if c.found == 0 && len(c.missing) > 0 || len(c.missing) == 0 {
			return // nothing at all is structured-text's
		}
		first := c.missing[0]
		text := fmt.Sprintf("The text lacks %d of %d values of structuredContent, the first at %s: %s", len(c.missing), len(c.missing)+c.found, short(first.pointer), short(first.value.Compact()))
		f := Finding{Tool: name, Session: s.ID, Pointer: "/structuredContent" + first.pointer, Message: text + p.surfaceHosts("content")}
		if textCut(result) { // text may be cut, and this one says so
			f.Severity = verdict.Info
		}
		out = append(out, f)
	})
	if open {
		return out, CouldNotCheck{fmt.Sprintf("some values say too little to be looked for, or lie deeper than %d levels or beyond the budget", parityDepth)}
	}
	return out, nil
}

func outputOf(t *recording.Tool) *schema.Value {
	if t == nil {
		return nil
	}
	return t.Output
}

func runParityReverse(p *Pass) (out []Finding, err error) {
	p.eachStructured(func(s *recording.Session, _ *recording.Tool, name string, result, structured *schema.Value) {
		inside := map[string]bool{}
		eachLeaf(structured, nil, "", "", 0, func(l leaf) { inside[leafKey(l.value)] = true })
		for _, block := range result.Get("content").Items {
			text, _ := block.Get("text").IsString()
			v, err := schema.Parse([]byte(text), schema.Limits{Depth: 200, Bytes: parityText})
			if err != nil || v.Kind != schema.Object && v.Kind != schema.Array || schema.Equal(v, structured) {
				continue
			}
			lost := 0
			first := leaf{}
			eachLeaf(v, nil, "", "", 0, func(l leaf) {
				if l.value.Kind != schema.Null && !lowEntropy(l.value) && !inside[leafKey(l.value)] {
					if lost++; lost == 1 {
						first = l
					}
				}
			})
			if lost > 0 {
				out = append(out, Finding{Tool: name, Session: s.ID, Pointer: "/content", Message: fmt.Sprintf("structuredContent lacks %d values of the text's JSON, the first at %s: %s", lost, short(first.pointer), short(first.value.Compact())) + p.surfaceHosts("structured")})
			}
		}
	})
	return out, nil
}

func runBlocksLost(p *Pass) (out []Finding, err error) {
	p.eachStructured(func(s *recording.Session, _ *recording.Tool, name string, result, _ *schema.Value) {
		for _, kind := range []string{"image", "audio", "resource", "resource_link"} {
			if hasBlock(result, kind) {
				out = append(out, Finding{Tool: name, Session: s.ID, Pointer: "/content", Message: fmt.Sprintf("A %s block stands beside structuredContent", kind) + p.surfaceHosts("structured")})
			}
		}
	})
	return out, nil
}

// runBranches names the branches of a union in an outputSchema, at its root or at a
// property of the root, that no result matches.
func runBranches(p *Pass) (out []Finding, err error) {
	type union struct {
		tool     *recording.Tool
		session  string
		property string
		keyword  string
		seen     []bool
	}
	unions := map[string]*union{}
	var order []string
	p.eachStructured(func(s *recording.Session, tool *recording.Tool, name string, _, structured *schema.Value) {
		if tool == nil || kindOf(tool.Output) != "object" {
			return
		}
		look := func(property string, node, value *schema.Value) {
			for _, keyword := range []string{"oneOf", "anyOf"} {
				branches := node.Get(keyword)
				if kindOf(branches) != "array" || len(branches.Items) < 2 || len(branches.Items) > 32 || value == nil {
					continue
				}
				key := revisionOf(s) + "\x00" + name + "\x00" + property + "\x00" + keyword
				u := unions[key]
				if u == nil {
					u = &union{tool, s.ID, property, keyword, make([]bool, len(branches.Items))}
					unions[key], order = u, append(order, key)
				}
				for i, branch := range branches.Items {
					if len(u.seen) == len(branches.Items) && !u.seen[i] {
						u.seen[i] = p.matches(branch, tool.Output, value)
					}
				}
			}
		}
		look("", tool.Output, structured)
		for _, m := range tool.Output.Get("properties").Unique() {
			look(m.Key, m.Value, structured.Get(m.Key))
		}
	})
	for _, key := range order {
		u := unions[key]
		for i, seen := range u.seen {
			pointer := "/outputSchema"
			if u.property != "" {
				pointer += "/properties/" + schema.EscapeToken(u.property)
			}
			if !seen && slices.Contains(u.seen, true) {
				out = append(out, Finding{Tool: u.tool.Name, Session: u.session, Pointer: fmt.Sprintf("%s/%s/%d", pointer, u.keyword, i), Message: fmt.Sprintf("No result shows branch %d of %d", i+1, len(u.seen))})
			}
		}
	}
	return out, nil
}

// matches reports whether a value is valid under one branch of a schema; true when
// that can't be told.
func (p *Pass) matches(branch, root, value *schema.Value) bool {
	if branch.Kind != schema.Object {
		return true
	}
	document := branch
	for _, key := range []string{"$defs", "definitions", "$schema"} {
		if d := root.Get(key); d != nil && !branch.Has(key) {
			document = document.With(key, d)
		}
	}
	validator, err := validators.Compile("spec-dispatch", document)
	return err != nil || validator.Validate(value).Outcome != validators.Invalid
}
