package operation

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Conditions that few hosts need, beside those of viewwords.go.
func init() {
	conditions["structured-among-texts"] = func(v *View) bool {
		return v.Structured != nil && slices.ContainsFunc(v.Content, func(b *schema.Value) bool {
			text, ok := b.Get("text").IsString()
			return ok && blockKind(b) == "text" && text == v.Structured.Stringify("")
		})
	}
	conditions["blob-empty"] = func(v *View) bool { return slices.ContainsFunc(v.Content, emptyBlob) }
	conditions["blob-untyped"] = func(v *View) bool {
		return slices.ContainsFunc(v.Content, func(b *schema.Value) bool {
			return blockKind(b) == "blob" && !b.Get("resource").Has("mimeType")
		})
	}
	conditions["picture"] = func(v *View) bool { return v.hasBlock("image") || v.hasBlock("image_blob") }
}

func init() {
	RegisterRender(Render{
		Name: "say-on-words",
		Doc:  `Says "text" as say does when a call failed and what the host or the server said of it matches "matching", a regular expression (RE2) without regard to case.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Matching string `json:"matching"`
				Text     string `json:"text"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			re, err := regexp.Compile("(?i)" + p.Matching)
			if err != nil {
				return nil, err
			}
			return func(v *View) error {
				words := v.Rejected
				if v.RPCError != nil && words == "" {
					words, _ = v.RPCError.Get("message").IsString()
				}
				if v.done || v.Refused || strings.TrimSpace(words) == "" || !re.MatchString(words) {
					return nil
				}
				v.done = true
				v.Parts = append(v.Parts, Part{"text", v.expand(p.Text)})
				return nil
			}, nil
		},
	})
}
