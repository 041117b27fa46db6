package operation

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
)

func init() {
	RegisterRender(Render{
		Name: "token-cut",
		Doc: `Cuts the middle out of what exceeds "bytes" over all text parts together, twice as Codex does: by bytes, then by tokens of four bytes counted per part, ` +
			`each time with …N tokens truncated… in the place; the model sees the second count. Text parts behind that are left out and "[omitted 1 text items ...]" says so (the second cut counts the remark of the first). "once": true cuts by bytes only and counts what was left out. ` +
			`"lead" goes before a text that was cut; {tokens} is the size of the whole text, {lines} its lines. "placeholder" gives placeholders their length on the wire, e.g. {"<seconds>": 6}. ` +
			`"after" skips text up to and with this string.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p tokenCut
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return p.apply, nil
		},
	})
}

type tokenCut struct {
	Bytes       int            `json:"bytes"`
	Once        bool           `json:"once"`
	Lead        string         `json:"lead"`
	After       string         `json:"after"`
	Placeholder map[string]int `json:"placeholder"`
}

const bytesPerToken = 4

func tokens(bytes int) int { return (bytes + bytesPerToken - 1) / bytesPerToken }

// size is the length of a text on the wire.
func (p tokenCut) size(text string) int {
	n := len(text)
	for name, length := range p.Placeholder {
		n += strings.Count(text, name) * (length - len(name))
	}
	return n
}

func (p tokenCut) apply(v *View) error {
	left, leftTokens := p.Bytes, p.Bytes/bytesPerToken
	omitted := false
	for i, part := range v.Parts {
		if part.Kind != "text" {
			continue
		}
		if left == 0 {
			omitted = true
			v.Parts[i].Kind = omittedPart
			continue
		}
		size := p.size(part.Text)
		if size <= left {
			left -= size
			leftTokens -= tokens(size)
			continue
		}
		before, text := "", part.Text
		if p.After != "" {
			if head, rest, ok := strings.Cut(text, p.After); ok {
				before, text = head+p.After, rest
			}
		}
		cut := p.cut(text, left, leftTokens)
		v.Cuts = append(v.Cuts, CutMark{Kept: min(left, leftTokens*bytesPerToken), Of: len(utf16.Encode([]rune(part.Text)))})
		v.Parts[i].Text = before + cut
		left, leftTokens = 0, 0
	}
	if omitted {
		v.Parts = slices.DeleteFunc(v.Parts, func(part Part) bool { return part.Kind == omittedPart })
		v.Parts = append(v.Parts, Part{"text", "[omitted 1 text items ...]"})
	}
	return nil
}

// omittedPart marks a part that is about to go.
const omittedPart = "omitted"

func (p tokenCut) cut(text string, budget, budgetTokens int) string {
	if p.Once {
		fill := strings.NewReplacer("{tokens}", strconv.Itoa(tokens(len(text))), "{lines}", strconv.Itoa(strings.Count(text, "\n")+1))
		return fill.Replace(p.Lead) + middle(text, budget/2, budget-budget/2, tokens(len(text)-budget))
	}
	mark := len(tokenMark(tokens(len(text) - budget)))
	kept := budgetTokens * bytesPerToken
	extra := p.size(text) - len(text) // placeholders stand in the head
	return middle(text, kept/2-extra, kept-kept/2, tokens(budget+mark-kept))
}

func middle(text string, head, tail, left int) string {
	return wholeRunes(text, 0, min(head, len(text))) + tokenMark(left) + wholeRunes(text, max(0, len(text)-tail), len(text))
}

func tokenMark(n int) string { return "…" + strconv.Itoa(n) + " tokens truncated…" }
