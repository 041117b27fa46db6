package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// searched says what was looked for beyond the real results and what came of it, so
// that a proof is not taken for a search that found nothing.
func (p *page) searched() {
	count := map[string]int{}
	least, most := math.MaxInt, 0
	for _, c := range p.r.Cells {
		switch {
		case c.Search == "found" && unlikely(c):
			count["unlikely"]++
		case c.Search != "":
			count[c.Search]++
		}
		if c.Search == "tried" {
			least, most = min(least, c.Tried), max(most, c.Tried)
		}
	}
	if len(count) == 0 {
		return
	}
	var parts []string
	for _, kind := range []struct{ name, text string }{
		{"proven", "in %d none can exist (proven: the host reads the outputSchema as its dialect does)"},
		{"tried", "in %d none of those tried was (" + tries(least, most) + ", which proves nothing)"},
		{"unlikely", "in %d one exists that a server is not likely to send (--verbose shows it)"},
		{"found", "in %d one was found that a server may send"},
	} {
		if n := count[kind.name]; n > 0 {
			parts = append(parts, fmt.Sprintf(kind.text, n))
		}
	}
	p.hang("", "Results that the outputSchema allows and the host rejects were looked for in "+
		plural(count["proven"]+count["tried"]+count["unlikely"]+count["found"], "cell")+": "+strings.Join(parts, ", ")+".")
}

// unlikely reports that what the search found in a cell is only worth a note.
func unlikely(c verdict.Cell) bool {
	return !slices.ContainsFunc(c.Findings, func(f verdict.Finding) bool {
		return f.Sample == string(recording.Synthesized) && f.Stage == verdict.Result && f.Severity != verdict.Info
	})
}

// tries is how many instances were tried in a cell.
func tries(least, most int) string {
	if least == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d in a cell", least, most)
}
