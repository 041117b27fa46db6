package pyjsonschema

import "fmt"

// What counts as evaluated is not annotated but searched for again by walking the
// schema (_utils.py and _legacy_keywords.py, 4.26.0), with the differences from
// the specification that this brings.

func checkUnevaluatedItems(v *validator, _, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	evaluated := v.evaluatedItems(instance, schema)
	var rest []*value
	for i, item := range instance.items {
		if !evaluated[i] {
			rest = append(rest, item)
		}
	}
	if len(rest) == 0 {
		return true
	}
	joined, verb := listed(reprEach(rest))
	return emit(&failure{message: fmt.Sprintf("Unevaluated items are not allowed (%s %s unexpected)", joined, verb)})
}

// checkUnevaluatedProperties names a member once per error that it has.
func checkUnevaluatedProperties(v *validator, allowed, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	evaluated := map[string]bool{}
	v.evaluatedProperties(instance, schema, evaluated)
	var bad []string
	for _, name := range instance.keys {
		if evaluated[name] {
			continue
		}
		v.descend(instance.dict[name], allowed, member(name), member(name), nil, func(*failure) bool {
			bad = append(bad, name)
			return true
		})
	}
	if len(bad) == 0 {
		return true
	}
	if allowed.kind == kindBool && !allowed.truth {
		joined, verb := listed(reprSorted(bad))
		return emit(&failure{message: fmt.Sprintf("Unevaluated properties are not allowed (%s %s unexpected)", joined, verb)})
	}
	for i, name := range bad {
		bad[i] = reprStr(name)
	}
	joined, verb := listed(bad)
	return emit(&failure{message: fmt.Sprintf("Unevaluated properties are not valid under the given schema (%s %s unevaluated and invalid)", joined, verb)})
}

// follow resolves a reference for the search; here an unresolvable one is raised
// as it is, not wrapped.
func (v *validator) follow(target resolved, missing *unresolvable) *validator {
	if missing != nil {
		panic(missing.bare())
	}
	return v.evolve(target.contents, target.resolver)
}

// references lists the validators at the far end of the schema's references.
func (v *validator) references(schema *value, each func(*validator)) {
	if ref := mustGet(schema, "$ref"); ref != nil && ref.kind != kindNone {
		each(v.follow(v.resolver.lookup(ref)))
	}
	if v.draft.dynamic {
		if ref := schema.get("$dynamicRef"); ref != nil && ref.kind != kindNone {
			each(v.follow(v.resolver.lookup(ref)))
		}
	} else if schema.get("$recursiveRef") != nil {
		each(v.follow(v.resolver.recursiveRef()))
	}
}

func allItems(instance *value) map[int]bool {
	out := make(map[int]bool, len(instance.items))
	for i := range instance.items {
		out[i] = true
	}
	return out
}

func (v *validator) evaluatedItems(instance, schema *value) map[int]bool {
	v.run.enter()
	defer v.run.leave()
	v.run.step()
	evaluated := map[int]bool{}
	if schema.kind == kindBool {
		return evaluated
	}
	merge := func(more map[int]bool) {
		v.run.steps += len(more) // a nest merges as many at each level
		v.run.step()
		for i := range more {
			evaluated[i] = true
		}
	}
	if v.draft.dynamic && contains(schema, "items") {
		return allItems(instance)
	}
	v.references(schema, func(target *validator) { merge(target.evaluatedItems(instance, target.schema)) })
	if !v.draft.dynamic {
		if items := schema.get("items"); items != nil {
			if schema.get("additionalItems") != nil || items.kind == kindDict {
				return allItems(instance)
			}
			for i := range lengthOf(items) {
				evaluated[i] = true
			}
		}
	} else if prefix := schema.get("prefixItems"); prefix != nil {
		for i := range lengthOf(prefix) {
			evaluated[i] = true
		}
	}
	v.branches(instance, schema, func(branch *value) { merge(v.evaluatedItems(instance, branch)) })
	for _, keyword := range []string{"contains", "unevaluatedItems"} {
		if sub := schema.get(keyword); sub != nil && len(instance.items) > 0 {
			within := v.evolve(sub, v.resolver)
			for i, item := range instance.items {
				v.run.step()
				if within.isValid(item) {
					evaluated[i] = true
				}
			}
		}
	}
	v.combined(instance, schema, func(sub *value) { merge(v.evaluatedItems(instance, sub)) })
	return evaluated
}

// branches passes if and the branch that it takes.
func (v *validator) branches(instance, schema *value, each func(*value)) {
	condition := schema.get("if")
	if condition == nil {
		return
	}
	branch := "else"
	if v.evolve(condition, v.resolver).isValid(instance) {
		each(condition)
		branch = "then"
	}
	if sub := schema.get(branch); sub != nil {
		each(sub)
	}
}

// combined passes the subschemas of allOf, oneOf and anyOf that match.
func (v *validator) combined(instance, schema *value, each func(*value)) {
	for _, keyword := range []string{"allOf", "oneOf", "anyOf"} {
		list := schema.get(keyword)
		if list == nil {
			continue
		}
		for _, sub := range elements(list) {
			if v.matches(instance, sub) {
				each(sub)
			}
		}
	}
}

func (v *validator) evaluatedProperties(instance, schema *value, evaluated map[string]bool) {
	v.run.enter()
	defer v.run.leave()
	v.run.step()
	if schema.kind == kindBool {
		return
	}
	v.references(schema, func(target *validator) { target.evaluatedProperties(instance, target.schema, evaluated) })
	if v.draft.dynamic {
		v.evaluatedHere(instance, schema, evaluated)
	} else {
		v.evaluatedHere2019(instance, schema, evaluated)
	}
	if patterns := schema.get("patternProperties"); patterns != nil {
		for _, name := range instance.keys {
			for _, pattern := range elements(patterns) {
				if v.run.search(pattern, name) {
					evaluated[name] = true
				}
			}
		}
	}
	if dependent := schema.get("dependentSchemas"); dependent != nil {
		for _, property := range itemsOf(dependent) {
			if instance.dict[property] != nil {
				v.evaluatedProperties(instance, dependent.dict[property], evaluated)
			}
		}
	}
	deeper := func(sub *value) { v.evaluatedProperties(instance, sub, evaluated) }
	v.combined(instance, schema, deeper)
	v.branches(instance, schema, deeper)
}

// evaluatedHere: in 2020-12 a member that additionalProperties or
// unevaluatedProperties accept counts, whether or not they apply to it.
func (v *validator) evaluatedHere(instance, schema *value, evaluated map[string]bool) {
	if properties := schema.get("properties"); properties != nil && properties.kind == kindDict {
		for _, name := range properties.keys {
			if instance.dict[name] != nil {
				evaluated[name] = true
			}
		}
	}
	for _, keyword := range []string{"additionalProperties", "unevaluatedProperties"} {
		sub := schema.get(keyword)
		if sub == nil || sub.kind == kindNone {
			continue
		}
		for _, name := range instance.keys {
			if v.matches(instance.dict[name], sub) {
				evaluated[name] = true
			}
		}
	}
}

// evaluatedHere2019 takes the keys of the keyword's value for member names, also
// where the value is a schema.
func (v *validator) evaluatedHere2019(instance, schema *value, evaluated map[string]bool) {
	for _, keyword := range []string{"properties", "additionalProperties", "unevaluatedProperties"} {
		sub := schema.get(keyword)
		switch {
		case sub == nil:
		case sub.kind == kindBool && sub.truth:
			for _, name := range instance.keys {
				evaluated[name] = true
			}
		case sub.kind == kindDict:
			for _, name := range sub.keys {
				if instance.dict[name] != nil {
					evaluated[name] = true
				}
			}
		}
	}
}
