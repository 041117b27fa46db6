package lint

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// cutMarker is a remark at the end of a string that the rest was left out.
var cutMarker = regexp.MustCompile(`(?i)(\.\.\.|…|\[|\(|<|---?|\n|^)\s*[\[(<*-]*\s*((output|content|text|response|result|message)\s+)?(was\s+)?truncated\b[^\n]{0,80}$`)

// textCut reports whether a text block owns that the rest was left out.
func textCut(result *schema.Value) bool {
	cut := false
	eachBlock(result, func(_ string, block *schema.Value) {
		text, _ := block.Get("text").IsString()
		cut = cut || endsCut(text)
	})
	return cut
}

// leftOut is a remark at the end of a string, or in place of one, that counts what is
// missing.
var leftOut = regexp.MustCompile(`(?i)((\.\.\.|…)\s*(\(|\[)?\s*(and |\+ ?)?\d[\d,.]*\s+(more|others?|additional)\b[^\n]{0,40}|[\[(<]\s*(\.\.\.\s*)?\+?\d[\d,.]*\s+(more\s+)?(characters?|chars?|bytes?|lines?|tokens?|items?|rows?|entries|records?|results?)\s+(were |was )?(omitted|truncated|elided|removed|skipped|cut|not shown|remaining)[^\n]{0,40})$`)

// cutLine is a line that says nothing but that something was left out there.
var cutLine = regexp.MustCompile(`(?m)^\s*[-=*\[(<.…]{1,8}\s*(OUTPUT |CONTENT |TEXT |RESPONSE |RESULT )?(TRUNCATED|truncated|Truncated)( HERE| here)?\s*[-=*\])>.…]{1,8}\s*$`)

// andMore is an end of a string that counts what it does not name.
var andMore = regexp.MustCompile(`(?i)(,| and)\s+\d[\d,.]*\s+(more|others)\.?$`)

func endsCut(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) <= parityText && cutLine.MatchString(text) {
		return true
	}
	text = text[max(0, len(text)-200):]
	return cutMarker.MatchString(text) || leftOut.MatchString(text) || andMore.MatchString(text)
}

// brokenOff reports whether a string is JSON that ends in the middle.
func brokenOff(text string) bool {
	text = strings.TrimSpace(text)
	if len(text) < 20 || len(text) > parityText || !jsonStart.MatchString(text) {
		return false
	}
	_, err := schema.ParseString(text)
	return err != nil && opensMore(text)
}

var jsonStart = regexp.MustCompile(`^(\{\s*"[^"\n]{0,80}"\s*:|\[\s*\{\s*")`)

// opensMore reports whether a text opens more braces and brackets, or a string, than
// it closes.
func opensMore(text string) bool {
	depth, inside := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case inside && c == '\\':
			i++
		case c == '"':
			inside = !inside
		case inside:
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth > 0
}

// paging are names that tell of pages, in arguments or beside a list.
var paging = regexp.MustCompile(`(?i)^(page|pages|offset|skip|limit|cursor|start|from|size|top|first|last|after|before|next|prev|has_?more|truncated|per_?page|page_?size|page_?number|page_?token|next_?\w*|max_?\w*|start_?\w*|\w*_?limit|filter\w*|query|q|search\w*)$`)

// totals are names of a count of everything.
var totals = regexp.MustCompile(`(?i)^(total|total_?count|total_?items|total_?results|count)$`)

func runTruncated(p *Pass) (out []Finding, err error) {
	p.eachStructuredCall(func(e *Exchange, tool *recording.Tool, structured *schema.Value) {
		s, name, arguments := e.Session, calledTool(e), e.Params.Get("arguments")
		report := func(pointer, format string, args ...any) {
			out = append(out, Finding{Tool: name, Session: s.ID, Pointer: "/structuredContent" + pointer, Message: fmt.Sprintf(format, args...)})
		}
		eachLeaf(structured, nil, "", "", 0, func(l leaf) {
			switch text, ok := l.value.IsString(); {
			case ok && endsCut(text):
				report(l.pointer, "A string of structuredContent ends %s", quote(strings.ToValidUTF8(strings.TrimSpace(text[max(0, len(text)-40):]), "")))
			case ok && brokenOff(text):
				report(l.pointer, "A string of structuredContent is JSON that breaks off: it ends %s", quote(strings.ToValidUTF8(strings.TrimSpace(text[max(0, len(text)-40):]), "")))
			}
		})
		if structured.Kind != schema.Object {
			return
		}
		paged := pages(tool, structured) && !(deniesMore(structured) && !skips(arguments))
		checkTotal("", structured, totals, paged, report)
		for _, m := range structured.Unique() {
			if m.Value.Kind == schema.Object {
				checkTotal("/"+schema.EscapeToken(m.Key), m.Value, wholeTotals, paged || pages(nil, m.Value), report)
			}
		}
	})
	return out, nil
}

// pages reports whether a tool or its result knows of pages or filters: a list may
// then be shorter than a total.
func pages(tool *recording.Tool, structured *schema.Value) bool {
	if tool != nil {
		for _, m := range tool.Input.Get("properties").Unique() {
			if paging.MatchString(m.Key) {
				return true
			}
		}
	}
	for _, m := range structured.Unique() {
		if paging.MatchString(m.Key) {
			return true
		}
	}
	return false
}

// wholeTotals are those that mean nothing else below the root, where a count may be of
// anything.
var wholeTotals = regexp.MustCompile(`(?i)^(total|total_?count|total_?items|total_?results)$`)

// certain are totals that can be nothing but a count of elements: less of them than
// there are is wrong whatever the pages.
var certain = regexp.MustCompile(`(?i)^total_?(count|items|results)$`)

func checkTotal(at string, structured *schema.Value, totals *regexp.Regexp, paged bool, report func(string, string, ...any)) {
	var list *schema.Member
	for _, m := range structured.Unique() {
		if m.Value.Kind == schema.Array {
			if list != nil {
				return // which of them is counted is not known
			}
			list = &m
		}
	}
	if list == nil {
		return
	}
	for _, m := range structured.Unique() {
		r, ok := m.Value.Exact()
		if !ok || !totals.MatchString(m.Key) || !r.IsInt() || !r.Num().IsInt64() {
			continue
		}
		switch n, have := r.Num().Int64(), int64(len(list.Value.Items)); {
		case n > have && !paged:
			report(at+"/"+schema.EscapeToken(list.Key), "%s has %d elements, %s says %d, and the tool has no pages", quote(list.Key), have, m.Key, n)
		case n < have && certain.MatchString(m.Key):
			report(at+"/"+schema.EscapeToken(list.Key), "%s has %d elements, and %s says %d", quote(list.Key), have, m.Key, n)
		}
	}
}

// saysMore are names of a truth that says whether a list goes on.
var saysMore = regexp.MustCompile(`(?i)^(is_?)?(truncated|partial|incomplete)$|^(has_?)?(more|next|next_?page|more_?results|more_?items)$`)

// deniesMore reports whether a result says of itself that nothing was left out.
func deniesMore(structured *schema.Value) bool {
	denies := false
	for _, m := range structured.Unique() {
		if saysMore.MatchString(m.Key) && m.Value.Kind == schema.Bool {
			if m.Value.IsTrue() {
				return false
			}
			denies = true
		}
	}
	return denies
}

// skipping are arguments with which a call asks for what follows something: its list is
// the rest, whatever the total.
var skipping = regexp.MustCompile(`(?i)(page|offset|skip|cursor|start|from|after|before|token)`)

func skips(arguments *schema.Value) bool {
	for _, m := range arguments.Unique() {
		if skipping.MatchString(m.Key) {
			return true
		}
	}
	return false
}

// eachStructuredCall calls f for the calls whose successful results have both surfaces.
func (p *Pass) eachStructuredCall(f func(e *Exchange, tool *recording.Tool, structured *schema.Value)) {
	for _, s := range p.Conversations() {
		listed := p.toolsFor(s)
		for _, e := range p.Exchanges(s) {
			if e.Method != "tools/call" || e.Params.Has("task") && e.Result.Has("task") {
				continue
			}
			structured := e.Result.Get("structuredContent")
			if structured != nil && !e.Result.Get("isError").IsTrue() && kindOf(e.Result.Get("content")) == "array" {
				f(e, listed[calledTool(e)], structured)
			}
		}
	}
}
