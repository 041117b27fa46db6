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
	// Untried: from the generator's documentation; the others were done with the real
	// generator (testdata/generators.jsonl).
	Untried bool `json:"untried,omitempty"`
}

// String says where the change goes.
func (h Hint) String() string {
	if h.Untried {
		return "in " + h.Generator + " (not tried): " + h.Text
	}
	return "in " + h.Generator + ": " + h.Text
}

// untried are the generators that were never run for it: there is no .NET where the
// others are.
const untried = "csharp"

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
	if types := s.StringsOf("type"); len(types) == 2 {
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
	if len(s.ListOf("anyOf")) == 2 && s.Has("default") {
		marks["pydantic"]++
	}
}

// sourceHints says per rewrite how each generator is brought to write the new form.
var sourceHints = map[string]map[string]string{
	"tuple-open-tail": {
		"zod":           "z.tuple([A, B]) writes items: false under draft 2020-12; use z.array(z.union([A, B])).length(2), or delete items in the override option of z.toJSONSchema, where minItems and maxItems stay",
		"pydantic":      "tuple[A, B] writes prefixItems with minItems and maxItems; drop the items: false that a json_schema_extra or a custom __get_pydantic_json_schema__ adds",
		"schemars":      "a Rust tuple (A, B) writes prefixItems with minItems and maxItems; drop the items: false that an extend attribute or a transform adds",
		"go-jsonschema": "set PrefixItems with MinItems and MaxItems and leave Items nil instead of &jsonschema.Schema{Not: &jsonschema.Schema{}}",
		"csharp":        "return a record in place of a ValueTuple, or remove items in TransformSchemaNode of JsonSchemaExporterOptions",
	},
	"tuple-union-items": {
		"zod":           "replace z.tuple([A, B]) by z.array(z.union([A, B])).length(2)",
		"pydantic":      "replace tuple[A, B] by Annotated[list[A | B], Field(min_length=2, max_length=2)]",
		"schemars":      "put #[schemars(with = \"Vec<AorB>\", length(min = 2, max = 2))] on the field, AorB an untagged enum",
		"go-jsonschema": "use a slice of one type and set MinItems and MaxItems",
		"csharp":        "use an array of one type with [MinLength(2), MaxLength(2)]",
	},
	"nullable-as-type-list": {"zod": "use .nullable() with target draft-2020-12 in place of openapi-3.0, and delete $schema", "csharp": "use the JSON Schema exporter in place of an OpenAPI one"},
	"nullable-as-any-of":    {"pydantic": "use A | None"},
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
		"go-jsonschema": "give the interface{} field a jsonschema tag with a description, so that it is written as an object",
		"schemars":      "put a doc comment on the serde_json::Value field, so that it is written as an object, or #[schemars(with = \"serde_json::Map<String, Value>\")]",
	},
	"object-open":              {"zod": "pass io: \"input\" to z.toJSONSchema, or use z.looseObject() (zod 3: .passthrough()) in place of z.object()", "pydantic": "drop extra=\"forbid\"", "schemars": "drop #[serde(deny_unknown_fields)]", "go-jsonschema": "set AdditionalProperties to nil (invopop: Reflector{AllowAdditionalProperties: true})"},
	"inline-refs":              {"go-jsonschema": "Reflector{DoNotReference: true} of invopop/jsonschema", "zod": "pass reused: \"inline\" to z.toJSONSchema (zod-to-json-schema: $refStrategy: \"none\")", "schemars": "SchemaSettings::draft2020_12().with(|s| s.inline_subschemas = true)"},
	"type-list-as-any-of":      {"go-jsonschema": "on the field's schema set Types to nil and Type to the one type, and make() the slice so that it is never nil", "csharp": "change the node in TransformSchemaNode"},
	"pattern-common":           {"zod": "spell the RegExp without needless escapes, with [0-9] for \\d and [A-Za-z0-9_] for \\w: it is copied as its source", "pydantic": "use [0-9] for \\d and no named groups in Field(pattern=…)"},
	"one-of-as-any-of":         {"pydantic": "leave Field(discriminator=…) out", "zod": "use z.union in place of z.discriminatedUnion", "schemars": "use #[serde(untagged)], which writes anyOf"},
	"schema-tag-off":           {"zod": "delete $schema from what z.toJSONSchema returns", "schemars": "SchemaSettings { meta_schema: None, … }"},
	"union-merge":              {"zod": "replace z.discriminatedUnion(\"kind\", [A, B]) by one z.looseObject (zod 3: z.object(…).passthrough()) with kind: z.enum([…]) and the members of all branches .optional(), and check in the tool which belong together", "pydantic": "replace the union by one BaseModel with kind: Literal[…] of all branches and a default for each other member, and check in a model_validator which belong together"},
	"root-combinators-flatten": {"zod": "replace z.discriminatedUnion(\"kind\", [A, B]) by one z.looseObject (zod 3: z.object(…).passthrough()) with kind: z.enum([…]) and the members of all branches .optional(), and check in the tool which belong together", "pydantic": "replace the union at the root by one BaseModel with kind: Literal[…] of all branches and a default for each other member, and check in a model_validator which belong together"},
	"root-type-object":         {"zod": "write { type: \"object\", ...z.toJSONSchema(Union) } (zod 3: ...zodToJsonSchema(Union)), as unions get no type of their own", "pydantic": "add \"type\": \"object\" to what TypeAdapter(A | B).json_schema() returns, as unions get no type of their own"},
	"null-allowed":             {"zod": "put .nullable() on the member that may be null", "pydantic": "annotate the member that may be null with A | None"},
	"root-wrap-object":         {"pydantic": "return a model with one field in place of a list", "zod": "declare outputSchema as z.object({ result: … })", "go-jsonschema": "return a struct with one field in place of a slice"},
}

// hints are the changes in the author's source for the steps.
func hints(tool *schema.Value, steps []Step) []Hint {
	generator := generatorOf(tool)
	var out []Hint
	for _, s := range steps {
		if text := sourceHints[s.Rewrite][generator]; text != "" {
			out = append(out, Hint{generator, s.Rewrite, text, generator == untried})
		}
	}
	return out
}
