package ajv

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/js"
	"github.com/hostmatrix/conform/validators/ground"
)

// sixGroup is the keywords for one type of data, "" for any.
type sixGroup struct {
	kind  string
	rules []sixRule
}

type sixRule struct {
	keyword    string
	compile    func(it *sixContext, keyword, kind string) op
	implements []string
}

func (r *sixRule) used(s *schema.Value) bool {
	if s.Has(r.keyword) {
		return true
	}
	for _, k := range r.implements {
		if s.Has(k) {
			return true
		}
	}
	return false
}

// sixGroups is the order of Ajv 6; sixCoded are the keywords with code.
var (
	sixGroups []sixGroup
	sixCoded  = map[string]bool{"type": true, "$comment": true}
)

func init() {
	sixGroups = []sixGroup{
		{"number", []sixRule{{"maximum", sixLimit, []string{"exclusiveMaximum"}},
			{"minimum", sixLimit, []string{"exclusiveMinimum"}}, {"multipleOf", sixMultipleOf, nil}, {"format", sixFormat, nil}}},
		{"string", []sixRule{{"maxLength", sixLength, nil}, {"minLength", sixLength, nil},
			{"pattern", sixPattern, nil}, {"format", sixFormat, nil}}},
		{"array", []sixRule{{"maxItems", sixCount, nil}, {"minItems", sixCount, nil}, {"items", sixItems, nil},
			{"contains", sixContains, nil}, {"uniqueItems", sixUniqueItems, nil}}},
		{"object", []sixRule{{"maxProperties", sixCount, nil}, {"minProperties", sixCount, nil},
			{"required", sixRequired, nil}, {"dependencies", sixDependencies, nil}, {"propertyNames", sixPropertyNames, nil},
			{"properties", sixProperties, []string{"additionalProperties", "patternProperties"}}}},
		{"", []sixRule{{"$ref", sixReference, nil}, {"const", sixConst, nil}, {"enum", sixEnum, nil}, {"not", sixNot, nil},
			{"anyOf", sixAnyOf, nil}, {"oneOf", sixOneOf, nil}, {"allOf", sixAllOf, nil}, {"if", sixIf, nil}}},
	}
	for _, g := range sixGroups {
		for _, r := range g.rules {
			sixCoded[r.keyword] = true
			for _, k := range r.implements {
				sixCoded[k] = true
			}
		}
	}
	validators.Register(validators.Profile{ID: "ajv6", Title: "TypeScript SDK 1.12 to 1.20: Ajv 6, draft-07, first error",
		Library: "ajv 6.15.0", Source: "@modelcontextprotocol/sdk 1.17.0, run", Compile: compileSix,
		Ground: ground.All &^ (ground.Tagged2020 | ground.OtherFormat), Exact: asserting | oldTuples})
}

// sixEmpty reports that a schema has no keyword with code, so that it isn't looked at.
func sixEmpty(s *schema.Value) bool {
	if s.Kind == schema.Bool {
		return s.Bool
	}
	return !sixHasRules(s, "")
}

func sixHasRules(s *schema.Value, but string) bool {
	for _, m := range s.Members {
		if m.Key != but && (sixCoded[m.Key] || js.Inherited(m.Key)) {
			return true
		}
	}
	return false
}

// sixTypes reads type and how it reads in an error; unknown names, which only an
// unchecked schema can hold, have no effect alone and match nothing in a list.
func sixTypes(s *schema.Value) (types []string, text string) {
	t := s.Get("type")
	if !js.Truthy(t) {
		return nil, ""
	}
	if t.Kind == schema.Array && len(t.Items) == 0 {
		throw("Unexpected token ')'") // the code of a check without a type
	}
	if t.Kind == schema.Array && len(t.Items) == 1 {
		t = t.Items[0]
		if !js.Convertible(t) {
			throw("Cannot convert object to primitive value")
		}
		if t.Kind == schema.Array {
			return nil, ""
		}
	}
	if t.Kind != schema.Array {
		if !js.Convertible(t) {
			throw("Cannot convert object to primitive value")
		}
		if t.Kind == schema.String && js.Inherited(t.Text) { // found in the table of types, no group of rules
			throw("Cannot read properties of undefined (reading 'length')")
		}
		if typeBits[t.Text] == 0 || t.Kind != schema.String {
			return nil, ""
		}
		return []string{t.Text}, t.Text
	}
	text = joined(t.Items, ",")
	for _, item := range t.Items {
		types = append(types, js.String(item))
	}
	return types, text
}

// sixName is the name that an element of required or dependencies stands for.
func sixName(item *schema.Value) string {
	if !js.Convertible(item) {
		throw("Cannot convert object to primitive value")
	}
	name := js.String(item)
	if (item.Kind == schema.Object || item.Kind == schema.Array) && !isIdentifier(name) {
		throw("str.replace is not a function")
	}
	return name
}

// sixList is what the templates iterate over: a list, the characters of a string, or
// as many nothings as a member length says.
func sixList(v *schema.Value) []*schema.Value {
	n := 0
	switch length := v.Get("length"); {
	case v.Kind == schema.Array:
		return v.Items
	case v.Kind == schema.String:
		n = schema.UTF16Len(v.Text)
	case length != nil && length.Kind == schema.Number:
		n = int(min(length.Float(), maxExpression))
	}
	out := make([]*schema.Value, 0, max(n, 0))
	for range n {
		out = append(out, schema.Flag(true))
	}
	return out
}

func typeBitsOf(types []string) typeSet {
	var set typeSet
	for _, t := range types {
		set |= typeBits[t]
	}
	return set
}

// sixPath writes a step of a path: .name or ['name'] for a property of the schema,
// ['key'] for a key of the data, [0] for an item.
func sixPath(b *strings.Builder, t token) {
	switch t.kind {
	case memberToken:
		b.WriteString(sixProperty(t.name))
	case keyToken:
		b.WriteString("['" + t.name + "']")
	default:
		pathIndex(b, t.index)
	}
}

// sixProperty is how a property reads in JavaScript source.
func sixProperty(name string) string {
	if isIdentifier(name) {
		return "." + name
	}
	return "['" + quoteEscaper.Replace(name) + "']"
}

var quoteEscaper = strings.NewReplacer(`'`, `\'`, `\`, `\\`, "\n", `\n`, "\r", `\r`, "\f", `\f`, "\t", `\t`)

func isIdentifier(s string) bool {
	for i := 0; i < len(s); i++ {
		c := s[i] | 0x20
		switch {
		case c >= 'a' && c <= 'z' || s[i] == '_' || s[i] == '$':
		case i > 0 && s[i] >= '0' && s[i] <= '9':
		default:
			return false
		}
	}
	return s != ""
}
