package pyjsonschema

import (
	"fmt"
	"strings"
)

// Keywords as the drafts before 2020-12 had them (_legacy_keywords.py, 4.26.0).

func checkDependencies(v *validator, dependencies, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, property := range itemsOf(dependencies) {
		if instance.dict[property] == nil {
			continue
		}
		dependency := dependencies.dict[property]
		proceed := true
		if dependency.kind == kindList {
			proceed = missingDependencies(instance, dependency, property, emit)
		} else {
			proceed = v.descend(instance, dependency, nil, member(property), nil, emit)
		}
		if !proceed {
			return false
		}
	}
	return true
}

func checkDependencies3(v *validator, dependencies, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, property := range itemsOf(dependencies) {
		if instance.dict[property] == nil {
			continue
		}
		dependency := dependencies.dict[property]
		proceed := true
		switch dependency.kind {
		case kindDict:
			proceed = v.descend(instance, dependency, nil, member(property), nil, emit)
		case kindStr:
			proceed = missingDependencies(instance, &value{kind: kindList, items: []*value{dependency}}, property, emit)
		default:
			proceed = missingDependencies(instance, dependency, property, emit)
		}
		if !proceed {
			return false
		}
	}
	return true
}

func checkDisallow3(v *validator, disallow, instance, _ *value, emit func(*failure) bool) bool {
	for _, disallowed := range ensureList(disallow) {
		probe := &value{kind: kindDict, keys: []string{"type"}, dict: map[string]*value{
			"type": {kind: kindList, items: []*value{disallowed}},
		}}
		if !v.evolve(probe, v.resolver).isValid(instance) {
			continue
		}
		if !emit(&failure{message: repr(disallowed) + " is disallowed for " + repr(instance)}) {
			return false
		}
	}
	return true
}

func ensureList(v *value) []*value {
	if v.kind == kindStr {
		return []*value{v}
	}
	return elements(v)
}

func checkExtends3(v *validator, extends, instance, schema *value, emit func(*failure) bool) bool {
	if extends.kind == kindDict {
		return v.descend(instance, extends, nil, nil, nil, emit)
	}
	return checkAllOf(v, extends, instance, schema, emit)
}

func checkItems4(v *validator, items, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	if items.kind == kindDict {
		return v.eachItem(items, instance, 0, emit)
	}
	return v.eachPosition(elements(items), instance, emit)
}

func checkItems7(v *validator, items, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	if items.kind == kindList {
		return v.eachPosition(items.items, instance, emit)
	}
	return v.eachItem(items, instance, 0, emit)
}

// eachItem applies one schema to the items from a position on.
func (v *validator) eachItem(schema, instance *value, from int, emit func(*failure) bool) bool {
	for i := from; i < len(instance.items); i++ {
		if !v.descend(instance.items[i], schema, position(i), nil, nil, emit) {
			return false
		}
	}
	return true
}

// checkAdditionalItems raises TypeError beside "items": true or false, whose
// len() it asks for.
func checkAdditionalItems(v *validator, allowed, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	items := schema.get("items")
	if items == nil || items.kind == kindDict {
		return true
	}
	from := lengthOf(items)
	if allowed.kind == kindDict {
		return v.eachItem(allowed, instance, from, emit)
	}
	if allowed.truthy() || len(instance.items) <= from {
		return true
	}
	joined, verb := listed(reprEach(instance.items[from:]))
	return emit(&failure{message: fmt.Sprintf("Additional items are not allowed (%s %s unexpected)", joined, verb)})
}

// bound4 builds minimum and maximum with a boolean exclusive form beside them.
func bound4(exclusive string, sign int, operator, words string) keywordFunc {
	return func(_ *validator, limit, instance, schema *value, emit func(*failure) bool) bool {
		if !instance.isNumber() {
			return true
		}
		strict := schema.get(exclusive) != nil && schema.get(exclusive).truthy()
		c := order(instance, limit, operator) * sign
		if c < 0 || strict && c == 0 {
			said := map[string]string{"<": "less than", ">": "greater than"}[operator]
			if strict {
				said += " or equal to"
			}
			return emit(&failure{message: repr(instance) + " is " + said + " the " + words + " of " + repr(limit)})
		}
		return true
	}
}

var (
	checkMinimum4 = bound4("exclusiveMinimum", 1, "<", "minimum")
	checkMaximum4 = bound4("exclusiveMaximum", -1, ">", "maximum")
)

func checkProperties3(v *validator, properties, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, name := range itemsOf(properties) {
		sub := properties.dict[name]
		if at := instance.dict[name]; at != nil {
			if !v.descend(at, sub, member(name), member(name), nil, emit) {
				return false
			}
			continue
		}
		required := mustGet(sub, "required")
		if required == nil || !required.truthy() {
			continue
		}
		if !emit(&failure{
			message: reprStr(name) + " is a required property", keyword: "required", limit: required,
			placed: true, instance: instance, schema: schema,
			path: []step{{key: name}}, schemaPath: []step{{key: "required"}, {key: name}},
		}) {
			return false
		}
	}
	return true
}

func checkType3(v *validator, types, instance, schema *value, emit func(*failure) bool) bool {
	var all []*failure
	list := ensureList(types)
	for i, t := range list {
		if t.kind == kindDict {
			errors := v.collect(instance, t, position(i))
			if len(errors) == 0 {
				return true
			}
			all = append(all, errors...)
		} else if v.draft.isType(instance, t, v.schema) {
			return true
		}
	}
	var names []string
	for _, t := range list {
		if name := t.get("name"); name != nil {
			t = name
		}
		names = append(names, repr(t))
	}
	return emit(withContext(repr(instance)+" is not of type "+strings.Join(names, ", "), all))
}

func checkContains7(v *validator, wanted, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	for _, item := range instance.items {
		if v.evolve(wanted, v.resolver).isValid(item) {
			return true
		}
	}
	return emit(&failure{message: "None of " + repr(instance) + " are valid under the given schema"})
}

func checkRecursiveRef(v *validator, _, instance, _ *value, emit func(*failure) bool) bool {
	target, missing := v.resolver.recursiveRef()
	if missing != nil {
		panic(missing.bare())
	}
	return v.descend(instance, target.contents, nil, nil, target.resolver, emit)
}
