package rewrite

import (
	"fmt"
	"strings"
)

// line is what the steps do, for a person who reads one line of a report: the names
// first, by which `conform explain` knows them, then the change, in how many of the
// evaluated hosts the tool was verified to work with it, and what it loses.
func line(steps []Step, works, hosts int) string {
	var does, loses []string
	reshape := false
	for _, s := range steps {
		r, err := Find(s.Rewrite)
		if err != nil {
			continue
		}
		what := lower(r.Title)
		if s.Part != Whole {
			what += " in the " + string(s.Part)
		}
		does = append(does, what)
		if r.Loss != "" {
			loses = append(loses, r.Loss)
		}
		reshape = reshape || r.Reshape != nil
	}
	if len(does) == 0 {
		return ""
	}
	out := Names(steps) + ": " + strings.Join(does, ", then ") + "; verified in " + inHosts(works, hosts)
	if reshape {
		out += "; the server's code has to change its data with it"
	}
	if len(loses) == 0 {
		return out + "; loses nothing"
	}
	return out + "; loses: " + strings.Join(loses, "; ")
}

func inHosts(works, hosts int) string {
	switch {
	case works == hosts && hosts == 1:
		return "the host"
	case works == hosts && hosts == 2:
		return "both hosts"
	case works == hosts:
		return fmt.Sprintf("all %d hosts", hosts)
	}
	return fmt.Sprintf("%d of %d hosts", works, hosts)
}

// lower begins a title in the middle of a sentence. Names of keywords keep their case.
func lower(title string) string {
	if title == "" {
		return ""
	}
	return strings.ToLower(title[:1]) + title[1:]
}
