package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// typeRules are what a model API asks of types, enums, formats and objects.
type typeRules struct {
	Single           bool     `json:"single"`
	Names            []string `json:"names"`
	Required         bool     `json:"required"`
	NoNull           bool     `json:"no_null"`
	ListWith         string   `json:"list_with"`
	NotWithAnyOf     bool     `json:"not_with_any_of"`
	EnumStrings      bool     `json:"enum_strings"`
	StringFormats    []string `json:"string_formats"`
	ObjectProperties string   `json:"object_properties"`
	RequiredDefined  bool     `json:"required_defined"`
	PropertiesOnly   bool     `json:"properties_only_on_object"`
	ItemsOnly        bool     `json:"items_only_on_array"`
	Closed           bool     `json:"closed"`
	AllRequired      bool     `json:"all_required"`
	Integers         []string `json:"integers"`
	Depth            int      `json:"depth"`
	BooleanSchemas   bool     `json:"no_boolean_schemas"`
	PropertyTypes    bool     `json:"property_types"`
	Along            []string `json:"along"`
}

func init() {
	RegisterCheck(Check{
		Name: "type-rules",
		Doc: `Refuses an inputSchema that breaks one of the rules that are set: "single" (type is one string), "names" (type names one of these, each type of a list too), "required" (every subschema has a type, an anyOf or a $ref), "no_null" (no type null), "list_with" (no type list holds this type), ` +
			`"not_with_any_of" (type and anyOf not together), "enum_strings" (enum holds strings, on a string type), "string_formats" (the only formats of strings), ` +
			`"object_properties": "root" or "all" (objects without anyOf, oneOf, allOf have properties), "required_defined" (required names properties), "properties_only_on_object", "items_only_on_array", ` +
			`"closed" (objects have additionalProperties false), "all_required" (required names all properties), "integers" (these keywords are written without fraction), ` +
			`"depth" (nesting of objects at most), "no_boolean_schemas", "property_types" (a property says its type, or by a union, a reference, an enum or a const). "along" names the keywords that are gone down, all without it.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p typeRules
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				return walkAlong(s, p.Along, p.check)
			}, nil
		},
	})
}

func (p typeRules) check(node *schema.Value, at schema.Pointer) *Problem {
	if node.Kind == schema.Bool {
		if p.BooleanSchemas && (len(at) == 0 || at[len(at)-1] != "additionalProperties") {
			return problemf(at, "a boolean schema")
		}
		return nil
	}
	typ := node.Get("type")
	name, single := typ.IsString()
	if problem := p.checkType(node, typ, name, single, at); problem != nil {
		return problem
	}
	if problem := p.checkValues(node, name, at); problem != nil {
		return problem
	}
	return p.checkObject(node, name, at)
}

func (p typeRules) checkType(node, typ *schema.Value, name string, single bool, at schema.Pointer) *Problem {
	switch {
	case p.Single && typ != nil && !single:
		return problemf(at.Append("type"), "type is a list")
	case p.Names != nil && typ != nil && !p.named(typ):
		return problemf(at.Append("type"), "type %s", typ.Compact())
	case p.ListWith != "" && typ != nil && !single && listHolds(typ, p.ListWith):
		return problemf(at.Append("type"), "type %s", typ.Compact())
	case p.NoNull && name == "null":
		return problemf(at.Append("type"), "type null")
	case p.Required && typ == nil && !node.Has("anyOf") && !node.Has("$ref"):
		return problemf(at, "schema must have a 'type' key")
	case p.PropertyTypes && typ == nil && len(at) > 1 && at[len(at)-2] == "properties" &&
		!slices.ContainsFunc([]string{"anyOf", "oneOf", "allOf", "$ref", "enum", "const"}, node.Has):
		return problemf(at, "schema must have a 'type' key")
	case p.NotWithAnyOf && typ != nil && node.Has("anyOf"):
		return problemf(at.Append("anyOf"), "type and anyOf stand together")
	case p.Depth > 0 && depthOf(at) > p.Depth:
		return problemf(at, "%d levels of nesting exceeds limit of %d", depthOf(at), p.Depth)
	}
	return nil
}

// named reports whether a type, or each type of a list, is one of the names.
func (p typeRules) named(typ *schema.Value) bool {
	if name, single := typ.IsString(); single {
		return slices.Contains(p.Names, name)
	}
	return typ.Kind == schema.Array && !slices.ContainsFunc(typ.Items, func(v *schema.Value) bool {
		name, _ := v.IsString()
		return !slices.Contains(p.Names, name)
	})
}

// listHolds reports whether a list of types holds one.
func listHolds(typ *schema.Value, name string) bool {
	return slices.ContainsFunc(typ.Items, func(v *schema.Value) bool { is, _ := v.IsString(); return is == name })
}

// depthOf counts how many objects and arrays a pointer goes through.
func depthOf(at schema.Pointer) int {
	n := 0
	for _, token := range at {
		if token == "properties" || token == "items" {
			n++
		}
	}
	return n
}

func (p typeRules) checkValues(node *schema.Value, name string, at schema.Pointer) *Problem {
	if enum := node.Get("enum"); p.EnumStrings && enum != nil {
		if name != "" && name != "string" {
			return problemf(at.Append("enum"), "enum on type %s", name)
		}
		for _, item := range enum.Items {
			if item.Kind != schema.String {
				return problemf(at.Append("enum"), "enum value %s is no string", item.Compact())
			}
		}
	}
	if format, ok := node.Get("format").IsString(); ok && p.StringFormats != nil && name == "string" && !slices.Contains(p.StringFormats, format) {
		return problemf(at.Append("format"), "format %q", format)
	}
	for _, keyword := range p.Integers {
		if n := node.Get(keyword); n != nil && n.Kind == schema.Number && n.HasFraction() {
			return problemf(at.Append(keyword), "%s must be an integer, got %s", keyword, n.Text)
		}
	}
	return nil
}

// combines reports whether a schema leaves its properties to branches.
func combines(v *schema.Value) bool { return v.Has("anyOf") || v.Has("oneOf") || v.Has("allOf") }

func (p typeRules) checkObject(node *schema.Value, name string, at schema.Pointer) *Problem {
	properties := node.Get("properties")
	required := requiredNames(node)
	object := name == "object"
	switch {
	case object && (p.ObjectProperties == "all" || p.ObjectProperties == "root" && len(at) == 0) && properties == nil && !combines(node):
		return problemf(at, "object schema missing properties")
	case p.PropertiesOnly && name != "" && !object && (properties != nil || node.Has("required")):
		return problemf(at, "properties on type %s", name)
	case p.ItemsOnly && name != "array" && node.Has("items"):
		return problemf(at.Append("items"), "items on type %s", name)
	case p.Closed && object && !node.Get("additionalProperties").IsFalse():
		return problemf(at, "'additionalProperties' is required to be supplied and to be false")
	}
	if p.RequiredDefined {
		for _, r := range required {
			if !properties.Has(r) {
				return problemf(at.Append("required"), "required property %q is not defined", r)
			}
		}
	}
	if p.AllRequired && object {
		var missing []string
		for _, m := range properties.Unique() {
			if !slices.Contains(required, m.Key) {
				missing = append(missing, m.Key)
			}
		}
		if missing != nil {
			return problemf(at, "'required' is required to be supplied and to be an array including every key in properties. Missing '%s'", strings.Join(missing, "', '"))
		}
	}
	return nil
}
