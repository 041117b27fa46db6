package operation

import (
	"encoding/json"
	"strings"
)

func init() {
	RegisterRender(Render{
		Name: "fold-lines",
		Doc: `Folds each text part of more than "max" UTF-16 units or more than "lines" lines: a fifth of both limits for the first lines, the rest for the last, "joint" between and "lead" before. ` +
			`A line that does not fit is cut, with "ellipsis" where it was. "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p foldedLines
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if !holds(v, p.When) {
					return nil
				}
				for i, part := range v.Parts {
					if part.Kind != "text" {
						continue
					}
					if folded, kept, of := p.fold(part.Text); kept < of {
						v.Parts[i].Text = folded
						v.Cuts = append(v.Cuts, CutMark{Kept: kept, Of: of, Marker: p.Joint})
					}
				}
				return nil
			}, nil
		},
	})
}

type foldedLines struct {
	Max      int      `json:"max"`
	Lines    int      `json:"lines"`
	Lead     string   `json:"lead"`
	Joint    string   `json:"joint"`
	Ellipsis string   `json:"ellipsis"`
	When     []string `json:"when"`
}

// share is the part of both limits that goes to the head, as Gemini CLI's
// descendants divide it. Source: Qwen Code 0.15.10, truncateAndSaveToFile.
const share = 5

func (p foldedLines) fold(text string) (folded string, kept, of int) {
	lines := strings.Split(text, "\n")
	of = utf16Len(text)
	if of <= p.Max && len(lines) <= p.Lines {
		return text, of, of
	}
	most := min(p.Lines, len(lines))
	forHead := max(most/share, 1)
	head, used := p.take(lines, forHead, p.Max/share, false)
	behind := lines[max(len(lines)-(most-forHead), len(head)):]
	tail, usedBehind := p.take(behind, len(behind), max(p.Max-used-utf16Len(p.Joint), 0), true)
	return p.Lead + strings.Join(head, "\n") + p.Joint + strings.Join(tail, "\n"), min(used+usedBehind, of-1), of
}

// take keeps whole lines from one end within a budget of units, line breaks
// counted; the first that does not fit is cut and ends it.
func (p foldedLines) take(lines []string, most, budget int, fromEnd bool) (kept []string, used int) {
	for i := range min(most, len(lines)) {
		line := lines[i]
		if fromEnd {
			line = lines[len(lines)-1-i]
		}
		left := budget - used
		if left <= 0 {
			break
		}
		whole := units(line)
		if len(whole)+1 > left {
			n := max(left-utf16Len(p.Ellipsis), 0)
			switch {
			case !fromEnd:
				line = ofUnits(whole[:min(n, len(whole))]) + p.Ellipsis
			case n == 0: // slice(-0) is the whole line
				line = p.Ellipsis + line
			default:
				line = p.Ellipsis + ofUnits(whole[max(len(whole)-n, 0):])
			}
			kept, used = append(kept, line), budget
			break
		}
		kept, used = append(kept, line), used+len(whole)+1
	}
	if fromEnd {
		for i, j := 0, len(kept)-1; i < j; i, j = i+1, j-1 {
			kept[i], kept[j] = kept[j], kept[i]
		}
	}
	return kept, used
}
