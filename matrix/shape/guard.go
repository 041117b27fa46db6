package shape

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// guard is a condition that the client tests before (or after) it parses a part, with words
// of its own: a message reader that drops what is no result object, a version
// that insists on resultType.
type guard struct {
	parts []string // empty: all
	rule  string   // "must": refuses what node refuses; "refuse": what it accepts; "pass": what it accepts needs no further check
	node  *node
	text  string // template, see Text; none for "pass"
	after bool   // tested on what the parser accepted
}

// guarded applies the guards that stand before or after the parser; done means
// that nothing else is asked.
func (sh *Shape) guarded(after bool, part string, v *schema.Value) (issues []Issue, done bool) {
	for i := range sh.guards {
		g := &sh.guards[i]
		if g.after != after || (len(g.parts) > 0 && !contains(g.parts, part)) {
			continue
		}
		issues := run(g.node, part, v, plainWords)
		switch {
		case g.rule == "pass" && issues == nil:
			return nil, true
		case g.rule == "refuse" && issues == nil:
			f := &fault{kind: faultCustom, node: g.node, value: v, root: v}
			return sh.refused(g, part, []Issue{{Code: "custom", Tool: -1, fault: f}}), true
		case g.rule == "must" && issues != nil:
			return sh.refused(g, part, issues), true
		}
	}
	return nil, false
}

// refused marks issues as a guard's and gives them its words.
func (sh *Shape) refused(g *guard, part string, issues []Issue) []Issue {
	for i := range issues {
		issues[i].fault.guard = g
		issues[i].Message = sh.fill(g.text, part, issues[i:i+1])
	}
	return issues
}

// guard reads {"must" | "refuse" | "pass": node, "parts"?: […], "text"?: …}.
func (b *builder) guard(at located) (guard, error) {
	var g guard
	if err := onlyKeys(at, append([]string{"parts", "text", "after", "note"}, guardRules...)); err != nil {
		return g, err
	}
	for _, item := range elements(at.v.Get("parts")) {
		part, _ := item.IsString()
		if !contains(partNames, part) {
			return g, at.child("parts", item).fail("unknown part %q; nearest: %q", part, nearest(part, partNames))
		}
		g.parts = append(g.parts, part)
	}
	for _, rule := range guardRules {
		if !at.v.Has(rule) {
			continue
		}
		if g.node != nil {
			return g, at.fail("has both %q and %q; a guard has one rule", g.rule, rule)
		}
		g.rule = rule
		var err error
		if g.node, err = b.node(at.child(rule, at.v.Get(rule))); err != nil {
			return g, err
		}
	}
	if g.node == nil {
		return g, at.fail("needs one of %s", strings.Join(guardRules, ", "))
	}
	g.after = at.v.Get("after").IsTrue()
	if g.rule == "pass" {
		return g, nil
	}
	var err error
	g.text, err = template(at.child("text", at.v.Get("text")))
	return g, err
}

var guardRules = []string{"must", "refuse", "pass"}
