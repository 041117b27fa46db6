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

// sixNot: where nothing can match the error is added without returning.
func sixNot(it *sixContext, keyword, _ string) op {
	value, s := it.schema.Get(keyword), it.site(keyword, "should NOT be valid")
	if sixEmpty(value) {
		return func(f *frame, _ *schema.Value) bool {
			f.st.add(s, "")
			return false
		}
	}
	n := it.sub(value, true, keyword)
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		if n.run(f, v) {
			f.report(s)
			return false
		}
		f.st.cut(before)
		return true
	}
}

// sixAnyOf does nothing when one of the schemas is empty.
func sixAnyOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	switch value := it.schema.Get(keyword); value.Kind {
	case schema.Array:
	case schema.Null:
		throw("Cannot read properties of null (reading 'every')")
	default:
		throw("$schema.every is not a function")
	}
	for _, s := range it.schema.Get(keyword).Items {
		if sixEmpty(s) {
			return nil
		}
	}
	for i, s := range it.schema.Get(keyword).Items {
		nodes = append(nodes, it.sub(s, true, keyword, strconv.Itoa(i)))
	}
	s := it.site(keyword, "should match some schema in anyOf")
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		for _, n := range nodes {
			if n.run(f, v) {
				f.st.cut(before)
				return true
			}
		}
		f.reportExtra(s)
		return false
	}
}

func sixOneOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	for i, s := range sixList(it.schema.Get(keyword)) {
		if sixEmpty(s) {
			nodes = append(nodes, &node{always: alwaysValid})
		} else {
			nodes = append(nodes, it.sub(s, true, keyword, strconv.Itoa(i)))
		}
	}
	s := it.site(keyword, "should match exactly one schema in oneOf")
	return func(f *frame, v *schema.Value) bool {
		before, matches := len(f.st.errs), 0
		for _, n := range nodes {
			if n.run(f, v) {
				if matches++; matches > 1 {
					break
				}
			}
		}
		if matches == 1 {
			f.st.cut(before)
			return true
		}
		f.reportExtra(s)
		return false
	}
}

func sixAllOf(it *sixContext, keyword, _ string) op {
	var nodes []*node
	for i, s := range it.schema.Get(keyword).Items {
		if !sixEmpty(s) {
			nodes = append(nodes, it.sub(s, false, keyword, strconv.Itoa(i)))
		}
	}
	return func(f *frame, v *schema.Value) bool {
		for _, n := range nodes {
			if !n.run(f, v) {
				return false
			}
		}
		return true
	}
}

func sixIf(it *sixContext, keyword, _ string) op {
	clause := func(name string) (*node, *site) {
		s := it.schema.Get(name)
		if s == nil || sixEmpty(s) {
			return nil, nil
		}
		return it.sub(s, false, name), it.site("if", `should match "`+name+`" schema`)
	}
	if s := it.schema.Get("then"); s == nil || sixEmpty(s) {
		if s = it.schema.Get("else"); s == nil || sixEmpty(s) {
			return nil
		}
	}
	condition := it.sub(it.schema.Get(keyword), true, keyword)
	then, thenSite := clause("then")
	otherwise, elseSite := clause("else")
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		n, s := otherwise, elseSite
		if condition.run(f, v) {
			n, s = then, thenSite
		}
		f.st.cut(before)
		if n == nil || f.st.stop != nil || n.run(f, v) {
			return true
		}
		if !f.returned {
			f.reportExtra(s)
		}
		return false
	}
}
