package reports

import (
	"fmt"
	"math"
	"strings"
)

// searched says what was looked for beyond the real results and what came of it, so
// that a proof is not taken for a search that found nothing.
func (p *page) searched() {
	count := map[string]int{}
	least, most := math.MaxInt, 0
	for _, c := range p.r.Cells {
		if c.Search != "" {
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
		{"found", "in %d one is (found)"},
	} {
		if n := count[kind.name]; n > 0 {
			parts = append(parts, fmt.Sprintf(kind.text, n))
		}
	}
	p.hang("", "Results that the outputSchema allows and the host rejects were looked for in "+
		plural(count["proven"]+count["tried"]+count["found"], "cell")+": "+strings.Join(parts, ", ")+".")
}

// tries is how many instances were tried in a cell.
func tries(least, most int) string {
	if least == most {
		return fmt.Sprint(most)
	}
	return fmt.Sprintf("%d to %d in a cell", least, most)
}
