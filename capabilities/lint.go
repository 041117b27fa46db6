package capabilities

import (
	"fmt"
	"net/url"
	"regexp"
	"sort"
	"strings"
	"time"
)

// Fault is something wrong with the table that decoding does not refuse.
type Fault struct {
	File    string `json:"file"`
	Claim   string `json:"claim,omitempty"` // key[index], with "mode/" before it in a mode
	Message string `json:"message"`
}

func (f Fault) String() string {
	if f.Claim == "" {
		return f.File + ": " + f.Message
	}
	return f.File + ": claim " + f.Claim + ": " + f.Message
}

// githubPage are the pages of GitHub that evidence may name; "…/issue/1" is none.
var githubPage = regexp.MustCompile(`^/[\w.-]+/[\w.-]+(/(issues|pull|discussions)/\d+|/(blob|tree|commit|compare|releases|wiki|security|actions)/.+)?/?$`)

// isDay reports whether a date is a day of the calendar, as YYYY-MM-DD.
func isDay(date string) bool {
	_, err := time.Parse(time.DateOnly, date)
	return err == nil
}

// kinds are the values of Host.Kind.
var kinds = map[string]bool{"host": true, "framework": true, "sdk": true, "api": true, "spec": true}

// Lint looks for what a careful reader would object to: ranges that overlap with
// the same value or leave holes, evidence without date or place, evidence that no
// claim uses, observed claims without a record, kinds that don't exist, claims that
// tell only a part and don't say so. Whether
// operations, profiles and shapes exist is checked by package matrix/tablecheck.
func (t *Table) Lint() []Fault {
	var out []Fault
	for _, h := range t.Hosts() {
		out = append(out, h.lint()...)
	}
	return out
}

func (h *Host) lint() []Fault {
	var out []Fault
	report := func(claim, format string, args ...any) {
		out = append(out, Fault{h.file, claim, fmt.Sprintf(format, args...)})
	}
	used := map[string]bool{}
	h.EachClaim(func(mode, key string, i int, c Claim) {
		name := fmt.Sprintf("%s[%d]", key, i)
		if mode != "" {
			name = mode + "/" + name
		}
		for _, id := range c.Evidence {
			used[id] = true
		}
		if why := h.partial(c); why != "" && c.Note == "" {
			report(name, "%s; a note must say what is not known, or what it stands on", why)
		}
		if h.Kind != "spec" && h.Kind != "api" && c.Since == "" && c.Until == "" && h.onlyObserved(c) {
			report(name, "an observed claim needs a version range")
		}
	})
	for key, list := range h.Claims {
		h.lintRanges(key, list, report)
	}
	ids := make([]string, 0, len(h.Evidence))
	for id := range h.Evidence {
		ids = append(ids, id)
	}
	sort.Strings(ids)
	for _, id := range ids {
		h.lintEvidence(id, used[id], func(format string, args ...any) { report("", "evidence "+id+": "+format, args...) })
	}
	return out
}

var undecided = regexp.MustCompile(`"on_failure"\s*:\s*"(unknown|note)"`)

// partial says why a claim tells less than what the host does, "" when it does not.
func (h *Host) partial(c Claim) string {
	if m := undecided.FindSubmatch(c.Value); m != nil {
		return fmt.Sprintf("a check ends in %q", m[1])
	}
	for _, id := range c.Evidence {
		if h.Evidence[id].Basis != Inferred {
			return ""
		}
	}
	return "it is inferred"
}

func (h *Host) onlyObserved(c Claim) bool {
	for _, id := range c.Evidence {
		if e := h.Evidence[id]; e.Basis != Observed || e.Version == "" {
			return false
		}
	}
	return true
}

// lintRanges looks for overlaps that say the same and for holes.
func (h *Host) lintRanges(key string, list []Claim, report func(string, string, ...any)) {
	sorted := append([]Claim(nil), list...)
	sort.SliceStable(sorted, func(i, j int) bool {
		return CompareVersions(strings.TrimPrefix(sorted[i].Since, "≤"), strings.TrimPrefix(sorted[j].Since, "≤")) < 0
	})
	for i := 1; i < len(sorted); i++ {
		before, after := sorted[i-1], sorted[i]
		since := strings.TrimPrefix(after.Since, "≤")
		switch {
		case since == "" && string(before.Value) == string(after.Value):
			report(key, "two claims say the same for the same versions; one claim can name both pieces of evidence")
		case before.Until == "" || since == "":
			if string(before.Value) == string(after.Value) {
				report(key, "the ranges overlap from %s on and say the same", after.Since)
			}
		case CompareVersions(before.Until, since) < 0:
			report(key, "the ranges leave a hole from %s to %s", before.Until, since)
		case CompareVersions(before.Until, since) > 0 && string(before.Value) == string(after.Value):
			report(key, "the ranges overlap from %s to %s and say the same", since, before.Until)
		}
	}
}

func (h *Host) lintEvidence(id string, used bool, report func(string, ...any)) {
	e := h.Evidence[id]
	if !used {
		report("no claim uses it")
	}
	if e.Date == "" {
		report("it has no date")
	} else if !isDay(e.Date) {
		report("the date %q is no day written YYYY-MM-DD", e.Date)
	}
	switch e.Basis {
	case Observed:
		if e.Record == "" && e.Text == "" {
			report("an observation needs a record or says in text what was run")
		}
	case Source:
		if e.Path == "" {
			report("a source reading names the path that was read")
		}
	case Documented, Reported:
		if u, err := url.Parse(e.URL); err != nil || u.Scheme != "https" || u.Host == "" {
			report("the URL %q is not an https address", e.URL)
		} else if u.Host == "github.com" && !githubPage.MatchString(u.Path) {
			report("the URL %q is no page of GitHub: an issue is /OWNER/NAME/issues/N, a change /OWNER/NAME/pull/N", e.URL)
		}
	case Inferred:
		if e.Text == "" {
			report("an inference says what it is drawn from")
		}
	}
}
