package lint

import (
	"slices"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// families are the groups of rules in the order of the protocol's data.
var families = []struct {
	title string
	rules func() []*Rule
}{
	{"Messages and transports", func() []*Rule { return slices.Concat(messageRules(), noticeRules(), httpRules(), headerRules()) }},
	{"Handshake, capabilities and eras", func() []*Rule { return slices.Concat(lifecycleRules(), modernRules(), eraRules(), removedRules()) }},
	{"Lists", func() []*Rule { return slices.Concat(listRules(), costRules(), cachingRules()) }},
	{"Definitions of tools, as the protocol demands", func() []*Rule { return slices.Concat(toolRules(), schemaRules(), headerParamRules()) }},
	{"Results", func() []*Rule {
		return slices.Concat(resultRules(), mediaRules(), structuredRules(), errorRules(), emptyResultRules(), contentRules(), taskRules())
	}},
	{"Quality of definitions", func() []*Rule {
		return slices.Concat(describeRules(), carelessRules(), qualityRules(), appRules(), resourceRules())
	}},
	{"Portability", portabilityRules},
	{"The two surfaces of a result", parityRules},
	{"The net below", protocolSchemaRules},
	{"server.json", manifestRules},
}

var allRules = sync.OnceValue(func() []*Rule {
	var out []*Rule
	for _, f := range families {
		for _, r := range f.rules() {
			out = append(out, complete(r))
		}
	}
	return out
})

// complete fills in what follows from the level.
func complete(r *Rule) *Rule {
	if r.Severity == "" {
		r.Severity = verdict.Warning
		if r.Level == Must {
			r.Severity = verdict.Error
		}
	}
	if r.Since == "" {
		r.Since = "1.0.0"
	}
	return r
}

// Rules returns every rule in the order of docs/rules.md. The values are shared
// and must not be changed.
func Rules() []*Rule { return allRules() }

// Find returns the rule with an id, or nil.
func Find(id string) *Rule {
	for _, r := range Rules() {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// IDs returns the ids of all rules, in order.
func IDs() []string {
	out := make([]string, len(Rules()))
	for i, r := range Rules() {
		out[i] = r.ID
	}
	return out
}

// Explain returns the help text of a rule, as docs/rules.md has it; ok is false
// for an id that no rule has.
func Explain(id string) (text string, ok bool) {
	r := Find(id)
	if r == nil {
		return "", false
	}
	var b strings.Builder
	r.write(&b)
	return strings.TrimSpace(b.String()) + "\n", true
}
