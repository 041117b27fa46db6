package operation

import (
	"encoding/json"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRewrite(Rewrite{
		Name: "plain-text",
		Doc: `Writes every text of the inputSchema, keys and values of enums too, and the description in Unicode's form NFKC (… becomes ..., ① becomes 1) and leaves out format characters, ` +
			`private ones and those that are assigned to nothing, as a guard against hidden text does. The server is called with what is then the name of a parameter.`,
		New: func(params json.RawMessage) (RewriteFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(s Subject) (Subject, error) {
				s.Description = plainText(s.Description)
				s.Schema = plainTexts(s.Schema)
				return s, nil
			}, nil
		},
	})
}

// maxPlain bounds how often a text is written anew until it stays. Source: Claude Code.
const maxPlain = 10

func plainText(text string) string {
	for range maxPlain {
		before := text
		normal := norm.NFKC.String(text)
		kept := make([]byte, 0, len(normal))
		for i := 0; i < len(normal); {
			r, width := schema.DecodeWTF8(normal[i:])
			if !hiddenRune(r) {
				kept = append(kept, normal[i:i+width]...)
			}
			i += width
		}
		if text = string(kept); text == before {
			break
		}
	}
	return text
}

// hiddenRune reports whether r is of category Cf, Co or Cn.
func hiddenRune(r rune) bool {
	return r > 0x7F && unicode.In(r, unicode.Cf, unicode.Co, unicode.Cn)
}

// plainTexts changes all texts of a value, and is the value itself where none changes.
func plainTexts(v *schema.Value) *schema.Value {
	if v == nil {
		return nil
	}
	changed := false
	switch v.Kind {
	case schema.String:
		if text := plainText(v.Text); text != v.Text {
			return schema.Str(text)
		}
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = plainTexts(item)
			changed = changed || items[i] != item
		}
		if changed {
			return schema.List(items...)
		}
	case schema.Object:
		members := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = schema.Member{Key: plainText(m.Key), Value: plainTexts(m.Value)}
			changed = changed || members[i].Key != m.Key || members[i].Value != m.Value
		}
		if changed {
			return schema.Obj(members...)
		}
	}
	return v
}
