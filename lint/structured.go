package lint

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// structuredRules are about the promise that an outputSchema makes.
func structuredRules() []*Rule {
	return []*Rule{
		{ID: "structured-absent", Title: "A tool with an outputSchema gives no structuredContent", Covers: []string{"TC4", "R37", "R40"}, Stage: verdict.Result, Level: Must, Revisions: from2025_6,
			Why:    "An outputSchema is a promise for every result that is no error. SDK clients answer the call with an error (-32600) when structuredContent is missing. A tool that sometimes has nothing but text must not declare one.",
			Source: "server/tools, Output Schema", Wrong: `{"content":[{"type":"text","text":"done"}]}`, Right: `{"content":[…],"structuredContent":{"state":"done"}}`,
			Run: eachCallResult(func(_ *recording.Session, tool *recording.Tool, result *schema.Value, report reporter) {
				if tool == nil || tool.Output == nil || tool.Output.Kind == schema.Null || result.Get("isError").IsTrue() || result.Has("structuredContent") {
					return
				}
				report("/structuredContent", "The tool has an outputSchema, but the result has no structuredContent")
			})},
		{ID: "structured-mismatch", Title: "structuredContent does not match the outputSchema", Covers: []string{"TC4", "R37"}, Stage: verdict.Result, Level: Must, Revisions: from2025_6,
			Why:    "Clients that validate answer the call with an error; the model sees no result at all.",
			Source: "server/tools, Output Schema", Wrong: `"structuredContent":{"total":"two"} for {"total":{"type":"integer"}}`, Right: `"structuredContent":{"total":2}`, Run: runMismatch(false)},
		{ID: "structured-error-mismatch", Title: "An error result has a structuredContent that does not match", Covers: []string{"TC11", "R41"}, Stage: verdict.Result, Level: Must, Revisions: from2025_6,
			Why:    "The text of the specification exempts no error. TypeScript SDK 1.x validates whatever is there, so the model gets a validation error in place of what went wrong; 2.x and others look at isError first. Leave structuredContent out of errors.",
			Source: "server/tools, Output Schema (no exemption for isError); observed: TypeScript SDK 1.32.2 and 2.4.0", Wrong: `{"isError":true,"content":[…],"structuredContent":{"error":"no such site"}}`, Right: `{"isError":true,"content":[{"type":"text","text":"No such site: west"}]}`, Run: runMismatch(true)},
		{ID: "structured-object", Title: "structuredContent is no object in a legacy revision", Covers: []string{"TC5", "R33"}, Stage: verdict.Result, Level: Must, Revisions: []string{v2025_06, v2025_11},
			Why:    "Up to 2025-11-25 structuredContent is an object; typed clients refuse arrays, strings and null. Since 2026-07-28 any JSON will do.",
			Source: "schema.json, CallToolResult.structuredContent; SEP-2106", Wrong: `"structuredContent":[1,2]`, Right: `"structuredContent":{"result":[1,2]}`,
			Run: eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
				if v := result.Get("structuredContent"); v != nil && v.Kind != schema.Object {
					report("/structuredContent", "structuredContent is %s and no object", v.Kind)
				}
			})},
		{ID: "structured-text", Title: "No text block says what structuredContent says", Covers: []string{"TC6", "R18"}, Stage: verdict.Result, Level: Should, Revisions: from2025_6,
			Why:    "A tool that returns structured content should also return its JSON as text, since many hosts show the model the text alone. A text that holds every value in other words, Markdown for instance, serves as well. (SEP-2106 makes it a MUST for arrays and primitives; the specification does not.)",
			Source: "server/tools, Structured Content", Wrong: `{"content":[{"type":"text","text":"See the structured result."}],"structuredContent":{"total":2}}`, Right: `{"content":[{"type":"text","text":"{\"total\":2}"}],"structuredContent":{"total":2}}`, Run: runStructuredText},
		{ID: "structured-undeclared", Title: "structuredContent without an outputSchema", Covers: []string{"R37", "R49"}, Stage: verdict.Result, Level: Quality, Severity: verdict.Info, Revisions: from2025_6,
			Why:    "It is allowed, but no client can check it and no model knows beforehand what comes.",
			Source: "server/tools, Structured Content; observed in 5 of 116 real servers", Wrong: "structuredContent alone", Right: "structuredContent and an outputSchema",
			Run: eachCallResult(func(_ *recording.Session, tool *recording.Tool, result *schema.Value, report reporter) {
				if tool != nil && tool.Output == nil && result.Has("structuredContent") {
					report("/structuredContent", "The result has structuredContent, the tool has no outputSchema")
				}
			})},
	}
}

// runMismatch validates by the dialect that the schema declares.
func runMismatch(ofErrors bool) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		var silent []string
		p.EachResult(func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value) {
			structured := result.Get("structuredContent")
			if tool == nil || kindOf(tool.Output) != "object" || structured == nil || result.Get("isError").IsTrue() != ofErrors {
				return
			}
			if structured.Kind != schema.Object && !s.Modern() {
				return // structured-object reports it
			}
			validator, err := p.Validator(tool.Output)
			if err != nil {
				silent = append(silent, fmt.Sprintf("the outputSchema of %s does not compile", quote(name)))
				return
			}
			switch r := validator.Validate(structured); r.Outcome {
			case validators.Invalid:
				f := Finding{Tool: name, Session: s.ID, Message: "structuredContent does not match the outputSchema: " + printable(shorten(r.Text, 300))}
				if len(r.Violations) > 0 {
					f.Pointer = "/structuredContent" + r.Violations[0].Instance.String()
				}
				out = append(out, f)
			case validators.Unknown, validators.Thrown:
				silent = append(silent, fmt.Sprintf("a result of %s: %s", quote(name), r.Text))
			}
		})
		if len(silent) > 0 {
			return out, CouldNotCheck{strings.Join(silent[:min(len(silent), 3)], "; ")}
		}
		return out, nil
	}
}

func shorten(text string, n int) string {
	if len(text) <= n {
		return text
	}
	return strings.ToValidUTF8(text[:n], "") + "…"
}

func runStructuredText(p *Pass) (out []Finding, err error) {
	p.EachResult(func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value) {
		structured := result.Get("structuredContent")
		if structured == nil || result.Get("isError").IsTrue() || kindOf(result.Get("content")) != "array" {
			return
		}
		if textIs(result, structured) {
			return
		}
		// A text that says part of it is surface-parity's.
		if c := compareSurfaces(result, structured, outputOf(tool)); c.found > 0 || len(c.missing) == 0 {
			return
		}
		f := Finding{Tool: name, Session: s.ID, Pointer: "/content", Message: "No text block says anything of what structuredContent says"}
		if len(result.Get("content").Items) == 0 {
			f.Message = "content is empty beside structuredContent"
		} else if tool != nil && tool.Output == nil {
			f.Message += ", and the tool has no outputSchema"
		}
		out = append(out, f)
	})
	return out, nil
}

// textIs reports whether a text block is the JSON of a value.
func textIs(result, structured *schema.Value) bool {
	for _, block := range result.Get("content").Items {
		text, ok := block.Get("text").IsString()
		if !ok {
			continue
		}
		if v, err := schema.Parse([]byte(text), messageLimits); err == nil && schema.Equal(v, structured) {
			return true
		}
	}
	return false
}
