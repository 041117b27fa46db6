package main

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

// tally counts what was compared.
type tally struct {
	schemas, pairs int
	by             [crash + 1]int // disagreements by kind
	// What the original said, so that a reader sees whether the pairs were worth
	// drawing: pairs whose schema was refused, and pairs by outcome.
	refused  int
	outcomes [validators.Unknown + 1]int
	reasons  map[string]int // why the emulation could not tell
}

func newTally() *tally { return &tally{reasons: map[string]int{}} }

// saw counts an answer of the original to n instances.
func (t *tally) saw(n int, answer oracle.Answer) {
	if answer.CompileError != nil {
		t.refused += n
	}
	for _, r := range answer.Results {
		t.outcomes[r.Outcome]++
	}
}

// String is the tally in one line, the reasons of unknowns after it.
func (t *tally) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d schemas, %d pairs (original: %d valid, %d invalid, %d refused, %d thrown): %d other outcomes, %d other words, %d crashes, %d unknown",
		t.schemas, t.pairs, t.outcomes[validators.Valid], t.outcomes[validators.Invalid], t.refused, t.outcomes[validators.Thrown],
		t.by[outcome], t.by[words], t.by[crash], t.by[unknown])
	reasons := make([]string, 0, len(t.reasons))
	for reason := range t.reasons {
		reasons = append(reasons, reason)
	}
	sort.Slice(reasons, func(i, j int) bool {
		a, b := reasons[i], reasons[j]
		return t.reasons[a] > t.reasons[b] || t.reasons[a] == t.reasons[b] && a < b
	})
	for _, reason := range reasons[:min(5, len(reasons))] {
		fmt.Fprintf(&b, " [%d× %.200s]", t.reasons[reason], reason)
	}
	return b.String()
}
