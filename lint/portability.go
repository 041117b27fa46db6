package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// portableFormats are the formats that no model API is known to refuse on its own;
// conform.yaml may name others. Source: linter of mcp-ts-core 0.12.3,
// schema-format-portability.
var portableFormats = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

// portabilityRules are about schemas that are right and that a part of the hosts
// takes differently. For which rows of the table one stands is found by running the
// rows' own checks on its wrong and its right example.
func portabilityRules() []*Rule {
	rules := []*Rule{
		{ID: "portable-format", Title: "A format that some model APIs refuse", Covers: []string{"R24", "PORT"}, Level: Quality,
			Why:    "A validator in front of a model that does not know a format refuses the tool, or the whole request. Which formats pass differs; conform.yaml can name them (lint: formats).",
			Source: "linter of mcp-ts-core 0.12.3, schema-format-portability; cyanheads/git-mcp-server 47 (claimed)",
			Wrong:  `{"type":"object","properties":{"page":{"type":"string","format":"uri"}}}`, Right: `{"type":"object","properties":{"page":{"type":"string","description":"An absolute URL."}}}`,
			Run: eachPortableNode(func(p *Pass, n schema.Node, report reporter) {
				format, ok := n.Schema.Get("format").IsString()
				allowed := portableFormats
				if p.Config.Formats != nil {
					allowed = p.Config.Formats
				}
				if ok && !slices.Contains(allowed, format) {
					report("/format", "The format %s is refused by some model APIs", quote(format))
				}
			})},
		{ID: "portable-union-type", Title: "A branch of a union has no type", Covers: []string{"R24"}, Level: Quality,
			Why:    "A model API that wants one type on every node refuses a branch without one, and the request with it.",
			Source: "linter of mcp-ts-core 0.12.3, schema-anyof-needs-type (claimed: Gemini 400)",
			Wrong:  `{"type":"object","properties":{"kind":{"anyOf":[{"enum":["a"]},{"type":"null"}]}}}`, Right: `{"type":"object","properties":{"kind":{"anyOf":[{"type":"string","enum":["a"]},{"type":"null"}]}}}`,
			Run: eachPortableNode(func(_ *Pass, n schema.Node, report reporter) {
				for _, keyword := range []string{"anyOf", "oneOf"} {
					branches := n.Schema.Get(keyword)
					if kindOf(branches) != "array" {
						continue
					}
					for i, branch := range branches.Items {
						if _, ref := branch.Get("$ref").IsString(); kindOf(branch) == "object" && !branch.Has("type") && !ref {
							report(fmt.Sprintf("/%s/%d", keyword, i), "Branch %d of %s has no type", i+1, keyword)
						}
					}
				}
			})},
		{ID: "portable-discriminator", Title: "The keyword discriminator of OpenAPI", Covers: []string{"R24"}, Level: Quality,
			Why:    "It is no keyword of JSON Schema: validators skip it, strict APIs refuse it.",
			Source: "linter of mcp-ts-core 0.12.3, schema-no-discriminator-keyword",
			Wrong:  `{"type":"object","properties":{"s":{"type":"object","discriminator":{"propertyName":"k"},"properties":{"k":{"type":"string"}}}}}`, Right: `{"type":"object","properties":{"s":{"type":"object","properties":{"k":{"type":"string"}}}}}`,
			Run: eachPortableNode(func(_ *Pass, n schema.Node, report reporter) {
				if n.Schema.Has("discriminator") {
					report("/discriminator", "The schema has the keyword discriminator, which JSON Schema does not know")
				}
			})},
		{ID: "portable-defs", Title: "References and $defs", Covers: []string{"R24"}, Level: Quality, Strict: true,
			Why:    "Some model APIs refuse them or lose what they name. The protocol's own proposals (SEP-1576) push them, so the rule runs in strict mode only.",
			Source: "linter of mcp-ts-core 0.12.3, schema-no-defs",
			Wrong:  `{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"string"}}}`, Right: `{"type":"object","properties":{"a":{"type":"string"}}}`, Run: runPortableDefs},
		{ID: "portable-root-union", Title: "A union at the root of the inputSchema", Covers: []string{"R20", "R24"}, Level: Quality, Strict: true,
			Why:    "A host that reads only type and properties of the root sees a tool without arguments, and some model APIs refuse the request.",
			Source: "linter of mcp-ts-core 0.12.3, schema-root-oneof-portability",
			Wrong:  `{"type":"object","oneOf":[{"properties":{"a":{"type":"string"}}}]}`, Right: `{"type":"object","properties":{"a":{"type":"string"}}}`,
			Run: eachPortableNode(func(_ *Pass, n schema.Node, report reporter) {
				if n.Depth > 0 {
					return
				}
				for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
					if kindOf(n.Schema.Get(keyword)) == "array" {
						report("/"+keyword, "The root has %s", keyword)
					}
				}
			})},
		{ID: "portable-dialect-tag", Title: "A schema doesn't say its dialect", Covers: []string{"R24"}, Level: Quality, Strict: true,
			Why:    "Without $schema a schema is 2020-12 since 2025-11-25, but clients of before read it as draft-07, and some do so whatever it says.",
			Source: "SEP-1613; linter of mcp-ts-core 0.12.3, schema-dialect-tag",
			Wrong:  `{"type":"object"}`, Right: `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`,
			Run: eachPortableNode(func(_ *Pass, n schema.Node, report reporter) {
				if n.Depth == 0 && !n.Schema.Has("$schema") {
					report("", "The schema has no $schema")
				}
			})},
	}
	for _, r := range rules {
		r.Stage = verdict.Offer
		r.Stands = standsBy(r)
	}
	rules[len(rules)-1].Stands = readsUntagged
	return rules
}

// standsBy makes the question whether a row treats a rule's wrong example worse
// than its right one: one of its checks refuses it, or its rewriting loses part of
// it.
func standsBy(r *Rule) func(*capabilities.Resolved) bool {
	wrong, right := schema.MustParse(r.Wrong), schema.MustParse(r.Right)
	return func(row *capabilities.Resolved) bool {
		for _, key := range []string{"list.drop", "offer.precheck", "offer.api.schema"} {
			checks, _ := capabilities.Get[capabilities.Checks](row, key)
			if checks == nil {
				continue
			}
			for _, c := range *checks {
				run, err := operation.NewCheck(c.Op.Name, c.Op.Params)
				if err == nil && len(run(subject(wrong))) > 0 && len(run(subject(right))) == 0 {
					return true
				}
			}
		}
		return loses(row, wrong) > loses(row, right)
	}
}

func subject(input *schema.Value) operation.Subject {
	tool := schema.Obj(schema.Member{Key: "name", Value: schema.Str("probe")}, schema.Member{Key: "description", Value: schema.Str("A probe.")}, schema.Member{Key: "inputSchema", Value: input})
	return operation.Subject{Name: "probe", Description: "A probe.", Schema: input, Tool: tool, Server: "server"}
}

// loses counts what a row's rewriting takes from a schema in a way that matters.
func loses(row *capabilities.Resolved, input *schema.Value) int {
	ops, _ := capabilities.Get[[]capabilities.Op](row, "offer.schema")
	if ops == nil {
		return 0
	}
	s := subject(input)
	for _, op := range *ops {
		rewrite, err := operation.NewRewrite(op.Name, op.Params)
		if err != nil {
			continue
		}
		next, err := rewrite(s)
		if err != nil {
			return 1
		}
		s = next
	}
	n := 0
	for _, l := range operation.Losses(input, s.Schema) {
		if l.Degrades {
			n++
		}
	}
	return n
}

// readsUntagged reports whether a row validates results by draft-07 unless told
// otherwise.
func readsUntagged(row *capabilities.Resolved) bool {
	v, _ := capabilities.Get[capabilities.Validator](row, "result.validator")
	return v != nil && strings.Contains(v.Profile, "draft07")
}

// eachPortableNode makes a rule of a look at the nodes of both schemas that the
// linter walks: properties, items, additionalProperties, unions, prefixItems, $defs.
func eachPortableNode(look func(p *Pass, n schema.Node, report reporter)) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachTool(func(s *recording.Session, t *recording.Tool) {
			if kindOf(t.Input) != "object" {
				return
			}
			schema.Walk(t.Input, func(n schema.Node) bool {
				if skipped[n.Keyword] || n.Depth > 100 {
					return false
				}
				if kindOf(n.Schema) == "object" {
					look(p, n, func(pointer, format string, args ...any) {
						out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/inputSchema" + n.Pointer.String() + pointer, Message: fmt.Sprintf(format, args...)})
					})
				}
				return true
			})
		})
		return out, nil
	}
}

func runPortableDefs(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		found := false
		schema.Walk(t.Input, func(n schema.Node) bool {
			if !found && (n.Schema.Has("$defs") || n.Schema.Has("definitions") || n.Schema.Has("$ref")) {
				found = true
				out = append(out, Finding{Tool: t.Name, Session: s.ID, Pointer: "/inputSchema" + n.Pointer.String(), Message: "The schema has references or $defs"})
			}
			return !found
		})
	})
	return out, nil
}
