package pyjsonschema

import (
	"sort"
	"strings"
)

// The keywords that look at the value itself. Each message is jsonschema's own
// (_keywords.py, 4.26.0).

func checkType(v *validator, types, instance, schema *value, emit func(*failure) bool) bool {
	wanted := []*value{types}
	if types.kind != kindStr {
		wanted = elements(types)
	}
	var names []string
	for _, t := range wanted {
		if v.draft.isType(instance, t, v.schema) {
			return true
		}
		names = append(names, repr(t))
	}
	return emit(&failure{message: repr(instance) + " is not of type " + strings.Join(names, ", ")})
}

func checkConst(v *validator, constant, instance, _ *value, emit func(*failure) bool) bool {
	return equal(instance, constant) || emit(&failure{message: repr(constant) + " was expected"})
}

func checkEnum(v *validator, enums, instance, _ *value, emit func(*failure) bool) bool {
	for _, each := range elements(enums) {
		v.run.step()
		if equal(each, instance) {
			return true
		}
	}
	return emit(&failure{message: repr(instance) + " is not one of " + repr(enums)})
}

// bound builds minimum, maximum and their exclusive forms.
func bound(fails func(order int) bool, operator, words string) keywordFunc {
	return func(_ *validator, limit, instance, _ *value, emit func(*failure) bool) bool {
		if !instance.isNumber() || !fails(order(instance, limit, operator)) {
			return true
		}
		return emit(&failure{message: repr(instance) + " is " + words + " of " + repr(limit)})
	}
}

var (
	checkMinimum          = bound(func(c int) bool { return c < 0 }, "<", "less than the minimum")
	checkMaximum          = bound(func(c int) bool { return c > 0 }, ">", "greater than the maximum")
	checkExclusiveMinimum = bound(func(c int) bool { return c <= 0 }, "<=", "less than or equal to the minimum")
	checkExclusiveMaximum = bound(func(c int) bool { return c >= 0 }, ">=", "greater than or equal to the maximum")
)

func checkMultipleOf(_ *validator, divisor, instance, _ *value, emit func(*failure) bool) bool {
	if !instance.isNumber() || !leavesRemainder(instance, divisor) {
		return true
	}
	return emit(&failure{message: repr(instance) + " is not a multiple of " + displayed(divisor)})
}

// displayed is str(value).
func displayed(v *value) string {
	if v.kind == kindStr {
		return v.str
	}
	return repr(v)
}

// sized builds the six length keywords. one is said instead of words where the
// limit is special (1 for minima, 0 for maxima).
func sized(of kind, tooSmall bool, words string, special int, specialWords string) keywordFunc {
	operator := ">"
	if tooSmall {
		operator = "<"
	}
	return func(_ *validator, limit, instance, _ *value, emit func(*failure) bool) bool {
		if instance.kind != of {
			return true
		}
		c := order(integer(lengthOf(instance)), limit, operator)
		if tooSmall && c >= 0 || !tooSmall && c <= 0 {
			return true
		}
		said := words
		if limit.arithmetic() && compareNumbers(limit, integer(special)) == 0 {
			said = specialWords
		}
		return emit(&failure{message: repr(instance) + " " + said})
	}
}

var (
	checkMinLength     = sized(kindStr, true, "is too short", 1, "should be non-empty")
	checkMaxLength     = sized(kindStr, false, "is too long", 0, "is expected to be empty")
	checkMinItems      = sized(kindList, true, "is too short", 1, "should be non-empty")
	checkMaxItems      = sized(kindList, false, "is too long", 0, "is expected to be empty")
	checkMinProperties = sized(kindDict, true, "does not have enough properties", 1, "should be non-empty")
	checkMaxProperties = sized(kindDict, false, "has too many properties", 0, "is expected to be empty")
)

func checkUniqueItems(v *validator, wanted, instance, _ *value, emit func(*failure) bool) bool {
	if !wanted.truthy() || instance.kind != kindList || unique(instance.items, v.run.step) {
		return true
	}
	return emit(&failure{message: repr(instance) + " has non-unique elements"})
}

func checkPattern(v *validator, pattern, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindStr || v.run.search(pattern, instance.str) {
		return true
	}
	return emit(&failure{message: repr(instance) + " does not match " + repr(pattern)})
}

// checkFormat does nothing on instances: the SDK passes no format checker. The
// metaschema check passes the draft's, in which only "regex" meets a metaschema
// (uri-reference and others need packages that mcp does not install).
func checkFormat(v *validator, format, instance, _ *value, emit func(*failure) bool) bool {
	if !v.run.formats || format.str != "regex" || instance.kind != kindStr {
		return true
	}
	if expression, _ := v.run.compile(instance.str); expression != nil {
		return true
	}
	return emit(&failure{message: repr(instance) + " is not a " + repr(format)})
}

func checkRequired(_ *validator, required, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, name := range elements(required) {
		if hasKey(instance, name) {
			continue
		}
		if !emit(&failure{message: repr(name) + " is a required property"}) {
			return false
		}
	}
	return true
}

// hasKey is `name in dict`.
func hasKey(instance, name *value) bool {
	switch name.kind {
	case kindStr:
		return instance.dict[name.str] != nil
	case kindList, kindDict:
		raise("TypeError", "unhashable type: '%s'", name.kind)
	}
	return false
}

func checkDependentRequired(v *validator, dependencies, instance, _ *value, emit func(*failure) bool) bool {
	if instance.kind != kindDict {
		return true
	}
	for _, property := range itemsOf(dependencies) {
		if instance.dict[property] == nil {
			continue
		}
		if !missingDependencies(instance, dependencies.dict[property], property, emit) {
			return false
		}
	}
	return true
}

func missingDependencies(instance, wanted *value, property string, emit func(*failure) bool) bool {
	for _, name := range elements(wanted) {
		if hasKey(instance, name) {
			continue
		}
		if !emit(&failure{message: repr(name) + " is a dependency of " + reprStr(property)}) {
			return false
		}
	}
	return true
}

// listed is extras_msg: the elements and the verb.
func listed(names []string) (joined, verb string) {
	if len(names) == 1 {
		return names[0], "was"
	}
	return strings.Join(names, ", "), "were"
}

func reprSorted(names []string) []string {
	sorted := append([]string(nil), names...)
	sort.Strings(sorted)
	for i, name := range sorted {
		sorted[i] = reprStr(name)
	}
	return sorted
}

func reprEach(values []*value) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = repr(v)
	}
	return out
}
