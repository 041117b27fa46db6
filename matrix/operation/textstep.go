package operation

import "encoding/json"

// onlyWhen is the parameter "when" that every step has which can be left out.
type onlyWhen struct {
	When []string `json:"when"`
}

func (c onlyWhen) holds(v *View) bool { return holds(v, c.When) }

// registerText makes a step of a change to the joined text parts. P holds its
// parameters and embeds onlyWhen.
func registerText[P interface{ holds(*View) bool }](name, doc string, change func(v *View, p P, text string) string) {
	RegisterRender(Render{Name: name, Doc: doc, New: func(params json.RawMessage) (RenderFunc, error) {
		var p P
		if err := Decode(params, &p); err != nil {
			return nil, err
		}
		return func(v *View) error {
			if p.holds(v) {
				v.joinText("\n", func(text string) string { return change(v, p, text) })
			}
			return nil
		}, nil
	}})
}
