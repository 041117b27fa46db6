package main

import (
	"math/rand/v2"

	"github.com/hostmatrix/conform/schema"
)

// dice is the only source of chance. Two dice of the same seed and case throw alike.
type dice struct{ *rand.Rand }

func newDice(seed, number uint64) dice { return dice{rand.New(rand.NewPCG(seed, number))} }

// chance is true once in so many throws.
func (d dice) chance(oneIn int) bool { return d.IntN(oneIn) == 0 }

// upTo returns 0 to n, both included.
func (d dice) upTo(n int) int { return d.IntN(n + 1) }

// pick returns one of the choices, each equally likely.
func pick[T any](d dice, choices ...T) T { return choices[d.IntN(len(choices))] }

// some returns a few of the choices, at least one, in their order.
func some[T any](d dice, choices ...T) []T {
	var out []T
	for _, c := range choices {
		if d.chance(3) {
			out = append(out, c)
		}
	}
	if len(out) == 0 {
		out = append(out, pick(d, choices...))
	}
	return out
}

// Short spellings for built values.
var (
	str  = schema.Str
	list = schema.List
	obj  = schema.Obj
	null = &schema.Value{Kind: schema.Null}
)

// num is a number as written, such as 1.0 or 1e400.
func num(text string) *schema.Value { return &schema.Value{Kind: schema.Number, Text: text} }

func strs(texts []string) *schema.Value {
	out := list()
	for _, t := range texts {
		out.Items = append(out.Items, str(t))
	}
	return out
}

// text writes a value as JSON, numbers as built.
func text(v *schema.Value) string { return string(schema.Append(nil, v, schema.Style{})) }
