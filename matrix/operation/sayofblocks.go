package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

// blockWords are the words for a block of which conditions hold.
type blockWords struct {
	When []string `json:"when"`
	Text string   `json:"text"`
}

func init() {
	RegisterRender(Render{
		Name: "say-of-first-block",
		Doc:  `Shows the model what the first block that it can't take calls for, as say does: "of" lists "when" and "text" as in say, the conditions asked of one block after another, each as if it were the only one.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Of []blockWords `json:"of"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			for _, words := range p.Of {
				own, err := json.Marshal(words)
				if err != nil {
					return nil, err
				}
				if err := knownConditions(own); err != nil {
					return nil, err
				}
			}
			return func(v *View) error {
				if v.done {
					return nil
				}
				for _, b := range v.Content {
					alone := *v
					alone.Content, alone.Result = []*schema.Value{b}, v.Result.With("content", schema.List(b))
					for _, words := range p.Of {
						if holds(&alone, words.When) {
							v.done = true
							v.Parts = append(v.Parts, Part{"text", alone.expand(words.Text)})
							return nil
						}
					}
				}
				return nil
			}, nil
		},
	})
}
