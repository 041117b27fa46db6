package rewrite

import (
	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
)

// Neighbours is for the tests of this folder, which are outside the package.
var Neighbours = neighbours

// Losses are the probes of one rewrite of an outputSchema.
func Losses(r Rewrite, before, after *schema.Value, made witness.Options) []Probe {
	tool := func(output *schema.Value) *schema.Value { return schema.Obj().With(string(Output), output) }
	out, _ := probes(tool(before), tool(after), []Step{{r.Name, Output}}, made)
	return out
}
