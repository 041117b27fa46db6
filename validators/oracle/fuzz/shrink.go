package main

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/oracle"
)

// finding is one disagreement, as small as it got.
type finding struct {
	profile string
	kind    kind
	schema  *schema.Value
	// instance is nil when the two part over the schema itself.
	instance *schema.Value
	diff     difference
}

// request is the finding as a question.
func (f finding) request() oracle.Request {
	r := oracle.Request{Schema: text(f.schema), Instances: []string{"{}"}}
	if f.instance != nil {
		r.Instances[0] = text(f.instance)
	}
	return r
}

// pair is the two sides that are compared.
type pair struct {
	// original answers each request; nil where the real library gave no answer.
	original func([]oracle.Request) ([]*oracle.Answer, error)
	emulated func(oracle.Request) (oracle.Answer, error)
}

// shrinkRounds bounds the edits that are kept; each makes the finding smaller.
const shrinkRounds = 400

// shrinkBatch is how many candidates go to the original in one round trip.
const shrinkBatch = 24

// shrink removes from schema and instance what the disagreement does not need:
// the kind of disagreement must stay the same.
func shrink(p pair, f finding) (finding, error) {
	for range shrinkRounds {
		smaller, err := step(p, f)
		if err != nil {
			return f, err
		}
		if smaller == nil {
			return f, nil
		}
		f = *smaller
	}
	return f, nil
}

// step returns the first smaller finding that still is one, or nil.
func step(p pair, f finding) (*finding, error) {
	var candidates []finding
	for _, s := range edits(f.schema) {
		c := f
		c.schema = s
		candidates = append(candidates, c)
	}
	if f.instance != nil {
		for _, v := range edits(f.instance) {
			c := f
			c.instance = v
			candidates = append(candidates, c)
		}
	}
	for len(candidates) > 0 {
		n := min(shrinkBatch, len(candidates))
		requests := make([]oracle.Request, n)
		for i := range requests {
			requests[i] = candidates[i].request()
		}
		answers, err := p.original(requests)
		if err != nil {
			return nil, err
		}
		for i, answer := range answers {
			if answer == nil {
				continue
			}
			emulated, err := p.emulated(requests[i])
			for _, d := range compare(f.profile, requests[i], *answer, emulated, err) {
				if d.kind == f.kind && (d.instance < 0) == (f.instance == nil) {
					c := candidates[i]
					c.diff = d
					return &c, nil
				}
			}
		}
		candidates = candidates[n:]
	}
	return nil, nil
}

// edits lists smaller versions of a value, the boldest first: a part in place of
// the whole, a member or element left out, a simpler scalar.
func edits(v *schema.Value) []*schema.Value {
	var out []*schema.Value
	switch v.Kind {
	case schema.Object:
		for i := range v.Members {
			rest := append(append([]schema.Member(nil), v.Members[:i]...), v.Members[i+1:]...)
			out = append(out, obj(rest...))
		}
		for _, m := range v.Members {
			out = append(out, m.Value)
		}
		for i, m := range v.Members {
			for _, e := range edits(m.Value) {
				changed := append([]schema.Member(nil), v.Members...)
				changed[i] = member(m.Key, e)
				out = append(out, obj(changed...))
			}
		}
	case schema.Array:
		for i := range v.Items {
			out = append(out, list(append(append([]*schema.Value(nil), v.Items[:i]...), v.Items[i+1:]...)...))
		}
		out = append(out, v.Items...)
		for i, item := range v.Items {
			for _, e := range edits(item) {
				changed := append([]*schema.Value(nil), v.Items...)
				changed[i] = e
				out = append(out, list(changed...))
			}
		}
	case schema.String:
		runes := []rune(v.Text)
		if len(runes) > 1 {
			out = append(out, str(string(runes[:len(runes)/2])), str(string(runes[len(runes)/2:])), str(string(runes[1:])))
		}
	case schema.Number:
		if v.Text != "1" && v.Text != "0" {
			out = append(out, num("1"))
		}
	}
	return out
}
