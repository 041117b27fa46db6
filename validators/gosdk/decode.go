package gosdk

import (
	"encoding/json"
	"strconv"
	"unicode/utf8"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/hostmatrix/conform/schema"
)

const (
	// maxDirect bounds the nesting of what is decoded without encoding/json, which
	// has a limit of its own, and the keywords that are compared with each other.
	maxDirect = 300
	// maxSchemas bounds the schemas so decoded; more are held to maxBytes.
	maxSchemas = 50_000
)

// decodeSchema gives what json.Unmarshal would, for schemas with nothing but common
// keywords of the right kind; ok is false for all others. The module unmarshals each
// schema twice, once for the keywords it does not know, and so each level again for
// every level above it (schema.go UnmarshalJSON, v0.4.3).
func decodeSchema(document *schema.Value) (out *jsonschema.Schema, ok bool) {
	left := maxSchemas
	return decodeAt(document, 0, &left)
}

func decodeAt(s *schema.Value, depth int, left *int) (out *jsonschema.Schema, ok bool) {
	*left--
	out = new(jsonschema.Schema)
	switch {
	case s.Kind == schema.Bool && s.Bool:
		return out, true
	case s.Kind == schema.Bool:
		out.Not = new(jsonschema.Schema)
		return out, true
	case s.Kind != schema.Object || depth > maxDirect || len(s.Members) > maxDirect || *left < 0:
		return nil, false
	}
	d := decoder{out, depth, left, true}
	for i, m := range s.Members {
		for _, earlier := range s.Members[:i] {
			if earlier.Key == m.Key { // encoding/json merges the two
				return nil, false
			}
		}
		if d.keyword(m.Key, m.Value); !d.ok {
			return nil, false
		}
	}
	return out, true
}

// decoder fills one schema; ok turns false at the first surprise.
type decoder struct {
	*jsonschema.Schema
	depth int
	left  *int // schemas that may follow
	ok    bool
}

func (d *decoder) keyword(name string, v *schema.Value) {
	switch name {
	case "type":
		if v.Kind == schema.Array {
			d.Types = d.texts(v)
		} else {
			d.Type = d.text(v)
		}
	case "$schema":
		d.Schema.Schema = d.text(v)
	case "$ref":
		d.Ref = d.text(v)
	case "title":
		d.Title = d.text(v)
	case "description":
		d.Description = d.text(v)
	case "$comment":
		d.Comment = d.text(v)
	case "$id":
		d.ID = d.text(v)
	case "format":
		d.Format = d.text(v)
	case "pattern":
		d.Pattern = d.text(v)
	case "properties":
		d.Properties = d.schemaMap(v)
	case "$defs":
		d.Defs = d.schemaMap(v)
	case "definitions":
		d.Definitions = d.schemaMap(v)
	case "items":
		d.Items = d.schema(v)
	case "additionalProperties":
		d.AdditionalProperties = d.schema(v)
	case "propertyNames":
		d.PropertyNames = d.schema(v)
	case "not":
		d.Not = d.schema(v)
	case "if":
		d.If = d.schema(v)
	case "then":
		d.Then = d.schema(v)
	case "else":
		d.Else = d.schema(v)
	case "allOf":
		d.AllOf = d.schemas(v)
	case "anyOf":
		d.AnyOf = d.schemas(v)
	case "oneOf":
		d.OneOf = d.schemas(v)
	case "required":
		d.Required = d.texts(v)
	case "enum":
		d.Enum, _ = d.value(v).([]any)
		d.ok = d.ok && v.Kind == schema.Array
	case "const":
		constant := d.value(v)
		d.Const = &constant
	case "default":
		d.Default = json.RawMessage(v.Compact())
	default:
		d.number(name, v)
	}
}

func (d *decoder) number(name string, v *schema.Value) {
	switch name {
	case "minimum":
		d.Minimum = d.float(v)
	case "maximum":
		d.Maximum = d.float(v)
	case "exclusiveMinimum":
		d.ExclusiveMinimum = d.float(v)
	case "exclusiveMaximum":
		d.ExclusiveMaximum = d.float(v)
	case "minLength":
		d.MinLength = d.count(v)
	case "maxLength":
		d.MaxLength = d.count(v)
	case "minItems":
		d.MinItems = d.count(v)
	case "maxItems":
		d.MaxItems = d.count(v)
	case "minProperties":
		d.MinProperties = d.count(v)
	case "maxProperties":
		d.MaxProperties = d.count(v)
	case "multipleOf":
		d.MultipleOf = d.float(v)
	case "uniqueItems":
		d.UniqueItems = v.Bool
		d.ok = d.ok && v.Kind == schema.Bool
	default:
		d.ok = false
	}
}

func (d *decoder) float(v *schema.Value) *float64 {
	f, ok := d.value(v).(float64)
	d.ok = d.ok && ok
	return &f
}

func (d *decoder) count(v *schema.Value) *int {
	n, err := strconv.ParseInt(v.Text, 10, 32)
	d.ok = d.ok && v.Kind == schema.Number && err == nil
	count := int(n)
	return &count
}

func (d *decoder) text(v *schema.Value) string {
	d.ok = d.ok && v.Kind == schema.String && utf8.ValidString(v.Text)
	return v.Text
}

func (d *decoder) texts(v *schema.Value) []string {
	d.ok = d.ok && v.Kind == schema.Array
	out := make([]string, 0, len(v.Items))
	for _, item := range v.Items {
		out = append(out, d.text(item))
	}
	return out
}

func (d *decoder) schema(v *schema.Value) *jsonschema.Schema {
	s, ok := decodeAt(v, d.depth+1, d.left)
	d.ok = d.ok && ok
	return s
}

func (d *decoder) schemas(v *schema.Value) []*jsonschema.Schema {
	d.ok = d.ok && v.Kind == schema.Array
	out := make([]*jsonschema.Schema, 0, len(v.Items))
	for _, item := range v.Items {
		out = append(out, d.schema(item))
	}
	return out
}

func (d *decoder) schemaMap(v *schema.Value) map[string]*jsonschema.Schema {
	d.ok = d.ok && v.Kind == schema.Object
	out := make(map[string]*jsonschema.Schema, len(v.Members))
	for _, m := range v.Members {
		d.ok = d.ok && utf8.ValidString(m.Key)
		out[m.Key] = d.schema(m.Value)
	}
	return out
}

func (d *decoder) value(v *schema.Value) any {
	out, ok := decodeValue(v, d.depth)
	d.ok = d.ok && ok
	return out
}

// decodeValue gives what json.Unmarshal would for an any; ok is false where it might
// refuse, or repair a string.
func decodeValue(v *schema.Value, depth int) (out any, ok bool) {
	if depth > maxDirect {
		return nil, false
	}
	switch v.Kind {
	case schema.Bool:
		return v.Bool, true
	case schema.Number:
		f, err := strconv.ParseFloat(v.Text, 64)
		return f, err == nil
	case schema.String:
		return v.Text, utf8.ValidString(v.Text)
	case schema.Array:
		items := make([]any, len(v.Items))
		for i, item := range v.Items {
			if items[i], ok = decodeValue(item, depth+1); !ok {
				return nil, false
			}
		}
		return items, true
	case schema.Object:
		members := make(map[string]any, len(v.Members))
		for _, m := range v.Members {
			if !utf8.ValidString(m.Key) {
				return nil, false
			}
			if members[m.Key], ok = decodeValue(m.Value, depth+1); !ok {
				return nil, false
			}
		}
		return members, true
	}
	return nil, true
}
