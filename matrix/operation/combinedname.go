package operation

import "encoding/json"

func init() {
	RegisterCheck(Check{
		Name: "combined-name-length",
		Doc:  `Refuses a tool whose server name and tool name together have more than "max" UTF-16 units.`,
		New: func(params json.RawMessage) (CheckFunc, error) {
			var p struct {
				Max int `json:"max"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(s Subject) []Problem {
				if n := utf16Len(s.Server) + utf16Len(s.Name); n > p.Max {
					return []Problem{*problemf(nil, "%d", n)}
				}
				return nil
			}, nil
		},
	})
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r > 0xFFFF {
			n++
		}
	}
	return n
}
