package main

import (
	"fmt"
	"math/rand/v2"

	"github.com/hostmatrix/conform/schema"
)

// graftsPerSchema is how many places of a real schema get a base, one at a time.
const graftsPerSchema = 6

// spot is a place of a schema with the way to its value in a result.
type spot struct {
	schema []string // keys and indices below the root
	data   schema.Pointer
}

// grafted puts bases into real schemas, each at a place that a real result reaches, and
// their instances into that result: the catalogues' own differences are refusals to
// compile, which need no search. What is left of the real schema stays as it was.
func grafted(real []item, bases []base) []item {
	var out []item
	dice := rand.New(rand.NewPCG(11, 9))
	for _, it := range real {
		if len(it.samples) == 0 {
			continue
		}
		sample := it.samples[len(it.samples)-1]
		spots := spotsOf(it.schema, it.schema, sample, nil, nil, 0)
		for range graftsPerSchema {
			if len(spots) == 0 {
				break
			}
			s, b := spots[dice.IntN(len(spots))], bases[dice.IntN(len(bases))]
			lone := schema.MustParse(b.schema)
			document, ok := replaced(it.schema, s.schema, lone.Without("$defs"))
			data := placedData(sample, s.data, schema.MustParse(b.instance))
			if ok && data != nil {
				out = append(out, item{fmt.Sprintf("%s in %s at %s", b.name, it.id, s.data), withDefs(document, lone.Get("$defs")), []*schema.Value{data}})
			}
		}
	}
	return out
}

// spotsOf walks a schema and a value side by side, through properties, items and
// branches that every reading takes.
func spotsOf(root, s, v *schema.Value, at []string, data schema.Pointer, depth int) []spot {
	if s == nil || s.Kind != schema.Object || depth > 12 {
		return nil
	}
	var out []spot
	if len(data) > 0 {
		out = append(out, spot{append([]string(nil), at...), append(schema.Pointer(nil), data...)})
	}
	for _, p := range s.Get("properties").Unique() {
		if inner := v.Get(p.Key); inner != nil {
			out = append(out, spotsOf(root, p.Value, inner, append(at[:len(at):len(at)], "properties", p.Key), append(data[:len(data):len(data)], p.Key), depth+1)...)
		}
	}
	if items := s.Get("items"); items != nil && v.Kind == schema.Array && len(v.Items) > 0 {
		out = append(out, spotsOf(root, items, v.Items[0], append(at[:len(at):len(at)], "items"), append(data[:len(data):len(data)], "0"), depth+1)...)
	}
	return out
}

// replaced is the document with another schema at a place.
func replaced(v *schema.Value, at []string, by *schema.Value) (*schema.Value, bool) {
	if len(at) == 0 {
		return by, true
	}
	inner := v.Get(at[0])
	if inner == nil {
		return nil, false
	}
	changed, ok := replaced(inner, at[1:], by)
	return v.With(at[0], changed), ok
}

// placedData is the result with another value at a place; an array keeps its first
// element alone, which is the one that changed.
func placedData(v *schema.Value, at schema.Pointer, by *schema.Value) *schema.Value {
	if len(at) == 0 {
		return by
	}
	if v.Kind == schema.Array {
		return schema.List(placedData(v.Items[0], at[1:], by))
	}
	return v.With(at[0], placedData(v.Get(at[0]), at[1:], by))
}
