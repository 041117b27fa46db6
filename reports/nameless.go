package reports

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// nameOf is what a report calls an entry of tools/list. An entry without a name
// that is a string goes by its place, because the empty name stands for the server
// as a whole; at is that place, from 0.
func nameOf(at int, t *recording.Tool) string {
	if t.Name != "" {
		return t.Name
	}
	return fmt.Sprintf("(tool %d, no name)", at+1)
}

// nameCells gives the cells of nameless tools their names. The cells of a column
// are those of its tools in order, behind one for the server where there is one.
func nameCells(columns []matrix.Column) []matrix.Column {
	out := append([]matrix.Column(nil), columns...)
	for i, c := range out {
		if c.State == nil || c.State.Session == nil {
			continue
		}
		first := len(c.Cells) - len(c.State.Tools)
		if first < 0 {
			continue
		}
		own := false // copied only where a name is missing: a large report holds 200,000 cells
		for j, t := range c.State.Tools {
			if out[i].Cells[first+j].Tool != "" {
				continue
			}
			if !own {
				out[i].Cells, own = append([]verdict.Cell(nil), c.Cells...), true
			}
			out[i].Cells[first+j].Tool = nameOf(j, t.Tool)
		}
	}
	return out
}
