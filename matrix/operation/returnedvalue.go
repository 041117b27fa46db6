package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "returned-value",
		Doc: `The application gets the result object itself, as JSON: "drop" members are taken out, ` +
			`"content_default": true puts an empty content array in when there is none; a rejection or JSON-RPC error is its message.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Drop           []string `json:"drop"`
				ContentDefault bool     `json:"content_default"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				failed := true
				switch {
				case v.Rejected != "":
					v.Parts = []Part{{"text", v.Rejected}}
				case v.RPCError != nil:
					message, _ := v.RPCError.Get("message").IsString()
					code := v.RPCError.Get("code")
					v.Parts = []Part{{"text", "MCP error " + code.Compact() + ": " + message}}
				default:
					failed = v.IsError
					value := v.Result.Without(p.Drop...)
					if p.ContentDefault && !value.Has("content") {
						value = value.With("content", schema.List())
					}
					v.Parts = []Part{{"json", value.Stringify("")}}
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
