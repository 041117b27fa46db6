package main

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/oracle"
)

// mutants are documents to start from: golden constructs with their instances,
// parsed. A document drawn from them keeps most of one and changes a few places,
// so that rare keywords meet others in ways that nobody wrote down.
type mutants []mutant

type mutant struct {
	document  *schema.Value
	instances []*schema.Value
}

func newMutants(constructs []oracle.Construct) (mutants, error) {
	var out mutants
	for _, c := range constructs {
		document, err := schema.ParseString(c.Schema)
		if err != nil {
			return nil, err
		}
		m := mutant{document: document}
		for _, text := range c.Instances {
			instance, err := schema.ParseString(text)
			if err != nil {
				return nil, err
			}
			m.instances = append(m.instances, instance)
		}
		out = append(out, m)
	}
	return out, nil
}

// mutated draws a changed construct and the instances to try on it: some of its
// own, changed or not, some sampled for the changed document.
func (d dice) mutated(from mutants, n int) (*schema.Value, []string) {
	m := pick(d, from...)
	g := &generator{dice: d, under: "$defs"}
	document := m.document
	for range 1 + d.upTo(2) {
		document = g.change(document)
	}
	if d.chance(6) { // two constructs in one
		other := pick(d, from...)
		document = obj(member(pick(d, "allOf", "anyOf", "oneOf"), list(document, other.document)))
	}
	instances := make([]string, n)
	for i := range instances {
		switch {
		case len(m.instances) == 0 || d.chance(3):
			instances[i] = text(sampler{dice: d, document: document}.sample(document, maxSample))
		case d.chance(2):
			instances[i] = text(pick(d, m.instances...))
		default:
			instances[i] = text(d.changeValue(pick(d, m.instances...)))
		}
	}
	return document, instances
}

// each takes the construct of that number as it is, and its instances: its own, those
// changed, and some sampled, half of them calmly.
func (d dice) each(from mutants, number uint64, n int) (*schema.Value, []string) {
	m := from[number%uint64(len(from))]
	instances := make([]string, n)
	for i := range instances {
		if len(m.instances) > 0 && d.chance(3) {
			instances[i] = text(pick(d, m.instances...))
			continue
		}
		v := sampler{dice: d, document: m.document, calm: !d.chance(4)}.sample(m.document, 2*maxSample)
		if d.chance(2) {
			v = d.changeValue(v)
		}
		instances[i] = text(v)
	}
	return m.document, instances
}

// change returns the document with one place changed, chosen from the root down.
func (g *generator) change(v *schema.Value) *schema.Value {
	if v.Kind != schema.Object || len(v.Members) == 0 {
		return g.schema(1)
	}
	if g.chance(3) { // here
		return g.changeHere(v)
	}
	i := g.IntN(len(v.Members))
	m := v.Members[i]
	var value *schema.Value
	switch m.Value.Kind {
	case schema.Object:
		value = g.change(m.Value)
	case schema.Array:
		if len(m.Value.Items) == 0 {
			return g.changeHere(v)
		}
		items := append([]*schema.Value(nil), m.Value.Items...)
		j := g.IntN(len(items))
		items[j] = g.change(items[j])
		value = list(items...)
	default:
		value = g.keyword(m.Key, 1)
	}
	members := append([]schema.Member(nil), v.Members...)
	members[i] = member(m.Key, value)
	return obj(members...)
}

func (g *generator) changeHere(v *schema.Value) *schema.Value {
	i := g.IntN(len(v.Members))
	members := append([]schema.Member(nil), v.Members...)
	switch g.IntN(6) {
	case 0: // leave a member out
		return obj(append(members[:i], members[i+1:]...)...)
	case 1: // give it another keyword's name
		members[i].Key = pick(g.dice, soupKeywords...)
		return obj(members...)
	case 2: // one level deeper
		return obj(member(pick(g.dice, "allOf", "anyOf", "oneOf"), list(v, g.schema(0))))
	case 3: // close it
		return v.With(pick(g.dice, "additionalProperties", "unevaluatedProperties", "unevaluatedItems", "items"), schema.Flag(false))
	default: // add a keyword
		keyword := pick(g.dice, soupKeywords...)
		return v.With(keyword, g.keyword(keyword, 1))
	}
}

// changeValue returns an instance with one place changed.
func (d dice) changeValue(v *schema.Value) *schema.Value {
	switch {
	case v.Kind == schema.Object && len(v.Members) > 0 && !d.chance(4):
		members := append([]schema.Member(nil), v.Members...)
		i := d.IntN(len(members))
		switch d.IntN(4) {
		case 0:
			return obj(append(members[:i], members[i+1:]...)...)
		case 1:
			return v.With(pick(d, names...), d.value(1))
		default:
			members[i] = member(members[i].Key, d.changeValue(members[i].Value))
			return obj(members...)
		}
	case v.Kind == schema.Array && len(v.Items) > 0 && !d.chance(4):
		items := append([]*schema.Value(nil), v.Items...)
		i := d.IntN(len(items))
		if d.chance(3) {
			return list(append(items, items[i])...)
		}
		items[i] = d.changeValue(items[i])
		return list(items...)
	}
	return d.value(1)
}
