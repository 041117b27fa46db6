package shape

import (
	"math"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// jsonWords is the standard library's encoding/json (mcp-go): as segmentio's, but
// fields match without regard to case, and the message names the kind of the
// wrong value and the fields on the way, without indexes. Observed with Go 1.26.
var jsonWords = &words{
	rules: rules{first: true, documentOrder: true, zero: true, finite: true, foldCase: true, accepts: acceptsGo},
	issue: func(f *fault) Issue {
		return Issue{Code: "type", Expected: goType(f.node), Received: jsType(f.value), Message: jsonText(f)}
	},
	text: func(_ *Shape, _ string, issues []Issue) string { return issues[0].Message },
}

// embedded says what is wrong with the resource of a block. Its type is the one that
// its members call for; of wrong members the first in the text is named. Source:
// mcp-go 1.2.1, EmbeddedResource.UnmarshalJSON.
func embedded(resource *schema.Value) string {
	const start = "unmarshaling embedded "
	switch {
	case resource == nil:
		return start + "resource: unexpected end of JSON input"
	case resource.Kind != schema.Object && resource.Kind != schema.Null:
		return start + "resource: json: cannot unmarshal " + goKindOf(resource) + " into Go value of type map[string]json.RawMessage"
	}
	for variant, name := range map[string]string{"text": "TextResourceContents", "blob": "BlobResourceContents"} {
		if !resource.Has(variant) || variant == "blob" && resource.Has("text") {
			continue
		}
		for _, m := range resource.Members {
			wanted, field, of := schema.String, strings.ToLower(m.Key), "string"
			switch field {
			case "_meta":
				wanted, of = schema.Object, "map[string]interface {}"
			case "mimetype":
				field = "mimeType"
			case "uri", variant:
			default:
				continue
			}
			if m.Value.Kind != wanted && m.Value.Kind != schema.Null {
				return start + variant + " resource: json: cannot unmarshal " + goKindOf(m.Value) + " into Go struct field " + name + "." + field + " of type " + of
			}
		}
		if uri, _ := resource.Get("uri").IsString(); uri == "" {
			return start + variant + " resource: resource uri is missing"
		}
	}
	return start + "resource: missing text or blob field"
}

func jsonText(f *fault) string {
	switch f.kind {
	case faultTag:
		if name, ok := f.value.Get(f.node.tag).IsString(); ok {
			return "unknown content type: " + name
		}
		return "missing or invalid type field"
	case faultUnion:
		return embedded(f.value)
	}
	switch f.node.kind {
	case kindUnion:
		return embedded(f.value)
	case kindTagged: // the item is decoded once more to look at its type
		if f.value == nil || f.value.Kind == schema.Null {
			return "missing or invalid type field"
		}
		return "json: cannot unmarshal " + goKind(f) + " into Go value of type " + goType(f.node)
	}
	structName, path := "", ""
	for _, s := range f.path {
		if s.in.restart {
			structName, path = "", ""
		}
		if s.array {
			continue
		}
		if !s.in.inner && s.in.kind == kindObject {
			structName = s.in.name[strings.LastIndexByte(s.in.name, '.')+1:]
			if strings.HasPrefix(s.in.name, "struct") { // an anonymous type has no name
				structName = ""
			}
		}
		label := s.key
		if field := s.in.get(s.key); field != nil && field.label != "" {
			label = field.label
		}
		if label != "-" && s.in.kind == kindObject {
			path += "." + label
		}
	}
	target := "value"
	if path != "" {
		target = "struct field " + structName + path
	}
	return "json: cannot unmarshal " + goKind(f) + " into Go " + target + " of type " + goType(f.node)
}

// goKind is how encoding/json names the value that does not fit.
func goKind(f *fault) string {
	switch {
	case f.value == nil:
		return "nothing"
	case f.value.Kind == schema.Number && (f.node.kind == kindInteger || math.IsInf(f.value.Float(), 0)):
		return "number " + f.value.Text
	}
	return goKindOf(f.value)
}

func goKindOf(v *schema.Value) string {
	if v.Kind == schema.Bool {
		return "bool"
	}
	return v.Kind.String()
}
