package ajv

import (
	"math"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/format"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func pathIndex(b *strings.Builder, i int) {
	b.WriteByte('[')
	b.WriteString(strconv.Itoa(i))
	b.WriteByte(']')
}

// check makes the op that reports a site when a test fails.
func check(s *site, ok func(v *schema.Value) bool) op {
	return func(f *frame, v *schema.Value) bool {
		if ok(v) {
			return true
		}
		f.report(s)
		return false
	}
}

// sixNumber is the value of a keyword that must be a number.
func (it *sixContext) sixNumber(keyword string) float64 {
	v := it.schema.Get(keyword)
	if v.Kind != schema.Number {
		throw(keyword, " must be number")
	}
	return v.Float()
}

// sixLimit joins maximum and exclusiveMaximum (minimum and exclusiveMinimum): the
// tighter one counts, the exclusive one when they are equal.
func sixLimit(it *sixContext, keyword, _ string) op {
	exclusiveKeyword, sign := "exclusiveMaximum", "<"
	if keyword == "minimum" {
		exclusiveKeyword, sign = "exclusiveMinimum", ">"
	}
	limit, exclusive := it.schema.Get(keyword), it.schema.Get(exclusiveKeyword)
	if limit != nil && limit.Kind != schema.Number {
		throw(keyword, " must be number")
	}
	if exclusive != nil && exclusive.Kind != schema.Number && exclusive.Kind != schema.Bool {
		throw(exclusiveKeyword, " must be number or boolean")
	}
	value, strictly := math.NaN(), exclusive.IsTrue() // a comparison with undefined never holds
	if limit != nil {
		value = limit.Float()
	}
	if exclusive != nil && exclusive.Kind == schema.Number {
		x := exclusive.Float()
		strictly = limit == nil || sign == "<" && x <= value || sign == ">" && x >= value
		if strictly {
			value = x
		}
	}
	name, text := keyword, sign
	if strictly {
		name = exclusiveKeyword
	} else {
		text += "="
	}
	s := it.site(name, "should be "+text+" "+schema.JSNumber(value, false))
	return check(s, func(v *schema.Value) bool {
		d := v.Float()
		switch {
		case sign == "<" && strictly:
			return !(d >= value)
		case sign == "<":
			return !(d > value)
		case strictly:
			return !(d <= value)
		}
		return !(d < value)
	})
}

func sixMultipleOf(it *sixContext, keyword, _ string) op {
	divisor := it.sixNumber(keyword)
	s := it.site(keyword, "should be multiple of "+schema.JSNumber(divisor, false))
	return check(s, func(v *schema.Value) bool {
		quotient := v.Float() / divisor
		return divisor != 0 && quotient == math.Trunc(quotient) && math.Abs(quotient) < 1e21
	})
}

func sixLength(it *sixContext, keyword, _ string) op {
	limit := it.sixNumber(keyword)
	word := "longer"
	if keyword == "minLength" {
		word = "shorter"
	}
	s := it.site(keyword, "should NOT be "+word+" than "+schema.JSNumber(limit, false)+" characters")
	return check(s, func(v *schema.Value) bool {
		n := float64(js.Length(v.Text))
		return keyword == "maxLength" && !(n > limit) || keyword == "minLength" && !(n < limit)
	})
}

// sixCount is maxItems, minItems, maxProperties and minProperties.
func sixCount(it *sixContext, keyword, kind string) op {
	limit := it.sixNumber(keyword)
	word, noun := "more", "items"
	if strings.HasPrefix(keyword, "min") {
		word = "fewer"
	}
	if kind == "object" {
		noun = "properties"
	}
	s := it.site(keyword, "should NOT have "+word+" than "+schema.JSNumber(limit, false)+" "+noun)
	return check(s, func(v *schema.Value) bool {
		n := float64(len(v.Items))
		if kind == "object" {
			n = float64(len(js.Members(v)))
		}
		return word == "more" && !(n > limit) || word == "fewer" && !(n < limit)
	})
}

func sixPattern(it *sixContext, keyword, _ string) op {
	value := it.schema.Get(keyword)
	source, ok := value.IsString()
	switch {
	case ok:
	case value.Kind == schema.Null:
		throw("Cannot read properties of null (reading 'replace')")
	case !js.Convertible(value):
		throw("Cannot convert object to primitive value")
	default:
		throw("str.replace is not a function")
	}
	re := it.pattern(source)
	s := it.site(keyword, `should match pattern "`+source+`"`)
	return func(f *frame, v *schema.Value) bool {
		if f.st.match(re, v.Text) {
			return true
		}
		if f.st.stop == nil {
			f.report(s)
		}
		return false
	}
}

// sixFormat: an unknown format is an error of the schema.
func sixFormat(it *sixContext, keyword, kind string) op {
	if !js.Convertible(it.schema.Get(keyword)) {
		throw("Cannot convert object to primitive value")
	}
	name := js.String(it.schema.Get(keyword))
	def, ok := format.Six()[name]
	if !ok {
		throw(`unknown format "`, name, `" is used in schema at path "`, it.path.String(), `"`)
	}
	if kind != "string" {
		return nil
	}
	return check(it.site(keyword, `should match format "`+name+`"`), func(v *schema.Value) bool { return def.Text(v.Text) })
}

func sixConst(it *sixContext, keyword, _ string) op {
	want, s := it.schema.Get(keyword), it.site(keyword, "should be equal to constant")
	return func(f *frame, v *schema.Value) bool {
		if f.st.equal(v, want) {
			return true
		}
		if f.st.stop == nil {
			f.report(s)
		}
		return false
	}
}

func sixEnum(it *sixContext, keyword, _ string) op {
	value, s := it.schema.Get(keyword), it.site(keyword, "should be equal to one of the allowed values")
	allowed := value.Items
	if value.Kind == schema.String {
		for _, r := range value.Text {
			allowed = append(allowed, schema.Str(string(r)))
		}
	}
	return func(f *frame, v *schema.Value) bool {
		if value.Kind == schema.Null {
			f.st.throw("Cannot read properties of null (reading 'length')")
			return false
		}
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
