package upkeep

import (
	"io/fs"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

var (
	repoForm   = regexp.MustCompile(`^[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+$`)
	commitForm = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
)

var evidenceObject = regexp.MustCompile(`"evidence"\s*:\s*\{`)

// evidenceLine is the line of a piece of evidence; claims have members named
// "evidence" too, but theirs are lists.
func (l *linter) evidenceLine(id string) int {
	at := evidenceObject.FindStringIndex(l.text)
	if at == nil {
		return 0
	}
	i := strings.Index(l.text[at[0]:], `"`+id+`"`)
	if i < 0 {
		return 0
	}
	return 1 + strings.Count(l.text[:at[0]+i], "\n")
}

// evidence checks that each piece can be found again by a person.
func (l *linter) evidence(h *capabilities.Host, used map[string]bool) {
	ids := make([]string, 0, len(h.Evidence))
	for id := range h.Evidence {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		e := h.Evidence[id]
		line := l.evidenceLine(id)
		say := func(level Level, format string, args ...any) {
			l.add(level, line, "evidence %q: "+format, append([]any{id}, args...)...)
		}
		if !used[id] {
			say(Warning, "no claim uses it")
		}
		switch {
		case e.Date == "":
			say(Warning, "it has no date")
		case !dateLike(e.Date):
			say(Error, "date %q is not YYYY-MM-DD", e.Date)
		}
		if e.URL != "" {
			if u, err := url.Parse(e.URL); err != nil || u.Scheme != "https" || u.Host == "" {
				say(Error, "url %q is no https address", e.URL)
			}
		}
		if e.Repo != "" && !repoForm.MatchString(e.Repo) {
			say(Error, "repo %q is not owner/name", e.Repo)
		}
		if e.Commit != "" && !commitForm.MatchString(e.Commit) {
			say(Error, "commit %q is no hash", e.Commit)
		}
		if e.Record != "" {
			if _, err := fs.Stat(l.fsys, e.Record); err != nil {
				say(Error, "record %s is not there", e.Record)
			}
		}
		switch e.Basis {
		case capabilities.Observed:
			if e.Version == "" {
				say(Warning, "it was observed, and does not say in which version")
			}
			if e.Record == "" && e.Text == "" {
				say(Warning, "it was observed, and neither a record nor a text says what")
			}
		case capabilities.Source:
			if e.Path == "" && e.URL == "" && e.Text == "" {
				say(Warning, "it was read in the source, and does not say where")
			}
		case capabilities.Documented, capabilities.Reported:
			if e.URL == "" && e.Text == "" {
				say(Warning, "it is %s, and does not say where", e.Basis)
			}
		}
	}
}
