package witness

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// maxShrinkSteps bounds the questions that shrinking one witness may ask.
const maxShrinkSteps = 400

// shrink returns the smallest value it finds for which holds is still true; it
// takes members and elements away, then makes the remaining ones plainer, until
// nothing more can go. Texts stay as they are unless texts is set. holds(v) must be true.
func shrink(v *schema.Value, texts bool, holds func(*schema.Value) bool) *schema.Value {
	steps := maxShrinkSteps
	ask := func(candidate *schema.Value) bool {
		if steps <= 0 {
			return false
		}
		steps--
		return holds(candidate)
	}
	for changed := true; changed && steps > 0; {
		v, changed = shrinkOnce(v, texts, ask)
	}
	return v
}

// shrinkOnce tries every simplification of v once.
func shrinkOnce(v *schema.Value, texts bool, ask func(*schema.Value) bool) (*schema.Value, bool) {
	changed := false
	for _, plainer := range plainerThan(v) {
		if v.Kind == schema.String && !texts {
			break
		}
		if ask(plainer) {
			v, changed = plainer, true
			break
		}
	}
	switch v.Kind {
	case schema.Object:
		for i := len(v.Members) - 1; i >= 0; i-- {
			members := append(append([]schema.Member(nil), v.Members[:i]...), v.Members[i+1:]...)
			if smaller := schema.Obj(members...); ask(smaller) {
				v, changed = smaller, true
			}
		}
		for i := range v.Members {
			replace := func(inner *schema.Value) *schema.Value {
				members := append([]schema.Member(nil), v.Members...)
				members[i].Value = inner
				return schema.Obj(members...)
			}
			inner, smaller := shrinkOnce(v.Members[i].Value, texts, func(c *schema.Value) bool { return ask(replace(c)) })
			if smaller {
				v, changed = replace(inner), true
			}
		}
	case schema.Array:
		for i := len(v.Items) - 1; i >= 0; i-- {
			items := append(append([]*schema.Value(nil), v.Items[:i]...), v.Items[i+1:]...)
			if smaller := schema.List(items...); ask(smaller) {
				v, changed = smaller, true
			}
		}
		for i := range v.Items {
			replace := func(inner *schema.Value) *schema.Value {
				items := append([]*schema.Value(nil), v.Items...)
				items[i] = inner
				return schema.List(items...)
			}
			inner, smaller := shrinkOnce(v.Items[i], texts, func(c *schema.Value) bool { return ask(replace(c)) })
			if smaller {
				v, changed = replace(inner), true
			}
		}
	}
	return v, changed
}

// plainerThan lists replacements for a value, the plainest first; each is
// strictly plainer, so that shrinking ends.
func plainerThan(v *schema.Value) []*schema.Value {
	var out []*schema.Value
	switch v.Kind {
	case schema.Array:
		if len(v.Items) > 0 {
			out = append(out, schema.List())
			if half := len(v.Items) / 2; half > 0 {
				out = append(out, schema.List(v.Items[:half]...))
			}
		}
	case schema.Object:
		if len(v.Members) > 0 {
			out = append(out, schema.Obj())
		}
	case schema.String:
		if v.Text == "" {
			return nil
		}
		out = append(out, schema.Str(""))
		if v.Text != "x" {
			out = append(out, schema.Str("x"))
		}
		if runes := []rune(v.Text); len(runes) > 3 {
			out = append(out, schema.Str(string(runes[:len(runes)/2])))
		}
	case schema.Number:
		for _, n := range []int64{0, 1} {
			if text := strconv.FormatInt(n, 10); v.Text == text {
				return out
			}
			out = append(out, schema.Num(n))
		}
	}
	return out
}

// Shrink returns the smallest value it finds for which holds is still true.
// holds(v) must be true; it is asked a few hundred times at most.
func Shrink(v *schema.Value, holds func(*schema.Value) bool) *schema.Value {
	return shrink(v, true, holds)
}

// Generate returns instances made from a schema, for the union of all dialects:
// the caller's validator says which of them fit.
func Generate(document *schema.Value, options Options) []*schema.Value {
	if options.Budget <= 0 {
		options.Budget = DefaultBudget
	}
	return newMaker(document, options).instances(options.Budget)
}
