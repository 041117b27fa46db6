package lint

import (
	"fmt"
	"math/big"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

func runUnsatisfiable(p *Pass) (out []Finding, err error) {
	p.EachTool(func(s *recording.Session, t *recording.Tool) {
		sides(t, func(key string, document *schema.Value) {
			schema.Walk(document, func(n schema.Node) bool {
				if skipped[n.Keyword] || n.Depth > 200 {
					return false
				}
				text := unsatisfiable(n.Schema)
				if text == "" {
					text = p.noneFits(n.Schema, document)
				}
				if text == "" && circular(n.Schema, document) {
					text = "its reference leads back to itself"
				}
				if text == "" && n.Schema.IsFalse() && n.Keyword == "properties" && requires(n.Parent, n.Pointer[len(n.Pointer)-1]) {
					text = "the required property has the schema false"
				}
				if text != "" {
					f := Finding{Tool: t.Name, Session: s.ID, Pointer: "/" + key + n.Pointer.String(), Message: "No value fits: " + text}
					if inUnion(n.Pointer) {
						f.Severity = verdict.Warning // the other branches may still fit
					}
					out = append(out, f)
				}
				return text == ""
			})
		})
	})
	return out, nil
}

// skipped are the places below which a schema that nothing fits may be meant so.
var skipped = map[string]bool{"not": true, "if": true, "then": true, "else": true, "patternProperties": true, "dependentSchemas": true, "contains": true, "propertyNames": true, "dependencies": true}

func inUnion(at schema.Pointer) bool {
	for _, token := range at {
		if token == "anyOf" || token == "oneOf" {
			return true
		}
	}
	return false
}

func requires(parent *schema.Value, name string) bool {
	required := parent.Get("required")
	if kindOf(required) != "array" {
		return false
	}
	for _, r := range required.Items {
		if text, ok := r.IsString(); ok && text == name {
			return true
		}
	}
	return false
}

// unsatisfiable says why no value fits a schema, "" when one may.
func unsatisfiable(v *schema.Value) string {
	if kindOf(v) != "object" {
		return ""
	}
	for _, key := range []string{"enum", "anyOf", "oneOf", "type"} {
		if list := v.Get(key); kindOf(list) == "array" && len(list.Items) == 0 {
			return key + " is empty"
		}
	}
	if not := v.Get("not"); not.IsTrue() || kindOf(not) == "object" && len(not.Members) == 0 {
		return "it is not anything"
	}
	for _, pair := range [][2]string{{"minimum", "maximum"}, {"minLength", "maxLength"}, {"minItems", "maxItems"}, {"minProperties", "maxProperties"}} {
		low, ok1 := v.Get(pair[0]).Exact()
		high, ok2 := v.Get(pair[1]).Exact()
		// A bound says nothing about values of other types; one that stands beside
		// the type it is about does.
		if ok1 && ok2 && low.Cmp(high) > 0 && boundsOwnType(v, pair[0]) {
			return fmt.Sprintf("%s %s is above %s %s", pair[0], short(v.Get(pair[0]).Text), pair[1], short(v.Get(pair[1]).Text))
		}
	}
	if text := emptyRange(v); text != "" {
		return text
	}
	if fixed, enum := v.Get("const"), v.Get("enum"); fixed != nil && kindOf(enum) == "array" && !holdsEqual(enum, fixed) {
		return "const is none of enum"
	}
	if text := otherType(v); text != "" {
		return text
	}
	for _, find := range []func(*schema.Value) string{missingRequired, noInteger, sameBranches, tooFewContained, unnamed} {
		if text := find(v); text != "" {
			return text
		}
	}
	return contradiction(v)
}

// noInteger finds bounds between which no integer lies.
func noInteger(v *schema.Value) string {
	if t, _ := v.Get("type").IsString(); t != "integer" {
		return ""
	}
	low, lowOpen := bound(v, "minimum", "exclusiveMinimum", 1)
	high, highOpen := bound(v, "maximum", "exclusiveMaximum", -1)
	if low == nil || high == nil {
		return ""
	}
	// The least integer from low on.
	next := new(big.Int).Div(low.Num(), low.Denom())
	if !low.IsInt() || lowOpen {
		next.Add(next, big.NewInt(1))
	}
	first := new(big.Rat).SetInt(next)
	if first.Cmp(high) > 0 || first.Cmp(high) == 0 && highOpen {
		return "no integer lies between its bounds"
	}
	return ""
}

// sameBranches finds a oneOf of which every branch stands twice: whatever fits one
// fits two.
func sameBranches(v *schema.Value) string {
	branches := v.Get("oneOf")
	if kindOf(branches) != "array" || len(branches.Items) < 2 || len(branches.Items) > 32 {
		return ""
	}
	for i, one := range branches.Items {
		twin := false
		for j, other := range branches.Items {
			twin = twin || i != j && schema.Equal(one, other)
		}
		if !twin {
			return ""
		}
	}
	return "every branch of oneOf stands twice, so that never one alone fits"
}

// tooFewContained finds a list that must contain more than it may.
func tooFewContained(v *schema.Value) string {
	least, ok := v.Get("minContains").Exact()
	if t, _ := v.Get("type").IsString(); t != "array" || !v.Has("contains") || !ok {
		return ""
	}
	for _, keyword := range []string{"maxContains", "maxItems"} {
		if most, ok := v.Get(keyword).Exact(); ok && least.Cmp(most) > 0 {
			return "minContains is above " + keyword
		}
	}
	return ""
}

// unnamed finds an object that needs properties and may have none.
func unnamed(v *schema.Value) string {
	required := v.Get("required")
	if t, _ := v.Get("type").IsString(); t != "object" || kindOf(required) != "array" || len(required.Items) == 0 {
		return ""
	}
	if v.Get("propertyNames").IsFalse() {
		return "a property is required, and propertyNames allows no name"
	}
	if most, ok := v.Get("maxProperties").Exact(); ok && most.Cmp(new(big.Rat).SetInt64(int64(len(required.Items)))) < 0 {
		return "more properties are required than maxProperties allows"
	}
	return ""
}

// noneFits finds a schema that lists its values, by itself or in a part of allOf, of
// which none fits all that it says. Source: what a validator of its dialect says.
func (p *Pass) noneFits(v, root *schema.Value) string {
	listed := v.Get("enum")
	for _, part := range items(v.Get("allOf")) {
		if listed == nil {
			if fixed := part.Get("const"); fixed != nil {
				listed = schema.List(fixed)
			} else {
				listed = part.Get("enum")
			}
		}
	}
	if kindOf(listed) != "array" || len(listed.Items) == 0 || len(listed.Items) > 100 || !restricts(v) {
		return ""
	}
	for _, value := range listed.Items {
		if p.matches(v, root, value) {
			return ""
		}
	}
	return "none of its values is allowed by what stands beside them"
}

// circular reports whether references alone lead from a schema back to it: no validator
// comes to an end there. Source: JSON Schema 2020-12 core, 9.4.1.
func circular(v, root *schema.Value) bool {
	seen := map[*schema.Value]bool{}
	for range 64 {
		text, ok := v.Get("$ref").IsString()
		if !ok || !strings.HasPrefix(text, "#") {
			return false
		}
		if seen[v] {
			return true
		}
		seen[v] = true
		pointer, ok := schema.ParsePointer(text[1:])
		if !ok {
			return false
		}
		v = root.Lookup(pointer)
	}
	return false
}

// restricts reports whether a schema with an enum asks for more than that and a type.
func restricts(v *schema.Value) bool {
	for _, m := range v.Members {
		switch m.Key {
		case "type", "enum", "description", "title", "default", "examples", "$comment", "deprecated":
		default:
			return true
		}
	}
	return false
}

func boundsOwnType(v *schema.Value, keyword string) bool {
	t, ok := v.Get("type").IsString()
	if !ok {
		return false
	}
	switch keyword {
	case "minLength":
		return t == "string"
	case "minItems":
		return t == "array"
	case "minProperties":
		return t == "object"
	}
	return t == "number" || t == "integer"
}

// emptyRange looks at exclusive bounds, as numbers (2020-12).
func emptyRange(v *schema.Value) string {
	if !boundsOwnType(v, "minimum") {
		return ""
	}
	low, lowOpen := bound(v, "minimum", "exclusiveMinimum", 1)
	high, highOpen := bound(v, "maximum", "exclusiveMaximum", -1)
	if low != nil && high != nil && (low.Cmp(high) > 0 || low.Cmp(high) == 0 && (lowOpen || highOpen)) {
		return "its bounds leave nothing between them"
	}
	return ""
}

func bound(v *schema.Value, closed, open string, sign int) (r *big.Rat, exclusive bool) {
	a, okA := v.Get(closed).Exact()
	b, okB := v.Get(open).Exact()
	switch {
	case okA && okB && sign*b.Cmp(a) >= 0, okB && !okA:
		return b, true
	case okA:
		return a, false
	}
	return nil, false
}

func holdsEqual(list, v *schema.Value) bool {
	for _, item := range list.Items {
		if schema.Equal(item, v) {
			return true
		}
	}
	return false
}

// otherType finds a const, or an enum all of whose values are, of another type than
// the one that stands beside it.
func otherType(v *schema.Value) string {
	t, single := v.Get("type").IsString()
	if !single {
		return ""
	}
	if fixed := v.Get("const"); fixed != nil && !isOf(fixed, t) {
		return fmt.Sprintf("const is %s and the type %s", fixed.Kind, quote(t))
	}
	enum := v.Get("enum")
	if kindOf(enum) != "array" {
		return ""
	}
	for _, item := range enum.Items {
		if isOf(item, t) {
			return ""
		}
	}
	return "no value of enum is of the type " + quote(t)
}

// isOf reports whether a value is of a type of JSON Schema; true for a type that
// does not exist.
func isOf(v *schema.Value, name string) bool {
	switch name {
	case "integer":
		r, ok := v.Exact()
		return ok && r.IsInt() || v.Kind == schema.Number && !ok
	case "number", "string", "boolean", "array", "object", "null":
		return v.Kind.String() == name
	}
	return true
}

// missingRequired finds a required key that a closed object does not have.
func missingRequired(v *schema.Value) string {
	t, _ := v.Get("type").IsString()
	if t != "object" || !v.Get("additionalProperties").IsFalse() || kindOf(v.Get("required")) != "array" || v.Has("patternProperties") {
		return ""
	}
	for _, r := range v.Get("required").Items {
		if name, ok := r.IsString(); ok && !v.Get("properties").Has(name) {
			return fmt.Sprintf("%s is required, but the object is closed and does not have it", quote(name))
		}
	}
	return ""
}

// contradiction finds types in allOf that exclude one another.
func contradiction(v *schema.Value) string {
	all := v.Get("allOf")
	if kindOf(all) != "array" {
		return ""
	}
	first, ok := v.Get("type").IsString()
	for _, part := range all.Items {
		t, single := part.Get("type").IsString()
		switch {
		case !single:
		case !ok:
			first, ok = t, true
		case t != first && !(t == "integer" && first == "number") && !(t == "number" && first == "integer"):
			return fmt.Sprintf("allOf wants %s and %s", quote(first), quote(t))
		}
	}
	return ""
}
