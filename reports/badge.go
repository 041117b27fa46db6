package reports

import (
	"fmt"
	"io"

	"github.com/hostmatrix/conform/matrix/verdict"
)

func init() {
	Register(Format{Name: "badge", Doc: "an SVG badge: in how many hosts nothing fails", Write: writeBadge})
	Register(Format{Name: "shields", Doc: "the same as JSON for a shields.io endpoint badge", Write: writeShields})
}

// badgeOf counts the hosts in which no tool fails. A host about which nothing is
// known does not count as one that works.
func badgeOf(r *verdict.Report, o Options) (text, colour string) {
	works, known := 0, 0
	for _, h := range r.Hosts {
		failed, established := false, false
		for _, c := range r.Cells {
			if c.Host != h.ID || c.HostVersion != h.Version {
				continue
			}
			established = established || c.Verdict != verdict.Unknown
			failed = failed || c.Verdict != verdict.Unknown && c.Verdict != verdict.Works && c.Verdict.Rank() >= o.failOn().Rank()
		}
		if established {
			known++
			if !failed {
				works++
			}
		}
	}
	text = fmt.Sprintf("works in %d of %d hosts", works, len(r.Hosts))
	switch {
	case known == 0:
		return "unknown", "lightgrey"
	case works == len(r.Hosts):
		return text, "brightgreen"
	case works*2 >= len(r.Hosts):
		return text, "yellow"
	}
	return text, "red"
}

const badgeLabel = "MCP hosts"

func writeShields(w io.Writer, r *verdict.Report, o Options) error {
	text, colour := badgeOf(r, o)
	_, err := fmt.Fprintf(w, "%s\n", compact(struct {
		Schema  int    `json:"schemaVersion"`
		Label   string `json:"label"`
		Message string `json:"message"`
		Color   string `json:"color"`
	}{1, badgeLabel, text, colour}))
	return err
}

var badgeColours = map[string]string{"brightgreen": "#3c7a1e", "yellow": "#8a6d00", "red": "#b3261e", "lightgrey": "#5f6368"}

// writeBadge draws the badge. The widths are those of Verdana 11 px, about 6.5 px
// a character, and textLength makes other fonts fit.
func writeBadge(w io.Writer, r *verdict.Report, o Options) error {
	text, colour := badgeOf(r, o)
	left, right := badgeWidth(badgeLabel), badgeWidth(text)
	_, err := fmt.Fprintf(w, `<svg xmlns="http://www.w3.org/2000/svg" width="%[1]d" height="20" role="img" aria-label="%[2]s: %[3]s">
<title>%[2]s: %[3]s</title>
<clipPath id="r"><rect width="%[1]d" height="20" rx="3"/></clipPath>
<g clip-path="url(#r)"><rect width="%[4]d" height="20" fill="#3a3a3a"/><rect x="%[4]d" width="%[5]d" height="20" fill="%[6]s"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="%[7]d" y="14" textLength="%[8]d">%[2]s</text>
<text x="%[9]d" y="14" textLength="%[10]d">%[3]s</text>
</g>
</svg>
`, left+right, badgeLabel, text, left, right, badgeColours[colour], left/2, left-12, left+right/2, right-12)
	return err
}

func badgeWidth(s string) int { return 12 + runes(s)*13/2 }
