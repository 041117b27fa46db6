package wire

import (
	"math/big"

	"github.com/hostmatrix/conform/schema"
)

// outOfSet returns arguments of which one, at the root, is none of the values that its
// schema lists, ones of which one is beyond its schema's bounds, and ones that a closed
// schema does not have; good is a call that worked. Those of a wrong type, or left out, are [recording.RefusedArguments].
func outOfSet(input, good *schema.Value) (out []*schema.Value) {
	if more := closed(input, good); more != nil {
		out = append(out, more)
	}
	listed, bounded := false, false
	for _, m := range input.Get("properties").Unique() {
		if values := m.Value.Get("enum"); !listed && values != nil && len(values.Items) > 0 && values.Items[0].Kind == schema.String {
			listed = true
			out = append(out, orEmpty(good).With(m.Key, schema.Str(inventedValue)))
		}
		if value := beyond(m.Value); !bounded && value != nil {
			bounded = true
			out = append(out, orEmpty(good).With(m.Key, value))
		}
	}
	return out
}

// beyond returns an integer just outside of the bounds of a schema of numbers, nil
// where there are none.
func beyond(s *schema.Value) *schema.Value {
	if kind, _ := s.Get("type").IsString(); kind != "integer" && kind != "number" {
		return nil
	}
	for _, bound := range []struct {
		keyword string
		step    int64
	}{{"minimum", -1}, {"maximum", 1}} {
		r, ok := s.Get(bound.keyword).Exact()
		if !ok || !r.IsInt() || r.Num().BitLen() > 40 {
			continue
		}
		return schema.MustParse(new(big.Int).Add(r.Num(), big.NewInt(bound.step)).String())
	}
	return nil
}
