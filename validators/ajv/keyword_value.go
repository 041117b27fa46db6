package ajv

import (
	"math"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// compileLimit: maximum, minimum and their exclusive forms, on doubles.
func compileLimit(k *keyword) op {
	limit := k.value.Float()
	sign, broken := "", func(d float64) bool { return false }
	switch k.name {
	case "maximum":
		sign, broken = "<=", func(d float64) bool { return d > limit }
	case "minimum":
		sign, broken = ">=", func(d float64) bool { return d < limit }
	case "exclusiveMaximum":
		sign, broken = "<", func(d float64) bool { return d >= limit }
	case "exclusiveMinimum":
		sign, broken = ">", func(d float64) bool { return d <= limit }
	}
	s := k.site(k.name, "must be "+sign+" "+js.String(k.value))
	return func(f *frame, v *schema.Value) bool {
		if broken(v.Float()) {
			f.report(s)
			return false
		}
		return true
	}
}

// compileMultipleOf divides doubles: 0.07 is no multiple of 0.01, nothing is one of
// 0, and a quotient of 1e21 or more is not an integer to parseInt.
func compileMultipleOf(k *keyword) op {
	divisor := k.value.Float()
	s := k.site(k.name, "must be multiple of "+js.String(k.value))
	return func(f *frame, v *schema.Value) bool {
		quotient := v.Float() / divisor
		if divisor == 0 || quotient != math.Trunc(quotient) || math.Abs(quotient) >= 1e21 {
			f.report(s)
			return false
		}
		return true
	}
}

func compileLength(k *keyword) op {
	limit := k.value.Float()
	if k.name == "maxLength" {
		s := k.site(k.name, "must NOT have more than "+js.String(k.value)+" characters")
		return func(f *frame, v *schema.Value) bool {
			if float64(js.Length(v.Text)) > limit {
				f.report(s)
				return false
			}
			return true
		}
	}
	s := k.site(k.name, "must NOT have fewer than "+js.String(k.value)+" characters")
	return func(f *frame, v *schema.Value) bool {
		if float64(js.Length(v.Text)) < limit {
			f.report(s)
			return false
		}
		return true
	}
}

func compilePattern(k *keyword) op {
	re := k.c.pattern(k.value.Text)
	s := k.site(k.name, `must match pattern "`+k.value.Text+`"`)
	return func(f *frame, v *schema.Value) bool {
		if !f.st.match(re, v.Text) {
			if f.st.stop == nil {
				f.report(s)
			}
			return false
		}
		return true
	}
}

func compileConst(k *keyword) op {
	s := k.site(k.name, "must be equal to constant")
	want := k.value
	return func(f *frame, v *schema.Value) bool {
		if !f.st.equal(v, want) && f.st.stop == nil {
			f.report(s)
			return false
		}
		return true
	}
}

func compileEnum(k *keyword) op {
	if len(k.value.Items) == 0 {
		throw("enum must have non-empty array")
	}
	s := k.site(k.name, "must be equal to one of the allowed values")
	allowed := k.value.Items
	return func(f *frame, v *schema.Value) bool {
		for _, want := range allowed {
			if f.st.equal(v, want) {
				return true
			}
		}
		if f.st.stop == nil {
			f.report(s)
		}
		return false
	}
}

// equal is the deep equality of const, enum and uniqueItems.
func (st *state) equal(a, b *schema.Value) bool {
	if b.Kind != schema.Array && b.Kind != schema.Object {
		return js.Strict(a, b)
	}
	st.compare = js.Comparer{Steps: st.steps}
	eq := st.compare.Deep(a, b)
	st.steps = st.compare.Steps
	switch {
	case st.compare.Thrown != "":
		st.throw(st.compare.Thrown)
	case st.steps < 0:
		st.unknown("the check takes more than %d steps", maxSteps)
	}
	return eq
}
