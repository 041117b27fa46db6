package probe

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// FillPrefix starts the ids of fillers: tools that only make a list long. The model
// does not call them.
const FillPrefix = "fill_"

// Range is a run of fillers: Name with {i} from From to To, with leading zeros up to
// Width.
type Range struct {
	Name  string `json:"name"`
	From  int    `json:"from"`
	To    int    `json:"to"`
	Width int    `json:"width"`
}

const fillWidth = 4

// fillName is the wire name of the tool at a place of a list that is filled up,
// filler or probe.
func fillName(at int) string { return fmt.Sprintf("item_%0*d", fillWidth, at) }

// filler is named by its server, so that each list is counted by itself.
func (s Server) filler(at int) *schema.Value {
	return tool(fmt.Sprintf("%s%s_%0*d", FillPrefix, s.Name, fillWidth, at), schema.Obj(schema.Member{Key: "name", Value: schema.Str(fillName(at))}), nil)
}

// Around returns the tools before and after a probe of a list that is filled up, as
// if all of them were fillers; nil where there are none.
func (s Server) Around(p Probe) (before, after *Range) {
	name := strings.Replace(fillName(0), strings.Repeat("0", fillWidth), "{i}", 1)
	if s.Fill > 0 && p.At > 1 {
		before = &Range{name, 1, p.At - 1, fillWidth}
	}
	if s.Fill > p.At {
		after = &Range{name, p.At + 1, s.Fill, fillWidth}
	}
	return before, after
}

// Odd says that the server does not answer as others do.
func (s Server) Odd() bool { return s.Silent != "" || len(s.Answers) > 0 }
