package spec

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// plain is what a first look finds out about a document: that it is a schema of the
// dialect beyond doubt, in the words that generators use. The library then need not
// hold it against the metaschema, which takes most of the time of compiling. Nearly
// all schemas of real tools are plain; what is not may still be a good schema.
type plain struct {
	dialect string
	formats bool // some schema has the keyword format
	tagged  bool // the root has $schema
	count   int  // subschemas
}

// look returns false unless the document is plain. The dialects known are draft-07
// and 2020-12.
func look(dialect string, document *schema.Value) (found plain, ok bool) {
	if dialect != "draft-07" && dialect != "2020-12" {
		return plain{}, false
	}
	found = plain{dialect: dialect, tagged: document.Has("$schema")}
	return found, found.schema(document, 0)
}

func (p *plain) schema(s *schema.Value, depth int) bool {
	if p.count++; p.count > maxSubschemas || depth > maxDepth {
		return false
	}
	if s.Kind == schema.Bool {
		return true
	}
	if s.Kind != schema.Object {
		return false
	}
	for i := range s.Members {
		if m := &s.Members[i]; !p.keyword(m.Key, m.Value, s, depth) {
			return false
		}
	}
	return true
}

// keyword says no to every keyword of the metaschemas that it does not know to be
// written well.
func (p *plain) keyword(name string, v, parent *schema.Value, depth int) bool {
	switch name {
	case "type":
		return v.Kind == schema.String && simpleTypes[v.Text] || isNames(v, simpleTypes) && len(v.Items) > 0
	case "title", "description", "$comment", "contentMediaType", "contentEncoding":
		return v.Kind == schema.String
	case "format":
		p.formats = true
		return v.Kind == schema.String
	case "pattern":
		return isPattern(v)
	case "properties", "$defs", "definitions", "dependentSchemas":
		return p.schemaMap(v, depth)
	case "patternProperties":
		for _, m := range v.Members {
			if _, err := compilePattern(m.Key); err != nil {
				return false
			}
		}
		return p.schemaMap(v, depth)
	case "items":
		return p.dialect == "draft-07" && p.schemas(v, depth) || p.schema(v, depth+1)
	case "additionalProperties", "propertyNames", "contains", "not", "if", "then", "else",
		"additionalItems", "unevaluatedItems", "unevaluatedProperties":
		return p.schema(v, depth+1)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return p.schemas(v, depth)
	case "required":
		return isNames(v, nil)
	case "enum", "examples":
		return v.Kind == schema.Array
	case "readOnly", "writeOnly", "deprecated", "uniqueItems":
		return v.Kind == schema.Bool
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return v.Kind == schema.Number
	case "multipleOf":
		return v.Kind == schema.Number && '1' <= v.Text[0] && v.Text[0] <= '9'
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties":
		return v.Kind == schema.Number && strings.Trim(v.Text, "0123456789") == ""
	case "$ref":
		return v.Kind == schema.String && isLocalRef(v.Text)
	case "$schema":
		_, known := DialectOf(parent)
		return depth == 0 && known
	case "dependencies", "dependentRequired", "contentSchema", "minContains", "maxContains":
		return false
	}
	return !strings.HasPrefix(name, "$")
}

func (p *plain) schemaMap(v *schema.Value, depth int) bool {
	for _, m := range v.Members {
		if !p.schema(m.Value, depth+1) {
			return false
		}
	}
	return v.Kind == schema.Object
}

func (p *plain) schemas(v *schema.Value, depth int) bool {
	for _, item := range v.Items {
		if !p.schema(item, depth+1) {
			return false
		}
	}
	return len(v.Items) > 0
}

var simpleTypes = map[string]bool{
	"array": true, "boolean": true, "integer": true, "null": true, "number": true, "object": true, "string": true,
}

// maxNames bounds a search that compares each name with each.
const maxNames = 64

// isNames: an array of different strings, of the allowed ones unless nil.
func isNames(v *schema.Value, allowed map[string]bool) bool {
	if v.Kind != schema.Array || len(v.Items) > maxNames {
		return false
	}
	for i, item := range v.Items {
		if item.Kind != schema.String || allowed != nil && !allowed[item.Text] {
			return false
		}
		for _, other := range v.Items[:i] {
			if other.Text == item.Text {
				return false
			}
		}
	}
	return true
}

func isPattern(v *schema.Value) bool {
	if v.Kind != schema.String {
		return false
	}
	_, err := compilePattern(v.Text)
	return err == nil
}

// isLocalRef: a pointer into the document that needs no escapes, so that it is a
// URI reference whatever one makes of those.
func isLocalRef(ref string) bool {
	return ref == "#" || strings.HasPrefix(ref, "#/") && strings.Trim(ref[1:], "/$_-.0123456789"+
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
