package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "write-numbers",
		Doc: `Writes the numbers of the result as the host's JSON library does that has read it, for the steps that follow. ` +
			`"like": "serde" (1E2 becomes 100.0, 1e21 becomes 1e+21) or "serde-exact" (the digits stay: 1E2 becomes 1e+2).`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Like string `json:"like"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			if err := among("write-numbers: like", p.Like, []string{"serde", "serde-exact"}); err != nil {
				return nil, err
			}
			write := func(literal string) string { return schema.SerdeNumber(literal, p.Like == "serde-exact") }
			return func(v *View) error {
				v.Result, v.Structured = withNumbers(v.Result, write), withNumbers(v.Structured, write)
				content := make([]*schema.Value, len(v.Content))
				for i, b := range v.Content {
					content[i] = withNumbers(b, write)
				}
				if v.Content != nil {
					v.Content = content
				}
				return nil
			}, nil
		},
	})
}

// withNumbers is a value whose numbers are written anew; the value itself where none is.
func withNumbers(v *schema.Value, write func(string) string) *schema.Value {
	if v == nil {
		return nil
	}
	changed := false
	switch v.Kind {
	case schema.Number:
		if text := write(v.Text); text != v.Text {
			if other, err := schema.ParseString(text); err == nil {
				return other
			}
		}
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = withNumbers(item, write)
			changed = changed || items[i] != item
		}
		if changed {
			return schema.List(items...)
		}
	case schema.Object:
		members := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = schema.Member{Key: m.Key, Value: withNumbers(m.Value, write)}
			changed = changed || members[i].Value != m.Value
		}
		if changed {
			return schema.Obj(members...)
		}
	}
	return v
}
