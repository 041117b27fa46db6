package cases

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/recording"
)

// ofItsDay says that an expectation is about the newest version of the day on which
// somebody wrote it down: it rests on a report or a reading and names no version. An
// observation without a version is held to the newest one that the table knows.
func ofItsDay(e recording.Expectation) bool {
	return e.Version == "" && e.Basis != string(capabilities.Observed)
}

// earlier looks for the youngest version before the newest that meets the
// expectation. A report that names no version cannot be refuted by what a later
// version does; the table agrees with it if one of the versions that its evidence
// or its ranges name does what the report says. What the newest one does is kept in
// the reason, so that nobody takes an old fault for one of today.
func (r Runner) earlier(e recording.Expectation, newest *capabilities.Resolved, now Got, evaluate func(*capabilities.Resolved) Got) (Got, bool) {
	for _, version := range versionsBefore(newest) {
		host, err := r.Table.Resolve(e.Host + "@" + version)
		if err != nil {
			return now, false
		}
		got := evaluate(host)
		if len(differences(e, got)) > 0 {
			continue
		}
		got.Version = version
		got.Reason = fmt.Sprintf("the newest, %s: %s", newest.Version, join(now.Verdict, now.Stage, now.Blast))
		return got, true
	}
	return now, false
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
