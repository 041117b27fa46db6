package lint

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// carelessRules are about schemas that are valid and say what nobody can have meant.
func carelessRules() []*Rule {
	return []*Rule{
		{ID: "required-undeclared", Title: "A required property is not described", Covers: []string{"R21", "R23"}, Stage: verdict.Offer, Level: Quality,
			Why:    "required names a key that properties does not have: a misspelling, or a property that was renamed. The model is told to give something of which it knows nothing, and the argument that was meant is optional.",
			Source: "observed class: a renamed property", Wrong: `{"properties":{"hours":{…}},"required":["hour"]}`, Right: `{"properties":{"hours":{…}},"required":["hours"]}`, Run: eachNode(requiredFault)},
		{ID: "default-mismatch", Title: "A default or an example is not valid for its own schema", Covers: []string{"R23"}, Stage: verdict.Offer, Level: Quality,
			Why:    "Models copy the default, and some hosts fill it in: the call is then refused by the schema that offered the value. What examples gives is copied as well.",
			Source: "JSON Schema 2020-12 validation, 9.2 (RECOMMENDED); observed: hosts that fill in defaults", Wrong: `{"type":"integer","default":"twelve"}`, Right: `{"type":"integer","default":12}`, Run: eachNode(defaultFault)},
	}
}

// eachNode makes a rule of a look at each object of both schemas of each tool, once for
// a schema that several sessions share.
func eachNode(look func(p *Pass, n schema.Node, root *schema.Value) string) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		done := map[*schema.Value][]Finding{}
		p.EachTool(func(s *recording.Session, t *recording.Tool) {
			sides(t, func(key string, document *schema.Value) {
				found, known := done[document]
				if !known {
					schema.Walk(document, func(n schema.Node) bool {
						if n.Depth > 100 || kindOf(n.Schema) != "object" || len(found) >= findingsPerSchema {
							return false
						}
						if text := look(p, n, document); text != "" {
							found = append(found, Finding{Pointer: "/" + key + n.Pointer.String(), Message: text})
						}
						return true
					})
					done[document] = found
				}
				for _, f := range found {
					f.Tool, f.Session = t.Name, s.ID
					out = append(out, f)
				}
			})
		})
		return out, nil
	}
}

// findingsPerSchema bounds what one schema reports.
const findingsPerSchema = 20

// elsewhere are keywords by which a property may be described in another place than
// properties.
var elsewhere = []string{"patternProperties", "allOf", "anyOf", "oneOf", "$ref", "$dynamicRef", "if", "dependentSchemas", "unevaluatedProperties"}

// partial are places whose schemas say only a part of what is said of a value.
var partial = map[string]bool{"allOf": true, "anyOf": true, "oneOf": true, "not": true, "if": true, "then": true, "else": true, "dependentSchemas": true, "dependencies": true}

func requiredFault(_ *Pass, n schema.Node, _ *schema.Value) string {
	properties := n.Schema.Get("properties")
	if kindOf(properties) != "object" || partial[n.Keyword] || n.Schema.Get("additionalProperties").IsFalse() {
		return "" // of a closed object it is schema-unsatisfiable's
	}
	for _, keyword := range elsewhere {
		if n.Schema.Has(keyword) {
			return ""
		}
	}
	for _, v := range items(n.Schema.Get("required")) {
		if name, ok := v.IsString(); ok && !properties.Has(name) {
			return fmt.Sprintf("%s is required, and properties does not describe it", quote(name))
		}
	}
	return ""
}

func defaultFault(p *Pass, n schema.Node, root *schema.Value) string {
	if skipped[n.Keyword] {
		return ""
	}
	fits := func(value *schema.Value) bool {
		return plainlyFits(n.Schema, value) || p.matches(n.Schema, root, value)
	}
	if value := n.Schema.Get("default"); value != nil && !fits(value) {
		return "The default " + short(value.Compact()) + " is not valid for its own schema"
	}
	for i, value := range items(n.Schema.Get("examples")) {
		if i < examplesPerSchema && !fits(value) {
			return "The example " + short(value.Compact()) + " is not valid for its own schema"
		}
	}
	return ""
}

// examplesPerSchema bounds the examples of one schema that are looked at.
const examplesPerSchema = 20

// plainlyFits reports whether a value is of the one type that its schema names, and
// nothing else is asked of it.
func plainlyFits(node, value *schema.Value) bool {
	for _, m := range node.Members {
		switch m.Key {
		case "type":
			if name, ok := m.Value.IsString(); !ok || !isOf(value, name) {
				return false
			}
		case "default", "description", "title", "examples", "$comment", "deprecated", "readOnly", "writeOnly":
		default:
			return false
		}
	}
	return true
}
