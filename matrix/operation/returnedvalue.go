package operation

import (
	"encoding/json"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "returned-value",
		Doc: `The application gets the result object itself, as JSON: "drop" members are taken out, ` +
			`"content_default": true puts an empty content array in when there is none; "drop_null": true takes members of the result and of its blocks out that are null, "raw": true keeps numbers as the server wrote them. A rejection is the host's words, a JSON-RPC error what result.error claims, {mcp_error} without that; ` +
			`"thrown" is a template as in say for what an isError result throws instead.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Drop           []string `json:"drop"`
				DropNull       bool     `json:"drop_null"`
				Raw            bool     `json:"raw"`
				Thrown         string   `json:"thrown"`
				ContentDefault bool     `json:"content_default"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if v.done {
					return nil
				}
				failed := true
				switch {
				case v.Rejected != "":
					v.Parts = []Part{{"text", v.Rejected}}
				case v.RPCError != nil:
					words := v.FailureWords
					if words == "" {
						words = "{mcp_error}"
					}
					v.Parts = []Part{{"text", v.expand(words)}}
				default:
					failed = v.IsError
					if v.IsError && p.Thrown != "" {
						v.Parts = []Part{{"text", v.expand(p.Thrown)}}
						break
					}
					value := v.Result.Without(p.Drop...)
					if p.DropNull {
						value = withoutNulls(value)
					}
					if p.ContentDefault && !value.Has("content") {
						value = value.With("content", schema.List())
					}
					text := value.Stringify("")
					if p.Raw {
						text = value.Compact()
					}
					v.Parts = []Part{{"json", text}}
					for _, block := range v.Content {
						if kind, _ := block.Get("type").IsString(); kind == "image" {
							v.Parts = append(v.Parts, Part{"image", ""})
						}
					}
				}
				v.ErrorShown = &failed
				return nil
			}, nil
		},
	})
}

// typed are the members that a typed result and its blocks hold further objects in;
// what is in the others is the server's own.
var typed = []string{"content", "resource", "annotations", "icons"}

// withoutNulls leaves out the members of a typed object that are null.
func withoutNulls(v *schema.Value) *schema.Value {
	if v.Kind == schema.Array {
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = withoutNulls(item)
		}
		return schema.List(items...)
	}
	for _, m := range v.Unique() {
		switch {
		case m.Value.Kind == schema.Null:
			v = v.Without(m.Key)
		case slices.Contains(typed, m.Key):
			v = v.With(m.Key, withoutNulls(m.Value))
		}
	}
	return v
}
