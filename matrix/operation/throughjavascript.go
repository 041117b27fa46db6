package operation

import (
	"encoding/json"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "through-javascript",
		Doc:  `Writes the inputSchema as a program in JavaScript does that has read it: numbers as doubles (12345678901234567890 becomes 12345678901234567000), of members with one name the last. A program in Go that reads it into interface values does the same.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) (Subject, error) {
				if s.Schema == nil {
					return s, nil
				}
				text := s.Schema.Stringify("")
				if text == s.Schema.Compact() {
					return s, nil
				}
				// What cannot be read back (a number beyond a double became null) stays readable.
				if v, err := schema.ParseString(text); err == nil {
					s.Schema = v
				}
				return s, nil
			}, nil
		},
	})
}
