package observe

import (
	"slices"

	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// fold writes long strings the way the catalogue does, as {"$text": …}, wherever a
// string is one that the probe sent.
func fold(v *schema.Value, p probe.Probe) *schema.Value {
	known := map[string]*schema.Value{}
	for _, root := range []*schema.Value{p.Tool, p.Result} {
		collect(root, known)
	}
	if len(known) == 0 {
		return v
	}
	return refold(v, known)
}

// collect finds the descriptions of long texts by the text that they stand for.
func collect(v *schema.Value, into map[string]*schema.Value) {
	if v == nil {
		return
	}
	for _, item := range v.Items {
		collect(item, into)
	}
	if v.Kind == schema.Object && len(v.Members) == 1 && v.Members[0].Key == "$text" {
		into[verify.Expand(v).Text] = v
		return
	}
	for _, m := range v.Members {
		collect(m.Value, into)
	}
}

func refold(v *schema.Value, known map[string]*schema.Value) *schema.Value {
	switch v.Kind {
	case schema.String:
		if short, ok := known[v.Text]; ok {
			return short
		}
	case schema.Array:
		out := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			out[i] = refold(item, known)
		}
		return schema.List(out...)
	case schema.Object:
		out := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			out[i] = schema.Member{Key: m.Key, Value: refold(m.Value, known)}
		}
		return schema.Obj(out...)
	}
	return v
}

// longTexts returns the long strings that a probe's answer holds.
func longTexts(p probe.Probe) []string {
	known := map[string]*schema.Value{}
	collect(p.Result, known)
	var out []string
	for text := range known {
		if len(text) > longText {
			out = append(out, text)
		}
	}
	slices.Sort(out)
	return out
}
