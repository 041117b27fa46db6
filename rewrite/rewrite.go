package rewrite

import (
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/schema"
)

// Part is what of a tool a rewrite changes.
type Part string

// The parts of a tool definition.
const (
	Output Part = "outputSchema"
	Input  Part = "inputSchema"
	Whole  Part = "tool"
)

// Rewrite is one named transformation.
type Rewrite struct {
	Name  string // kebab-case, stable: findings and reports carry it
	Title string // one line, imperative
	Doc   string // why it helps, in a few sentences
	// Condition says when it applies; Loss what the new schema no longer says, ""
	// for nothing.
	Condition, Loss string
	Before, After   string // an example
	// Cost orders rewrites that help equally: 0 says the same in other words, 1
	// keeps nearly everything, 2 loosens, 3 changes the shape of the data or gives a
	// whole keyword up, 9 is a last resort.
	Cost int
	// Part names the part it changes; empty: a schema, inputSchema or outputSchema.
	Part Part
	// Apply returns the changed value (a schema, or the whole tool) and whether
	// anything changed. It never changes its argument.
	Apply func(v *schema.Value) (*schema.Value, bool)
	// Reshape turns data that fit the schema before Apply into data that fit the one
	// after it; nil: the data stay as they are.
	Reshape func(before, data *schema.Value) *schema.Value
}

// Rewrites returns every rewrite, related ones together.
func Rewrites() []Rewrite { return slices.Clone(all) }

var all = steadied(tupleRewrites, constantRewrites, nullableRewrites, referenceRewrites, formatRewrites, patternRewrites,
	dialectRewrites, shapeRewrites, rootRewrites, unionRewrites, toolRewrites)

// steadied joins the lists; each Apply keeps references alive.
func steadied(lists ...[]Rewrite) []Rewrite {
	out := slices.Concat(lists...)
	for i := range out {
		if out[i].Part == "" {
			out[i].Apply = steady(out[i].Apply)
		}
	}
	return out
}

// Find returns the rewrite of that name; the error names the nearest one.
func Find(name string) (Rewrite, error) {
	var names []string
	for _, r := range all {
		if r.Name == name {
			return r, nil
		}
		names = append(names, r.Name)
	}
	if near := capabilities.Nearest(name, names); near != "" {
		return Rewrite{}, fmt.Errorf("no rewrite %q; did you mean %q?", name, near)
	}
	return Rewrite{}, fmt.Errorf("no rewrite %q; `conform fix --list` prints them", name)
}

// Explain is the general form of a rewrite as a person reads it; "" when there is
// no rewrite of that name.
func Explain(name string) string {
	r, err := Find(name)
	if err != nil {
		return ""
	}
	text := r.Name + ": " + r.Title + "\n\n" + r.Doc + "\n\nApplies to: " + r.Condition + "\n"
	loss := r.Loss
	if loss == "" {
		loss = "nothing; the schema says the same in other words"
	}
	text += "Loses: " + loss + "\n"
	if r.Before != "" {
		text += "\nBefore:\n  " + r.Before + "\nAfter:\n  " + r.After + "\n"
	}
	return text
}

// onSchemas makes an Apply that changes subschemas one by one, children first.
// change gets object schemas only and returns its argument to keep it.
func onSchemas(change func(s *schema.Value, n schema.Node) *schema.Value) func(*schema.Value) (*schema.Value, bool) {
	return func(root *schema.Value) (*schema.Value, bool) {
		out := schema.Map(root, func(n schema.Node) *schema.Value {
			if n.Schema == nil || n.Schema.Kind != schema.Object {
				return n.Schema
			}
			return change(n.Schema, n)
		})
		return out, out != root
	}
}

// onRoot makes an Apply that changes the root schema alone.
func onRoot(change func(root *schema.Value) *schema.Value) func(*schema.Value) (*schema.Value, bool) {
	return func(root *schema.Value) (*schema.Value, bool) {
		if root == nil || root.Kind != schema.Object {
			return root, false
		}
		out := change(root)
		return out, out != nil && out != root
	}
}

// distinct drops values that were seen before.
func distinct(values []*schema.Value) []*schema.Value {
	var out []*schema.Value
	for _, v := range values {
		if !slices.ContainsFunc(out, func(o *schema.Value) bool { return schema.Equal(o, v) }) {
			out = append(out, v)
		}
	}
	return out
}

// object builds an object from pairs of key and value; nil values are left out.
func object(pairs ...any) *schema.Value {
	out := schema.Obj()
	for i := 0; i+1 < len(pairs); i += 2 {
		if v, ok := pairs[i+1].(*schema.Value); ok && v != nil {
			out.Members = append(out.Members, schema.Member{Key: pairs[i].(string), Value: v})
		}
	}
	return out
}
