package cases

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
)

// ofItsDay says that nobody knows which version an expectation is about: it rests on
// a report or a reading and names none, and so was true of the newest version of
// the day on which somebody wrote it down.
func ofItsDay(e recording.Expectation) bool {
	return e.Version == "" && e.Basis != string(capabilities.Observed)
}

// earlier looks for the youngest version before the newest that meets the
// expectation, "" if there is none. It does not make the expectation agree, since
// what counts is the newest version; it tells a fault that the host has mended since
// from one that the table does not know.
func (r Runner) earlier(e recording.Expectation, newest *capabilities.Resolved, evaluate func(*capabilities.Resolved) Got) string {
	for _, version := range versionsBefore(newest) {
		host, err := r.Table.Resolve(e.Host + "@" + version)
		if err != nil {
			return ""
		}
		if len(differences(e, evaluate(host))) == 0 {
			return version
		}
	}
	return ""
}

// versionsBefore lists the versions that the column's row names in its evidence and
// at the start of its ranges, without the column's own, youngest first.
func versionsBefore(column *capabilities.Resolved) []string {
	var out []string
	add := func(v string) {
		if v = strings.TrimPrefix(v, "≤"); v != "" && capabilities.CompareVersions(v, column.Version) < 0 {
			out = append(out, v)
		}
	}
	for _, e := range column.Host.Evidence {
		add(e.Version)
	}
	column.Host.EachClaim(func(_, _ string, _ int, c capabilities.Claim) { add(c.Since) })
	slices.SortFunc(out, func(a, b string) int {
		return cmp.Or(capabilities.CompareVersions(b, a), strings.Compare(a, b))
	})
	return slices.CompactFunc(out, func(a, b string) bool { return capabilities.CompareVersions(a, b) == 0 })
}
