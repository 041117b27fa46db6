package ajv

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func sixItems(it *sixContext, keyword, _ string) op {
	value := it.schema.Get(keyword)
	if value.Kind != schema.Array {
		if sixEmpty(value) {
			return nil
		}
		n := it.sub(value, false, keyword)
		return func(f *frame, v *schema.Value) bool { return f.eachItem(n, v, 0, false) }
	}
	additional := it.schema.Get("additionalItems")
	tooMany := it.site("additionalItems", "should NOT have more than "+strconv.Itoa(len(value.Items))+" items")
	nodes := make([]*node, len(value.Items))
	for i, s := range value.Items {
		if !sixEmpty(s) {
			nodes[i] = it.sub(s, false, keyword, strconv.Itoa(i))
		}
	}
	var rest *node
	if additional != nil && js.TypeOf(additional) == "object" && !sixEmpty(additional) {
		rest = it.sub(additional, false, "additionalItems")
	}
	return func(f *frame, v *schema.Value) bool {
		if additional.IsFalse() && len(v.Items) > len(nodes) {
			f.report(tooMany)
			return false
		}
		for i := 0; i < len(nodes) && i < len(v.Items); i++ {
			if nodes[i] != nil && !f.at(nodes[i], i, v.Items[i]) {
				return false
			}
		}
		return rest == nil || f.eachItem(rest, v, len(nodes), false)
	}
}

func sixContains(it *sixContext, keyword, _ string) op {
	value, s := it.schema.Get(keyword), it.site(keyword, "should contain a valid item")
	if sixEmpty(value) {
		return check(s, func(v *schema.Value) bool { return len(v.Items) > 0 })
	}
	n := it.sub(value, true, keyword)
	return func(f *frame, v *schema.Value) bool {
		before := len(f.st.errs)
		for i, item := range v.Items {
			if f.at(n, i, item) {
				f.st.cut(before)
				return true
			}
		}
		if f.st.stop == nil {
			f.report(s)
		}
		return false
	}
}

func sixUniqueItems(it *sixContext, keyword, _ string) op {
	if !js.Truthy(it.schema.Get(keyword)) {
		return nil
	}
	var types []string
	mixed := false
	if s := it.schema.Get("items"); js.Truthy(s) && s.Kind == schema.Object {
		types, _ = sixTypes(s)
		mixed = s.Get("type") != nil && s.Get("type").Kind == schema.Array
	}
	return uniqueOp(it.site(keyword, ""), types, typeBitsOf(types), mixed, "\"", "",
		"should NOT have duplicate items (items ## ")
}

// sixRequired leaves to properties what has a schema there; names read as a
// property access does.
func sixRequired(it *sixContext, keyword, _ string) op {
	declared, value := it.schema.Get("properties"), it.schema.Get(keyword)
	if value.Kind == schema.Null {
		throw("Cannot read properties of null (reading 'length')")
	}
	var names []wanted
	for _, item := range value.Items {
		name := sixName(item)
		if s := declared.Get(name); js.Truthy(s) && !sixEmpty(s) {
			continue
		}
		access := sixProperty(name)
		if item.Kind == schema.Number {
			access = "[" + name + "]"
		}
		names = append(names, wanted{name: name, site: it.site(keyword, "should have required property '"+access+"'")})
	}
	if names == nil {
		return nil
	}
	return func(f *frame, v *schema.Value) bool { return missing(f, v, names, false) }
}

func sixDependencies(it *sixContext, keyword, _ string) op {
	var lists, schemas []dependency
	for _, m := range js.Members(it.schema.Get(keyword)) {
		switch {
		case m.Key == "__proto__":
		case m.Value.Kind == schema.Array:
			if len(m.Value.Items) == 0 {
				continue
			}
			noun := "properties "
			if len(m.Value.Items) == 1 {
				noun = "property "
			}
			if only := m.Value.Items[0]; len(m.Value.Items) == 1 && only.Kind != schema.String {
				sixName(only) // refuses what can't be converted
				throw("str.replace is not a function")
			}
			s := it.site(keyword, "should have "+noun+joined(m.Value.Items, ", ")+" when property "+m.Key+" is present")
			d := dependency{name: m.Key}
			for _, item := range m.Value.Items {
				d.wanted = append(d.wanted, wanted{name: sixName(item), site: s})
			}
			lists = append(lists, d)
		case !sixEmpty(m.Value):
			schemas = append(schemas, dependency{name: m.Key, node: it.sub(m.Value, false, keyword, m.Key)})
		}
	}
	deps := append(lists, schemas...)
	return func(f *frame, v *schema.Value) bool {
		for i := range deps {
			d := &deps[i]
			if js.Get(v, d.name) == nil {
				continue
			}
			if d.node == nil && !missing(f, v, d.wanted, false) || d.node != nil && !d.node.run(f, v) {
				return false
			}
		}
		return true
	}
}

func sixPropertyNames(it *sixContext, keyword, _ string) op {
	value := it.schema.Get(keyword)
	if sixEmpty(value) {
		return nil
	}
	n := it.sub(value, true, keyword)
	s := it.site(keyword, "")
	return func(f *frame, v *schema.Value) bool {
		for _, m := range js.Members(v) {
			f.st.key.Kind, f.st.key.Text = schema.String, m.Key
			if n.run(f, &f.st.key) {
				continue
			}
			if f.st.stop == nil {
				f.st.add(s, "property name '"+m.Key+"' is invalid")
				f.returned = f.returned || s.returns
			}
			return false
		}
		return true
	}
}

// sixProperty schemas with whether the property is required.
type sixPropertySchema struct {
	name    string
	node    *node
	missing *site
}

// sixProperties is properties, patternProperties and additionalProperties in one:
// additional ones first, then the declared, each with its own required, then patterns.
func sixProperties(it *sixContext, keyword, _ string) op {
	declared, byPattern := it.schema.Get(keyword), it.schema.Get("patternProperties")
	names, sources := ownNames(declared), ownNames(byPattern)
	additional := it.additional(declared, names, sources)

	required := map[string]bool{}
	if list := it.schema.Get("required"); list != nil {
		for _, item := range list.Items {
			required[js.String(item)] = true
		}
	}
	var checks []sixPropertySchema
	for _, name := range names {
		s := property(declared, name)
		if sixEmpty(s) {
			continue
		}
		c := sixPropertySchema{name: name, node: it.sub(s, false, keyword, name)}
		if required[name] {
			c.missing = it.site("required", "should have required property '"+name+"'")
		}
		checks = append(checks, c)
	}
	var patterns []patternSchema
	for _, source := range sources {
		if s := property(byPattern, source); !sixEmpty(s) {
			n := it.sub(s, false, "patternProperties", source)
			patterns = append(patterns, patternSchema{it.pattern(source), n})
		}
	}
	return func(f *frame, v *schema.Value) bool {
		if additional != nil && !additional(f, v) {
			return false
		}
		for i := range checks {
			c := &checks[i]
			member := js.Get(v, c.name)
			switch {
			case member != nil:
				if !f.under(c.node, c.name, member) {
					return false
				}
			case c.missing != nil:
				f.report(c.missing)
				return false
			}
		}
		for i := range patterns {
			for _, m := range js.Members(v) {
				if f.st.match(patterns[i].re, m.Key) && !f.underKey(patterns[i].node, m.Key, m.Value) {
					return false
				}
			}
		}
		return true
	}
}

// additional is the check of additionalProperties, nil when there is none.
func (it *sixContext) additional(declared *schema.Value, names, sources []string) op {
	value := it.schema.Get("additionalProperties")
	if value != nil && value.Kind == schema.Null {
		throw("Cannot convert undefined or null to object")
	}
	isSchema := value != nil && js.TypeOf(value) == "object" && len(keys(value)) > 0
	if !value.IsFalse() && !isSchema {
		return nil
	}
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	if len(names) > 8 && declared.Has("__proto__") {
		known["__proto__"] = true
	}
	var patterns []*pattern
	for _, source := range sources {
		patterns = append(patterns, it.pattern(source))
	}
	var n *node
	s := it.site("additionalProperties", "should NOT have additional properties")
	if isSchema {
		n = it.sub(value, false, "additionalProperties")
	}
	return func(f *frame, v *schema.Value) bool {
	members:
		for _, m := range js.Members(v) {
			if known[m.Key] {
				continue
			}
			for _, re := range patterns {
				if f.st.match(re, m.Key) {
					continue members
				}
			}
			if n == nil {
				f.report(s)
				return false
			}
			if !f.underKey(n, m.Key, m.Value) {
				return false
			}
		}
		return true
	}
}
