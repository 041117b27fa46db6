package operation

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "media-behind",
		Doc: `Adds a text part for each image, audio and blob that is not empty behind all parts: of "media" the "text" of the first entry whose "types" hold a prefix of its MIME type, ` +
			`a template as in blocks. "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				Media []medium `json:"media"`
				When  []string `json:"when"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if !holds(v, p.When) {
					return nil
				}
				for _, b := range v.Content {
					if template, ok := mediumOf(b, p.Media); ok {
						v.Parts = append(v.Parts, Part{"text", expandBlock(template, b, v)})
					}
				}
				return nil
			}, nil
		},
	})
}

// medium is what is said of data of some MIME types.
type medium struct {
	Types []string `json:"types"` // prefixes
	Text  string   `json:"text"`
}

func mediumOf(b *schema.Value, media []medium) (string, bool) {
	switch blockKind(b) {
	case "image", "audio", "blob", "image_blob":
	default:
		return "", false
	}
	if emptyBlob(b) {
		return "", false
	}
	mime, _ := blockVariable(b, nil, "mime")
	for _, m := range media {
		if slices.ContainsFunc(m.Types, func(prefix string) bool { return strings.HasPrefix(mime, prefix) }) {
			return m.Text, true
		}
	}
	return "", false
}
