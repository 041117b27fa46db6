package rewrite

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Hint is a change in the author's own source that produces the new schema.
type Hint struct {
	Generator string `json:"generator"` // zod, pydantic, schemars, go-jsonschema, csharp
	Rewrite   string `json:"rewrite"`
	Text      string `json:"text"`
}

// generatorOf guesses which library wrote a tool's schemas, "" when nothing tells.
// Marks: zod writes its integer bounds and a $schema tag; pydantic a title on
// every field; schemars formats such as uint32 and its own titles; the Go
// libraries type lists that begin with null; System.Text.Json type lists that end
// with null beside no title.
func generatorOf(tool *schema.Value) string {
	marks := map[string]int{}
	for _, part := range []Part{Input, Output} {
		root := tool.Get(string(part))
		if root == nil {
			continue
		}
		if tag, _ := root.Get("$schema").IsString(); tag != "" {
			if strings.Contains(tag, "draft-07") {
				marks["zod"]++
			}
			if strings.Contains(tag, "2020-12") {
				marks["zod"]++
				marks["schemars"]++
			}
		}
		schema.Walk(root, func(n schema.Node) bool {
			if n.Schema == nil || n.Schema.Kind != schema.Object {
				return n.Depth < 200
			}
			note(n, marks)
			return n.Depth < 200
		})
	}
	best, score := "", 1
	for _, name := range []string{"zod", "pydantic", "schemars", "go-jsonschema", "csharp"} {
		if marks[name] > score {
			best, score = name, marks[name]
		}
	}
	return best
}

func note(n schema.Node, marks map[string]int) {
	s := n.Schema
	if f, _ := s.Get("format").IsString(); f != "" {
		if _, ok := numericFormats[f]; ok {
			marks["schemars"] += 2
		}
	}
	if maximum := s.Get("maximum"); maximum != nil && maximum.Text == "9007199254740991" {
		marks["zod"] += 3
	}
	if s.Get("additionalProperties").IsFalse() && s.Has("properties") {
		marks["zod"]++
	}
	if title, _ := s.Get("title").IsString(); title != "" && n.Keyword == "properties" {
		marks["pydantic"] += 2
	}
	if types := stringsOf(s, "type"); len(types) == 2 {
		switch {
		case types[0] == "null":
			marks["go-jsonschema"] += 3
		case types[1] == "null":
			marks["csharp"]++
			marks["schemars"]++
		}
	}
	if s.Get("default") != nil && s.Get("default").Kind == schema.Null {
		marks["pydantic"]++
		marks["csharp"]++
	}
	if len(listOf(s, "anyOf")) == 2 && s.Has("default") {
		marks["pydantic"]++
	}
}

// sourceHints says per rewrite how each generator is brought to write the new form.
var sourceHints = map[string]map[string]string{
	"tuple-open-tail": {
		"zod":           "z.tuple([A, B]) writes items: false under draft 2020-12; use z.array(z.union([A, B])).length(2), or delete items in the override option of z.toJSONSchema and set maxItems",
		"pydantic":      "tuple[A, B] writes prefixItems with minItems and maxItems; drop the items: false that a json_schema_extra or a custom __get_pydantic_json_schema__ adds",
		"schemars":      "a Rust tuple (A, B) writes items: false in 2020-12; put #[schemars(with = \"Vec<A>\", length(min = 2, max = 2))] on the field, or use a struct",
		"go-jsonschema": "set PrefixItems with MinItems and MaxItems and leave Items nil instead of &jsonschema.Schema{Not: &jsonschema.Schema{}}",
		"csharp":        "return a record in place of a ValueTuple, or remove items in TransformSchemaNode of JsonSchemaExporterOptions",
	},
	"tuple-union-items": {
		"zod":           "replace z.tuple([A, B]) by z.array(z.union([A, B])).length(2)",
		"pydantic":      "replace tuple[A, B] by Annotated[list[A | B], Field(min_length=2, max_length=2)]",
		"schemars":      "replace (A, B) by Vec<AorB> with #[schemars(length(min = 2, max = 2))]",
		"go-jsonschema": "use a slice of one type and set MinItems and MaxItems",
		"csharp":        "use an array of one type with [MinLength(2), MaxLength(2)]",
	},
	"nullable-as-type-list": {"zod": "use .nullable() with target draft-2020-12 in place of openapi-3.0", "csharp": "use the JSON Schema exporter in place of an OpenAPI one"},
	"nullable-as-any-of":    {"zod": "use z.union([A, z.null()])", "pydantic": "use A | None"},
	"time-formats-off": {
		"zod":      "use z.string() in place of z.iso.datetime(), or send Date.toISOString()",
		"pydantic": "send aware datetimes (datetime.now(timezone.utc)); or annotate with WithJsonSchema({\"type\": \"string\"})",
		"schemars": "use #[schemars(with = \"String\")] on the field, or send chrono's to_rfc3339()",
		"csharp":   "use DateTimeOffset in place of DateTime with Kind Unspecified",
	},
	"formats-off":              {"zod": "use z.string() in place of z.url(), z.email() or z.uuid()", "pydantic": "annotate with WithJsonSchema({\"type\": \"string\"})", "schemars": "use #[schemars(with = \"String\")]"},
	"number-formats-as-bounds": {"schemars": "add a transform (schemars::transform) that removes format, or #[schemars(range(min = 0))] with another format", "csharp": "remove format in TransformSchemaNode"},
	"unknown-formats-off":      {"schemars": "add a transform that removes format"},
	"boolean-subschemas": {
		"zod": "give z.any() a description, or use z.unknown() with an override that returns {}", "go-jsonschema": "give the interface{} field a jsonschema description tag, so that it is written as an object",
		"schemars": "use #[schemars(with = \"serde_json::Map<String, Value>\")], or a description on the serde_json::Value field",
	},
	"object-open":         {"zod": "use z.looseObject() in place of z.strictObject() or z.object()", "pydantic": "drop extra=\"forbid\"", "schemars": "drop #[serde(deny_unknown_fields)]", "go-jsonschema": "set AdditionalProperties to nil"},
	"inline-refs":         {"zod": "pass reused: \"inline\" to z.toJSONSchema", "pydantic": "no option; post-process model_json_schema(), for instance with jsonref.replace_refs", "schemars": "SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true)"},
	"type-list-as-any-of": {"go-jsonschema": "use a pointer field with omitempty, and make() the slice so that it is never nil", "csharp": "change the node in TransformSchemaNode"},
	"pattern-common":      {"zod": "spell the RegExp without needless escapes: it is copied as its source", "pydantic": "use [0-9] for \\d and no named groups in Field(pattern=…)"},
	"one-of-as-any-of":    {"zod": "use z.union in place of z.discriminatedUnion", "schemars": "use #[serde(untagged)], which writes anyOf"},
	"schema-tag-off":      {"zod": "delete $schema from what z.toJSONSchema returns", "schemars": "SchemaSettings { meta_schema: None, … }"},
	"root-wrap-object":    {"pydantic": "return a model with one field in place of a list", "zod": "declare outputSchema as z.object({ result: … })", "go-jsonschema": "return a struct with one field in place of a slice"},
	"required-clean":      {"pydantic": "give the field a default that is no None"},
}

// hints are the changes in the author's source for the steps.
func hints(tool *schema.Value, steps []Step) []Hint {
	generator := generatorOf(tool)
	var out []Hint
	for _, s := range steps {
		if text := sourceHints[s.Rewrite][generator]; text != "" {
			out = append(out, Hint{generator, s.Rewrite, text})
		}
	}
	return out
}
