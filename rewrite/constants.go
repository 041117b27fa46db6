package rewrite

import (
	"github.com/hostmatrix/conform/schema"
)

var constantRewrites = []Rewrite{
	{
		Name: "const-as-enum", Title: "Write const as an enum of one value",
		Doc:       "Model APIs that take a subset of JSON Schema know enum and not const.",
		Condition: "const",
		Before:    `{"const":"circle"}`, After: `{"enum":["circle"]}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			v := s.Get("const")
			if v == nil || s.Has("enum") {
				return s
			}
			return s.With("const", nil).With("enum", schema.List(v))
		}),
	},
	{
		Name: "enum-as-const", Title: "Write an enum of one value as const",
		Doc:       "A discriminator has to be a const for the hosts that look for one.",
		Condition: "enum with exactly one value",
		Before:    `{"enum":["circle"]}`, After: `{"const":"circle"}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			values := s.ListOf("enum")
			if len(values) != 1 || s.Has("const") {
				return s
			}
			return s.With("enum", nil).With("const", values[0])
		}),
	},
	{
		Name: "enum-as-text", Title: "List only texts in an enum of a string",
		Doc:       "Some model APIs take an enum only beside type string, with texts in it.",
		Condition: "enum of numbers or booleans",
		Loss:      "which values are allowed; the type stays",
		Before:    `{"type":"integer","enum":[1,2]}`, After: `{"type":"integer"}`,
		Cost: 2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			values := s.ListOf("enum")
			for _, v := range values {
				if v.Kind != schema.String && v.Kind != schema.Null {
					return s.Without("enum")
				}
			}
			return s
		}),
	},
	{
		Name: "multiple-of-off", Title: "Leave out multipleOf with a fraction",
		Doc:       "Floating-point division makes 0.07 no multiple of 0.01 in JavaScript and Python: right results are rejected.",
		Condition: "multipleOf that is no whole number",
		Loss:      "the step of the number",
		Before:    `{"type":"number","multipleOf":0.01}`, After: `{"type":"number"}`,
		Cost: 2,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			if r, ok := s.Get("multipleOf").Exact(); !ok || r.IsInt() && r.Sign() > 0 {
				return s
			}
			return s.Without("multipleOf")
		}),
	},
	{
		Name: "bounds-clean", Title: "Leave out bounds that are no bounds",
		Doc:       "A negative length, or a bound that is a text, is an error to validators that check the schema first, and ignored by the others.",
		Condition: "minLength, maxItems and their like that are no whole number from 0, minimum and maximum that are no number",
		Before:    `{"minLength":-1}`, After: `{}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			for _, keyword := range []string{"minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains"} {
				if v := s.Get(keyword); v != nil {
					if r, ok := v.Exact(); !ok || r.Sign() < 0 || !r.IsInt() {
						s = s.Without(keyword)
					}
				}
			}
			for _, keyword := range []string{"minimum", "maximum"} {
				if v := s.Get(keyword); v != nil && v.Kind != schema.Number {
					s = s.Without(keyword)
				}
			}
			return s
		}),
	},
	{
		Name: "enum-clean", Title: "List each allowed value once",
		Doc:       "An enum that is empty, holds a value twice or is no list at all is refused by Ajv and by metaschema checks.",
		Condition: "enum that is empty, no list, or holds a value twice", Loss: "nothing for repetitions; an empty enum allowed no value at all",
		Before: `{"enum":["a","a"]}`, After: `{"enum":["a"]}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			v := s.Get("enum")
			if v == nil {
				return s
			}
			once := distinct(v.Items)
			switch {
			case len(once) == 0:
				return s.Without("enum")
			case len(once) != len(v.Items):
				return s.With("enum", schema.List(once...))
			}
			return s
		}),
	},
	{
		Name: "exclusive-bounds", Title: "Write exclusive bounds as numbers",
		Doc:       "exclusiveMinimum: true is draft-04; later drafts want the bound itself and refuse to compile a boolean.",
		Condition: "exclusiveMinimum or exclusiveMaximum of true or false",
		Before:    `{"minimum":0,"exclusiveMinimum":true}`, After: `{"exclusiveMinimum":0}`,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			for _, pair := range [][2]string{{"exclusiveMinimum", "minimum"}, {"exclusiveMaximum", "maximum"}} {
				exclusive, bound := s.Get(pair[0]), s.Get(pair[1])
				if exclusive == nil || exclusive.Kind != schema.Bool {
					continue
				}
				s = s.Without(pair[0])
				if exclusive.Bool && bound != nil {
					s = s.Without(pair[1]).With(pair[0], bound)
				}
			}
			return s
		}),
	},
}
