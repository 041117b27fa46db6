package ajv

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// compileFormat: the keyword stands in the groups of numbers and of strings, and
// acts in the one that its format is for. Unknown formats are logged, in strict
// mode refused.
func compileFormat(k *keyword) op {
	if k.c.opts.ignoreFormats {
		return nil
	}
	name := k.value.Text
	def, ok := k.c.opts.formats[name]
	if !ok && k.c.opts.inheritedFormats && js.Inherited(name) {
		return k.inheritedFormat(name)
	}
	if !ok {
		if k.c.opts.strictSchema {
			throw(`unknown format "`, name, `" ignored in schema at path "`, k.path.String(), `"`)
		}
		return nil
	}
	s := k.site(k.name, `must match format "`+name+`"`)
	switch {
	case def.Text != nil && k.kind == "string":
		return func(f *frame, v *schema.Value) bool {
			if !def.Text(v.Text) {
				f.report(s)
				return false
			}
			return true
		}
	case def.Number != nil && k.kind == "number":
		return func(f *frame, v *schema.Value) bool {
			if !def.Number(v.Float()) {
				f.report(s)
				return false
			}
			return true
		}
	}
	return nil
}

// inheritedFormat: before 8.20 the table of formats is a plain object, and a format
// named like an inherited function calls that function.
func (k *keyword) inheritedFormat(name string) op {
	if k.kind != "string" {
		return nil
	}
	truthy, thrown := js.CallInherited(name)
	s := k.site(k.name, `must match format "`+name+`"`)
	return func(f *frame, _ *schema.Value) bool {
		switch {
		case thrown != "":
			f.st.throw(thrown)
		case !truthy:
			f.report(s)
		}
		return truthy
	}
}

// compileFormatLimit is formatMinimum and its kin, which ajv-formats adds.
func compileFormatLimit(k *keyword) op {
	name := k.schema.Get("format")
	if !accepted(name, anyFormat.accepts) {
		throw(`format value must be ["string"]`)
	}
	def, ok := k.c.opts.formats[name.Text]
	inherited := !ok && k.c.opts.inheritedFormats && js.Inherited(name.Text)
	if !inherited && (!ok || def.Text == nil && def.Number == nil) {
		return nil
	}
	if def.Compare == nil {
		throw(`"`, k.name, `": format "`, name.Text, `" does not define "compare" function`)
	}
	sign, broken := "", func(order int) bool { return false }
	switch k.name {
	case "formatMaximum":
		sign, broken = "<=", func(order int) bool { return order > 0 }
	case "formatMinimum":
		sign, broken = ">=", func(order int) bool { return order < 0 }
	case "formatExclusiveMaximum":
		sign, broken = "<", func(order int) bool { return order >= 0 }
	case "formatExclusiveMinimum":
		sign, broken = ">", func(order int) bool { return order <= 0 }
	}
	limit := k.value.Text
	s := k.site(k.name, "should be "+sign+" "+limit)
	return func(f *frame, v *schema.Value) bool {
		if order, ok := def.Compare(v.Text, limit); ok && broken(order) {
			f.report(s)
			return false
		}
		return true
	}
}
