package reports

import (
	"fmt"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// headline says in a sentence or two how bad it is, before anything else is read.
func headline(r *verdict.Report) string {
	broken, worse, lost := map[string]bool{}, map[string]bool{}, map[hostKey]bool{}
	hosts, worseHosts := map[hostKey]bool{}, map[hostKey]bool{}
	unknown := 0
	for _, c := range r.Cells {
		h := hostKey{c.Host, c.HostVersion}
		switch c.Verdict {
		case verdict.Breaks:
			hosts[h] = true
			if c.Tool == "" {
				lost[h] = true
			} else {
				broken[c.Tool] = true
			}
		case verdict.Degraded:
			worse[c.Tool], worseHosts[h] = true, true
		case verdict.Unknown:
			unknown++
		}
	}
	for tool := range broken {
		delete(worse, tool)
	}
	tools := len(r.Tools)
	switch {
	case len(lost) > 0 && len(broken) == 0:
		return fmt.Sprintf("%s breaks in %s.", whole(r), of(len(lost), len(r.Hosts), "host"))
	case len(broken) > 0:
		text := fmt.Sprintf("%s %s in %s.", opening(of(len(broken), tools, "tool")), third(len(broken), "break"), of(len(hosts), len(r.Hosts), "host"))
		if len(lost) > 0 {
			text += fmt.Sprintf(" %s breaks in %d of them.", whole(r), len(lost))
		}
		if len(worse) > 0 {
			text += fmt.Sprintf(" %d more %s something on the way.", len(worse), third(len(worse), "lose"))
		}
		return text
	case len(worse) > 0:
		return fmt.Sprintf("Nothing breaks. %s %s something on the way in %s.", opening(of(len(worse), tools, "tool")), third(len(worse), "lose"), of(len(worseHosts), len(r.Hosts), "host"))
	case tools == 0:
		return "Nothing can be said: there are no tools."
	case unknown > 0:
		return fmt.Sprintf("Nothing breaks where it could be established; %s could not.", plural(unknown, "cell"))
	}
	return fmt.Sprintf("Nothing breaks: %s, %s.", plural(tools, "tool"), plural(len(r.Hosts), "host"))
}

// whole names what a cell without a tool is about. In a report about several servers
// the others may work.
func whole(r *verdict.Report) string {
	if len(r.Servers) > 1 {
		return fmt.Sprintf("At least one whole server of %d", len(r.Servers))
	}
	return "The whole server"
}

// of is "3 of 8 tools", or "both tools", "all 8 tools".
func of(n, all int, noun string) string {
	switch {
	case n >= all && n == 2:
		return "both " + noun + "s"
	case n >= all && n > 1:
		return "all " + plural(n, noun)
	case n >= all:
		return plural(n, noun)
	}
	return fmt.Sprintf("%d of %s", n, plural(all, noun))
}

// opening begins a sentence.
func opening(text string) string { return strings.ToUpper(text[:1]) + text[1:] }

// third puts a verb into the form for n things.
func third(n int, verb string) string {
	if n == 1 {
		return verb + "s"
	}
	return verb
}

// counts says how many cells have which verdict.
func counts(s verdict.Summary) string {
	return fmt.Sprintf("%d %s, %d degraded, %d %s, %d unknown", s.Works, third(s.Works, "work"), s.Degraded, s.Breaks, third(s.Breaks, "break"), s.Unknown)
}
