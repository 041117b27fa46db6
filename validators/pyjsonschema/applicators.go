package pyjsonschema

import (
	"fmt"
	"strings"
)

// The keywords that apply subschemas (_keywords.py, 4.26.0).

func member(key string) *step  { return &step{key: key} }
func position(index int) *step { return &step{index: index, isIndex: true} }

func checkRef(v *validator, ref, instance, _ *value, emit func(*failure) bool) bool {
	return v.reference(ref, instance, emit)
}

func checkProperties(v *validator, properties, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, name := range itemsOf(properties) {
		at := instance.dict[name]
		if at == nil {
			continue
		}
		if !v.descend(at, properties.dict[name], member(name), member(name), nil, emit) {
			return false
		}
	}
	return true
}

func checkPatternProperties(v *validator, patterns, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, pattern := range itemsOf(patterns) {
		for _, name := range instance.keys {
			if !v.run.search(text(pattern), name) {
				continue
			}
			if !v.descend(instance.dict[name], patterns.dict[pattern], member(name), member(pattern), nil, emit) {
				return false
			}
		}
	}
	return true
}

func checkPropertyNames(v *validator, names, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, name := range instance.keys {
		if !v.descend(text(name), names, nil, nil, nil, emit) {
			return false
		}
	}
	return true
}

// additional lists the members that neither properties nor patternProperties
// name. All patterns are joined with | into one, so that a flag or a group
// number inside one reaches the others.
func (v *validator) additional(instance, schema *value) (extras []string) {
	properties := schema.get("properties")
	if properties == nil {
		properties = emptyDict
	}
	var joined *value
	if patterns := schema.get("patternProperties"); patterns != nil {
		var all []string
		for _, p := range elements(patterns) {
			all = append(all, p.str)
		}
		joined = text(strings.Join(all, "|"))
	}
	for _, name := range instance.keys {
		if contains(properties, name) || joined != nil && joined.str != "" && v.run.search(joined, name) {
			continue
		}
		extras = append(extras, name)
	}
	return extras
}

func checkAdditionalProperties(v *validator, allowed, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	extras := v.additional(instance, schema)
	if allowed.kind == kindDict {
		for _, name := range extras {
			if !v.descend(instance.dict[name], allowed, member(name), nil, nil, emit) {
				return false
			}
		}
		return true
	}
	if allowed.truthy() || len(extras) == 0 {
		return true
	}
	patterns := schema.get("patternProperties")
	if patterns == nil {
		joined, verb := listed(reprSorted(extras))
		return emit(&failure{message: fmt.Sprintf("Additional properties are not allowed (%s %s unexpected)", joined, verb)})
	}
	verb := "do"
	if len(extras) == 1 {
		verb = "does"
	}
	return emit(&failure{message: fmt.Sprintf("%s %s not match any of the regexes: %s",
		strings.Join(reprSorted(extras), ", "), verb, strings.Join(reprSorted(patterns.keys), ", "))})
}

func checkItems(v *validator, items, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	prefix := 0
	if p := schema.get("prefixItems"); p != nil {
		prefix = lengthOf(p)
	}
	extra := len(instance.items) - prefix
	if extra <= 0 {
		return true
	}
	if items.kind == kindBool && !items.truth {
		rest, noun := &value{kind: kindList, items: instance.items[prefix:]}, "items"
		if extra == 1 {
			rest = instance.items[prefix]
		}
		if prefix == 1 {
			noun = "item"
		}
		return emit(&failure{message: fmt.Sprintf("Expected at most %d %s but found %d extra: %s", prefix, noun, extra, repr(rest))})
	}
	for i := prefix; i < len(instance.items); i++ {
		if !v.descend(instance.items[i], items, position(i), nil, nil, emit) {
			return false
		}
	}
	return true
}

func checkPrefixItems(v *validator, prefix, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	return v.eachPosition(elements(prefix), instance, emit)
}

// eachPosition applies the n-th schema to the n-th item.
func (v *validator) eachPosition(schemas []*value, instance *value, emit func(*failure) bool) bool {
	for i, schema := range schemas {
		if i >= len(instance.items) {
			break
		}
		if !v.descend(instance.items[i], schema, position(i), position(i), nil, emit) {
			return false
		}
	}
	return true
}

func checkContains(v *validator, wanted, instance, schema *value, emit func(*failure) bool) bool {
	if instance.kind != kindList {
		return true
	}
	least, most := schema.get("minContains"), schema.get("maxContains")
	if least == nil {
		least = integer(1)
	}
	if most == nil {
		most = integer(len(instance.items))
	}
	matches, each := 0, v.evolve(wanted, v.resolver)
	for _, item := range instance.items {
		if !each.isValid(item) {
			continue
		}
		if matches++; order(integer(matches), most, ">") > 0 {
			return emit(&failure{keyword: "maxContains", limit: most,
				message: "Too many items match the given schema (expected at most " + displayed(most) + ")"})
		}
	}
	switch {
	case order(integer(matches), least, "<") >= 0:
		return true
	case matches == 0:
		return emit(&failure{message: repr(instance) + " does not contain items matching the given schema"})
	}
	return emit(&failure{keyword: "minContains", limit: least,
		message: fmt.Sprintf("Too few items match the given schema (expected at least %s but only %d matched)", displayed(least), matches)})
}

func checkDependentSchemas(v *validator, dependencies, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, property := range itemsOf(dependencies) {
		if instance.dict[property] == nil {
			continue
		}
		if !v.descend(instance, dependencies.dict[property], nil, member(property), nil, emit) {
			return false
		}
	}
	return true
}

func checkAllOf(v *validator, schemas, instance, _ *value, emit func(*failure) bool) bool {
	for i, schema := range elements(schemas) {
		if !v.descend(instance, schema, nil, position(i), nil, emit) {
			return false
		}
	}
	return true
}

const noneOfThem = " is not valid under any of the given schemas"

func withContext(message string, context []*failure) *failure {
	e := &failure{message: message, context: context}
	for _, c := range context {
		c.parent = e
	}
	return e
}

func checkAnyOf(v *validator, schemas, instance, _ *value, emit func(*failure) bool) bool {
	var all []*failure
	for i, schema := range elements(schemas) {
		errors := v.collect(instance, schema, position(i))
		if len(errors) == 0 {
			return true
		}
		all = append(all, errors...)
	}
	return emit(withContext(repr(instance)+noneOfThem, all))
}

// checkOneOf looks for a second match with is_valid, which does not enter the
// subschema's id; the first match is named last.
func checkOneOf(v *validator, schemas, instance, _ *value, emit func(*failure) bool) bool {
	var all []*failure
	list, first := elements(schemas), -1
	for i, schema := range list {
		errors := v.collect(instance, schema, position(i))
		if len(errors) == 0 {
			first = i
			break
		}
		all = append(all, errors...)
	}
	if first < 0 {
		return emit(withContext(repr(instance)+noneOfThem, all))
	}
	var more []string
	for _, schema := range list[first+1:] {
		if v.evolve(schema, v.resolver).isValid(instance) {
			more = append(more, repr(schema))
		}
	}
	if len(more) == 0 {
		return true
	}
	more = append(more, repr(list[first]))
	return emit(&failure{message: repr(instance) + " is valid under each of " + strings.Join(more, ", ")})
}

func checkNot(v *validator, schema, instance, _ *value, emit func(*failure) bool) bool {
	if !v.evolve(schema, v.resolver).isValid(instance) {
		return true
	}
	return emit(&failure{message: repr(instance) + " should not be valid under " + repr(schema)})
}

func checkIf(v *validator, condition, instance, schema *value, emit func(*failure) bool) bool {
	branch := "else"
	if v.evolve(condition, v.resolver).isValid(instance) {
		branch = "then"
	}
	if schema.get(branch) == nil {
		return true
	}
	return v.descend(instance, schema.get(branch), nil, member(branch), nil, emit)
}
