package operation

import (
	"encoding/json"
	"net/url"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "close-objects",
		Doc: `Adds "additionalProperties": false to every subschema with properties that does not say anything about others; ` +
			`"typed": true only where its type is the word "object".`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			var p struct {
				Typed bool `json:"typed"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return everyNode(func(n schema.Node) *schema.Value {
				name, _ := n.Schema.Get("type").IsString()
				if !n.Schema.Has("properties") || n.Schema.Has("additionalProperties") || p.Typed && name != "object" {
					return n.Schema
				}
				return n.Schema.With("additionalProperties", schema.Flag(false))
			}), nil
		},
	})
}

// Resolve returns what a reference inside one document names by JSON Pointer, nil
// for anything else.
func Resolve(root *schema.Value, ref string) *schema.Value {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		return nil
	}
	if decoded, err := url.PathUnescape(fragment); err == nil {
		fragment = decoded
	}
	p, ok := schema.ParsePointer(fragment)
	if !ok {
		return nil
	}
	return root.Lookup(p)
}
