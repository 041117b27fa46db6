package operation

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "content-to-text",
		Doc: `Turns content blocks of kinds other than those in "keep" into text blocks that hold the block as JSON. ` +
			`"absent": "structured" makes a result without a content member into one text block that holds structuredContent as JSON.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Keep   []string `json:"keep"`
				Absent string   `json:"absent"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if v.Result == nil {
					return nil
				}
				if p.Absent == "structured" && !v.Result.Has("content") {
					v.Content = []*schema.Value{textBlock(v.Structured.Stringify(""))}
					return nil
				}
				content := make([]*schema.Value, len(v.Content))
				for i, b := range v.Content {
					content[i] = b
					if !slices.Contains(p.Keep, blockKind(b)) {
						content[i] = textBlock(b.Stringify(""))
					}
				}
				v.Content = content
				return nil
			}, nil
		},
	})
}

func init() {
	RegisterRender(Render{
		Name: "content-map",
		Doc: `Replaces content blocks: "to" maps a kind of block to the JSON text of what stands for it, with the names of the blocks step; a kind that is not listed stays. ` +
			`"structured_on_text": true puts structuredContent into each text block as a member of that name. "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				To               map[string]string `json:"to"`
				StructuredOnText bool              `json:"structured_on_text"`
				When             []string          `json:"when"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if !holds(v, p.When) {
					return nil
				}
				content := make([]*schema.Value, len(v.Content))
				for i, b := range v.Content {
					content[i] = b
					if template, ok := p.To[blockKind(b)]; ok {
						mapped, err := schema.ParseString(expandBlock(template, b, v))
						if err != nil {
							return fmt.Errorf("content-map: %s: %w", blockKind(b), err)
						}
						content[i] = mapped
					}
					if p.StructuredOnText && v.Structured != nil && blockKind(b) == "text" {
						content[i] = b.With("structuredContent", v.Structured)
					}
				}
				v.Content = content
				return nil
			}, nil
		},
	})
}

func init() {
	RegisterRender(Render{
		Name: "failure-to-content",
		Doc:  `Makes a failed call into a result with isError and one text block, "text"; a call that did not fail stays. "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Text string   `json:"text"`
				When []string `json:"when"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if v.done || v.Rejected == "" && v.RPCError == nil || !holds(v, p.When) {
					return nil
				}
				block := textBlock(v.expand(p.Text))
				v.Result = schema.Obj(schema.Member{Key: "content", Value: schema.List(block)},
					schema.Member{Key: "isError", Value: schema.Flag(true)})
				v.Content, v.Structured, v.IsError = []*schema.Value{block}, nil, true
				return nil
			}, nil
		},
	})
}

func init() {
	registerText("compact-json",
		`Writes the joined text parts without white space where they are a JSON object or array; "when" as in say.`,
		func(_ *View, _ onlyWhen, text string) string {
			value, err := schema.ParseString(text)
			if err != nil || value.Kind != schema.Object && value.Kind != schema.Array {
				return text
			}
			return value.Compact()
		})
}

func textBlock(text string) *schema.Value {
	return schema.Obj(schema.Member{Key: "type", Value: schema.Str("text")}, schema.Member{Key: "text", Value: schema.Str(text)})
}
