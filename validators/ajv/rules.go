package ajv

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/js"
)

// rule is one keyword that has code.
type rule struct {
	keyword string
	accepts []string // types its value may have, none: any
	needs   string   // keyword that must stand beside it
	compile func(*keyword) op
}

// keyword is one keyword of a schema while it is compiled.
type keyword struct {
	*context
	name    string
	kind    string // group it is compiled in
	value   *schema.Value
	pending []mergeOp
}

type ruleGroup struct {
	kind  string // type of data, "" for any
	rules []*rule
}

// ruleSet is the vocabulary of one Ajv class.
type ruleSet struct {
	groups []ruleGroup
	coded  map[string]bool // keywords with code
	known  map[string]bool // keywords that strict mode accepts
	ref    *rule
}

// isRule reports whether the library's table of keywords has something under the
// name; the table is a plain object, so that inherited names count.
func (r *ruleSet) isRule(name string) bool { return r.coded[name] || js.Inherited(name) }

// keywordIn appends the code of one keyword to ops.
func (it *context) keywordIn(ops []op, r *rule, kind string) []op {
	k := &keyword{context: it, name: r.keyword, kind: kind, value: it.schema.Get(r.keyword)}
	if r.needs != "" && !it.schema.Has(r.needs) {
		throw("parent schema must have dependencies of ", r.keyword, ": ", r.needs)
	}
	if !accepted(k.value, r.accepts) {
		throw(r.keyword, ` value must be ["`, strings.Join(r.accepts, `","`), `"]`)
	}
	if r.compile == nil {
		return ops
	}
	if code := r.compile(k); code != nil {
		ops = append(ops, code)
	}
	return ops
}

func (it *context) keyword(ops []op, r *rule) []op { return it.keywordIn(ops, r, "") }

// accepted is the check of a keyword's own value, the only one that is made when
// schemas are not validated.
func accepted(v *schema.Value, types []string) bool {
	if len(types) == 0 {
		return true
	}
	for _, t := range types {
		if t == v.Kind.String() {
			return true
		}
	}
	return false
}

func newRuleSet(groups []ruleGroup, names ...string) *ruleSet {
	set := &ruleSet{groups: groups, coded: map[string]bool{}, known: map[string]bool{}}
	for _, g := range groups {
		for _, r := range g.rules {
			set.coded[r.keyword] = true
			set.known[r.keyword] = true
			if r.keyword == "$ref" {
				set.ref = r
			}
		}
	}
	for _, name := range names {
		set.known[name] = true
	}
	return set
}

// Rules by name. Their order in the groups below is the order of errors.
var (
	anyComment = &rule{keyword: "$comment"}
	anyID      = &rule{keyword: "id", compile: func(*keyword) op {
		throw(`NOT SUPPORTED: keyword "id", use "$id" for schema ID`)
		return nil
	}}
	anyRef      = &rule{keyword: "$ref", accepts: []string{"string"}, compile: compileRef}
	anyType     = &rule{keyword: "type", accepts: []string{"string", "array"}}
	anyNullable = &rule{keyword: "nullable", accepts: []string{"boolean"}}
	anyConst    = &rule{keyword: "const", compile: compileConst}
	anyEnum     = &rule{keyword: "enum", accepts: []string{"array"}, compile: compileEnum}
	anyNot      = &rule{keyword: "not", accepts: []string{"object", "boolean"}, compile: compileNot}
	anyAnyOf    = &rule{keyword: "anyOf", accepts: []string{"array"}, compile: compileAnyOf}
	anyOneOf    = &rule{keyword: "oneOf", accepts: []string{"array"}, compile: compileOneOf}
	anyAllOf    = &rule{keyword: "allOf", accepts: []string{"array"}, compile: compileAllOf}
	anyIf       = &rule{keyword: "if", accepts: []string{"object", "boolean"}, compile: compileIf}
	anyThen     = &rule{keyword: "then", accepts: []string{"object", "boolean"}, compile: compileThenElse}
	anyElse     = &rule{keyword: "else", accepts: []string{"object", "boolean"}, compile: compileThenElse}

	anyDynamicAnchor   = &rule{keyword: "$dynamicAnchor", accepts: []string{"string"}, compile: compileDynamicAnchor}
	anyDynamicRef      = &rule{keyword: "$dynamicRef", accepts: []string{"string"}, compile: compileDynamicRef}
	anyRecursiveAnchor = &rule{keyword: "$recursiveAnchor", accepts: []string{"boolean"}, compile: compileRecursiveAnchor}
	anyRecursiveRef    = &rule{keyword: "$recursiveRef", accepts: []string{"string"}, compile: compileDynamicRef}

	anyFormat = &rule{keyword: "format", accepts: []string{"string"}, compile: compileFormat}
)

var dynamicRules = []*rule{anyDynamicAnchor, anyDynamicRef, anyRecursiveAnchor, anyRecursiveRef}

var anyRules = []*rule{anyComment, anyID, anyRef, anyType, anyNullable, anyConst, anyEnum,
	anyNot, anyAnyOf, anyOneOf, anyAllOf, anyIf, anyThen, anyElse}

var numberRules = []*rule{
	{keyword: "maximum", accepts: []string{"number"}, compile: compileLimit},
	{keyword: "minimum", accepts: []string{"number"}, compile: compileLimit},
	{keyword: "exclusiveMaximum", accepts: []string{"number"}, compile: compileLimit},
	{keyword: "exclusiveMinimum", accepts: []string{"number"}, compile: compileLimit},
	{keyword: "multipleOf", accepts: []string{"number"}, compile: compileMultipleOf},
	anyFormat,
}

var stringRules = []*rule{
	{keyword: "maxLength", accepts: []string{"number"}, compile: compileLength},
	{keyword: "minLength", accepts: []string{"number"}, compile: compileLength},
	{keyword: "pattern", accepts: []string{"string"}, compile: compilePattern},
	anyFormat,
}

var (
	maxItems        = &rule{keyword: "maxItems", accepts: []string{"number"}, compile: compileItemCount}
	minItems        = &rule{keyword: "minItems", accepts: []string{"number"}, compile: compileItemCount}
	uniqueItems     = &rule{keyword: "uniqueItems", accepts: []string{"boolean"}, compile: compileUniqueItems}
	additionalItems = &rule{keyword: "additionalItems", accepts: []string{"boolean", "object"}, compile: compileAdditionalItems}
	anyItems        = &rule{keyword: "items", accepts: []string{"object", "array", "boolean"}, compile: compileItems}
	prefixItems     = &rule{keyword: "prefixItems", accepts: []string{"array"}, compile: compilePrefixItems}
	items2020       = &rule{keyword: "items", accepts: []string{"object", "boolean"}, compile: compileItems2020}
	contains        = &rule{keyword: "contains", accepts: []string{"object", "boolean"}, compile: compileContains}
	maxContains     = &rule{keyword: "maxContains", accepts: []string{"number"}, compile: compileContainsLimit}
	minContains     = &rule{keyword: "minContains", accepts: []string{"number"}, compile: compileContainsLimit}
	unevalItems     = &rule{keyword: "unevaluatedItems", accepts: []string{"boolean", "object"}, compile: compileUnevaluatedItems}
)

var objectRules = []*rule{
	{keyword: "maxProperties", accepts: []string{"number"}, compile: compilePropertyCount},
	{keyword: "minProperties", accepts: []string{"number"}, compile: compilePropertyCount},
	{keyword: "required", accepts: []string{"array"}, compile: compileRequired},
	{keyword: "propertyNames", accepts: []string{"object", "boolean"}, compile: compilePropertyNames},
	{keyword: "additionalProperties", accepts: []string{"boolean", "object"}, compile: compileAdditionalProperties},
	{keyword: "dependencies", accepts: []string{"object"}, compile: compileDependencies},
	{keyword: "properties", accepts: []string{"object"}, compile: compileProperties},
	{keyword: "patternProperties", accepts: []string{"object"}, compile: compilePatternProperties},
}

var nextObjectRules = []*rule{
	{keyword: "dependentRequired", accepts: []string{"object"}, compile: compileDependentRequired},
	{keyword: "dependentSchemas", accepts: []string{"object"}, compile: compileDependentSchemas},
	{keyword: "unevaluatedProperties", accepts: []string{"boolean", "object"}, compile: compileUnevaluatedProperties},
}

// formatLimitRules are the keywords that ajv-formats adds to an instance.
var formatLimitRules = []*rule{
	{keyword: "formatMaximum", accepts: []string{"string"}, needs: "format", compile: compileFormatLimit},
	{keyword: "formatMinimum", accepts: []string{"string"}, needs: "format", compile: compileFormatLimit},
	{keyword: "formatExclusiveMaximum", accepts: []string{"string"}, needs: "format", compile: compileFormatLimit},
	{keyword: "formatExclusiveMinimum", accepts: []string{"string"}, needs: "format", compile: compileFormatLimit},
}

// annotations are keywords that are known and do nothing.
var annotations = []string{"$async", "$schema", "$id", "$defs", "$vocabulary", "definitions",
	"title", "description", "default", "deprecated", "readOnly", "writeOnly", "examples",
	"contentMediaType", "contentEncoding", "contentSchema"}

// dialectRules builds the vocabulary of Ajv (draft-07), Ajv2019 or Ajv2020.
func dialectRules(dialect string, formatLimits bool) *ruleSet {
	untyped, array, object, text := anyRules, []*rule{maxItems, minItems}, objectRules, stringRules
	switch dialect {
	case "draft-07":
		array = append(array, additionalItems, anyItems, contains, uniqueItems)
	case "2019-09":
		array = append(array, additionalItems, anyItems, contains, uniqueItems, maxContains, minContains, unevalItems)
	case "2020-12":
		array = append(array, prefixItems, items2020, contains, uniqueItems, maxContains, minContains, unevalItems)
	}
	if dialect != "draft-07" {
		untyped = append(append([]*rule{}, dynamicRules...), untyped...)
		object = append(append([]*rule{}, object...), nextObjectRules...)
	}
	if formatLimits {
		text = append(append([]*rule{}, text...), formatLimitRules...)
	}
	return newRuleSet([]ruleGroup{{"", untyped}, {"number", numberRules}, {"string", text},
		{"array", array}, {"object", object}}, annotations...)
}
