package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

func init() {
	RegisterRender(Render{
		Name: "preview",
		Doc: `Shows of a text of more than "over" UTF-16 units its first "head" between "lead" and "trail", up to the last line break in them where there is one behind the first character; ` +
			`"escape" lists pairs that are replaced in it. {kb} in lead and trail is the size in KiB, {sha256} the text's digest. A text that begins with "unless" stays. "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p preview
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if holds(v, p.When) {
					v.joinText("\n", func(text string) string { return p.show(v, text) })
				}
				return nil
			}, nil
		},
	})
}

type preview struct {
	Over   int      `json:"over"`
	Head   int      `json:"head"`
	Lead   string   `json:"lead"`
	Trail  string   `json:"trail"`
	Escape []string `json:"escape"`
	Unless string   `json:"unless"`
	When   []string `json:"when"`
}

func (p preview) show(v *View, text string) string {
	all := units(text)
	if len(all) <= p.Over || p.Unless != "" && strings.HasPrefix(text, p.Unless) {
		return text
	}
	head := ofUnits(all[:min(p.Head, len(all))])
	if i := strings.LastIndexByte(head, '\n'); i > 0 {
		head = head[:i]
	}
	v.Cuts = append(v.Cuts, CutMark{Kept: utf16Len(head), Of: len(all)})
	if len(p.Escape)%2 == 0 {
		head = strings.NewReplacer(p.Escape...).Replace(head)
	}
	digest := sha256.Sum256([]byte(text))
	fill := strings.NewReplacer("{sha256}", hex.EncodeToString(digest[:]),
		"{kb}", strconv.FormatFloat(math.Floor(float64(len(text))/1024+0.5), 'f', 0, 64)) // Math.round
	return fill.Replace(p.Lead) + head + fill.Replace(p.Trail)
}
