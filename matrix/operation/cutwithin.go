package operation

import (
	"strconv"
	"strings"
)

type withinLimit struct {
	onlyWhen
	Max    int    `json:"max"`
	Marker string `json:"marker"`
}

func init() {
	registerText("cut-within",
		`Cuts the middle out of a text longer than "max" UTF-16 units so that head, "marker" and tail together have at most "max", head and tail the same; `+
			`{left} in the marker is what a marker for the text's whole excess would leave out. "when" as in say.`,
		func(v *View, p withinLimit, text string) string {
			cut, kept, of := cutWithin(text, p.Max, p.Marker)
			if kept < of {
				v.Cuts = append(v.Cuts, CutMark{Kept: kept, Of: of, Marker: p.Marker})
			}
			return cut
		})
}

// cutWithin measures the marker twice, as the host does: its number is that of the
// first measure, the halves follow from the second. Source: Cline 3.0.65, QQ.
func cutWithin(text string, most int, marker string) (cut string, kept, of int) {
	all := units(text)
	if len(all) <= most {
		return text, len(all), len(all)
	}
	filled := func(left int) string { return strings.ReplaceAll(marker, "{left}", strconv.Itoa(left)) }
	half := func(marker string) int { return max(0, (most-utf16Len(marker))/2) }
	middle := filled(max(0, len(all)-2*half(filled(len(all)-most))))
	n := half(middle)
	return ofUnits(all[:n]) + middle + ofUnits(all[len(all)-n:]), 2 * n, len(all)
}
