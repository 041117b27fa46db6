package ajv

import (
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

func compilePropertyCount(k *keyword) op {
	limit := k.value.Float()
	if k.name == "maxProperties" {
		s := k.site(k.name, "must NOT have more than "+js.String(k.value)+" properties")
		return func(f *frame, v *schema.Value) bool {
			if float64(len(js.Members(v))) > limit {
				f.report(s)
				return false
			}
			return true
		}
	}
	s := k.site(k.name, "must NOT have fewer than "+js.String(k.value)+" properties")
	return func(f *frame, v *schema.Value) bool {
		if float64(len(js.Members(v))) < limit {
			f.report(s)
			return false
		}
		return true
	}
}

// wanted is a property that must be there.
type wanted struct {
	name  string
	site  *site
	falsy bool // the value in the schema is "" or 0 or null
	// unconvertible: it is an object that can't be made a name, which throws.
	unconvertible bool
}

// missing reports the wanted properties that data lacks: all of them, or the first
// in first-error mode. A name that every object inherits is never missing. In
// first-error mode the library joins `data.x === undefined && (missing = "x")`
// with ||, so that the name "" is never missing either.
func missing(f *frame, v *schema.Value, names []wanted, all bool) bool {
	valid := true
	for i := range names {
		if names[i].unconvertible {
			f.st.throw("Cannot convert object to primitive value")
			return false
		}
		if js.Get(v, names[i].name) != nil || names[i].falsy && !all {
			continue
		}
		f.report(names[i].site)
		if !all {
			return false
		}
		valid = false
	}
	return valid
}

func compileRequired(k *keyword) op {
	var names []wanted
	for _, item := range k.value.Items {
		name := js.String(item)
		names = append(names, wanted{name, k.site("required", "must have required property '"+name+"'"),
			!js.Truthy(item) && len(k.value.Items) < maxExpression, !js.Convertible(item)})
	}
	if names == nil {
		return nil
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool { return missing(f, v, names, all) }
}

// maxExpression is the length from which the library loops over required names.
const maxExpression = 200

// compilePropertyNames runs the schema on each name, at the object's own path.
func compilePropertyNames(k *keyword) op {
	if k.trivial(k.value) {
		return nil
	}
	n, _ := k.subschema(sub{keyword: k.name, schema: k.value, composite: true})
	s := k.site(k.name, "property name must be valid")
	all := k.allErrors
	result := k.newFlag()
	return func(f *frame, v *schema.Value) bool {
		valid := true
		for _, m := range js.Members(v) {
			f.flags[result] = true
			f.st.key.Kind, f.st.key.Text = schema.String, m.Key
			if n.run(f, &f.st.key) {
				continue
			}
			if f.st.stop != nil {
				return false
			}
			f.reportExtra(s)
			f.flags[result] = false
			if !all {
				return false
			}
			valid = false
		}
		return valid && f.flags[result]
	}
}

// ownNames is what the library takes for the keys of properties: all but __proto__.
func ownNames(s *schema.Value) []string {
	var names []string
	for _, key := range keys(s) {
		if key != "__proto__" {
			names = append(names, key)
		}
	}
	return names
}

// compileAdditionalProperties: with more than eight properties the library asks
// the properties object itself, and then "__proto__" is one of them.
func compileAdditionalProperties(k *keyword) op {
	k.props = propsState{kind: allEvaluated}
	if k.trivial(k.value) {
		return nil
	}
	declared := k.schema.Get("properties")
	names := ownNames(declared)
	known := make(map[string]bool, len(names))
	for _, name := range names {
		known[name] = true
	}
	if len(names) > 8 && declared.Has("__proto__") {
		known["__proto__"] = true
	}
	var patterns []*pattern
	for _, p := range ownNames(k.schema.Get("patternProperties")) {
		patterns = append(patterns, k.c.pattern(p))
	}
	additional := func(f *frame, name string) bool {
		if known[name] {
			return false
		}
		for _, re := range patterns {
			if f.st.match(re, name) {
				return false
			}
		}
		return true
	}
	all := k.allErrors
	if k.value.IsFalse() {
		s := k.site(k.name, "must NOT have additional properties")
		return func(f *frame, v *schema.Value) bool {
			valid := true
			for _, m := range js.Members(v) {
				if !additional(f, m.Key) {
					continue
				}
				f.report(s)
				if !all {
					return false
				}
				valid = false
			}
			return valid
		}
	}
	n, _ := k.subschema(sub{keyword: k.name, schema: k.value})
	return func(f *frame, v *schema.Value) bool {
		valid := true
		for _, m := range js.Members(v) {
			if additional(f, m.Key) && !f.under(n, m.Key, m.Value) {
				if !all {
					return false
				}
				valid = false
			}
		}
		return valid
	}
}

// under runs a schema on a member of the data at hand.
func (f *frame) under(n *node, name string, v *schema.Value) bool {
	f.st.push(name)
	ok := n.run(f, v)
	f.st.pop()
	return ok
}

// underKey is under for a member that the data names.
func (f *frame) underKey(n *node, name string, v *schema.Value) bool {
	f.st.pushKey(name)
	ok := n.run(f, v)
	f.st.pop()
	return ok
}

type propertySchema struct {
	name string
	node *node
}

func compileProperties(k *keyword) op {
	names := ownNames(k.value)
	if k.c.opts.unevaluated && len(names) > 0 && k.props.kind != allEvaluated {
		k.props = k.now(k.mergeProps(propsState{kind: someEvaluated, names: names}, k.props, false))
	}
	var checks []propertySchema
	for _, name := range names {
		if k.trivial(k.value.Get(name)) {
			continue
		}
		checks = append(checks, propertySchema{name: name})
	}
	for i := range checks {
		checks[i].node, _ = k.subschema(sub{keyword: k.name, member: checks[i].name, isMember: true,
			schema: k.value.Get(checks[i].name)})
	}
	before := k.takePending()
	if len(checks) == 0 && before == nil {
		return nil
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		f.merge(before)
		valid := true
		for i := range checks {
			member := js.Get(v, checks[i].name)
			if member == nil || f.under(checks[i].node, checks[i].name, member) {
				continue
			}
			if !all || f.st.stop != nil {
				return false
			}
			valid = false
		}
		return valid
	}
}

type patternSchema struct {
	re   *pattern
	node *node
}

// compilePatternProperties: patterns whose schemas are all trivial are not even
// compiled, unless it matters which properties they evaluate.
func compilePatternProperties(k *keyword) op {
	patterns := ownNames(k.value)
	trivial := 0
	for _, p := range patterns {
		if k.trivial(k.value.Get(p)) {
			trivial++
		}
	}
	if len(patterns) == 0 || trivial == len(patterns) && (!k.c.opts.unevaluated || k.props.kind == allEvaluated) {
		return nil
	}
	if k.c.opts.unevaluated && k.props.kind != allEvaluated && k.props.kind != dynamicEvaluated {
		k.props = k.now(k.propsToSlot(k.props))
	}
	before := k.takePending()
	slot, track := k.props.slot, k.props.kind == dynamicEvaluated && k.c.track
	var checks []patternSchema
	for _, p := range patterns {
		k.checkMatching(p)
		c := patternSchema{re: k.c.pattern(p)}
		if item := k.value.Get(p); !k.trivial(item) {
			c.node, _ = k.subschema(sub{keyword: k.name, member: p, isMember: true, schema: item})
		}
		checks = append(checks, c)
	}
	all := k.allErrors
	return func(f *frame, v *schema.Value) bool {
		f.merge(before)
		valid := true
		for i := range checks {
			for _, m := range js.Members(v) {
				if !f.st.match(checks[i].re, m.Key) {
					continue
				}
				if checks[i].node != nil && !f.under(checks[i].node, m.Key, m.Value) {
					valid = false
					if !all {
						return false
					}
				}
				if track && f.props[slot] == nil {
					f.st.throw("Cannot set properties of undefined (setting '" + m.Key + "')")
					return false
				}
				if track && f.props[slot] != allProps {
					f.props[slot].names[m.Key] = true
				}
			}
		}
		return valid
	}
}
