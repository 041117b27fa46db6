package derive

import (
	"slices"
	"strings"
)

// handshake: the requests of the first process, up to the first that is no
// handshake. A client that tries server/discover in a process of its own is seen
// by the number of the process.
func handshake(s Set) *Claim {
	type try struct {
		Method  string `json:"method"`
		Version string `json:"version"`
	}
	var tries []try
	for _, step := range s.Handshake {
		if step.Method == "initialize" || step.Method == "server/discover" {
			tries = append(tries, try{step.Method, step.Version})
		}
	}
	if len(tries) == 0 {
		return nil
	}
	c := claim("connect.handshake")
	c.set("tries", tries)
	return c
}

// listShape: one bad entry loses the server, or only itself. Servers with a control
// tool tell.
func listShape(s Set) *Claim {
	var lost, dropped []string
	for _, l := range s.Lines {
		if l.Offered == nil || len(l.Siblings) == 0 || !slices.Contains(malformed, l.Probe) && !strings.HasPrefix(l.Probe, "h_in_") {
			continue
		}
		if l.Offered.Lost {
			lost = append(lost, l.Probe)
		} else if !l.Offered.Present && slices.Contains(malformed, l.Probe) {
			dropped = append(dropped, l.Probe)
		}
	}
	// A tool that is dropped later (offer), for its schema, looks like one that the
	// parser drops; several that go missing alone, and are no tools by their types, are
	// the parser's doing.
	c := claim("list.shape", slices.Concat(lost, dropped)...)
	switch {
	case len(lost) > 0:
		c.From = lost
		c.set("on_failure", "server")
	case len(dropped) >= 2:
		c.set("on_failure", "tool")
	default:
		return nil
	}
	return c
}

// malformed are definitions that are no tools by the types of their members, whatever
// their schemas say.
var malformed = []string{"h_in_missing", "h_in_null", "h_in_desc_number", "h_annotations_bad", "h_icons_bad", "h_title_number", "h_meta_bad"}

// pages: whether the host reads on after the first page.
func pages(s Set) *Claim {
	first, second := s.line("page_1"), s.line("page_2")
	if first == nil || second == nil || first.Offered == nil || !first.Offered.Present || second.Offered == nil {
		return nil
	}
	c := claim("list.pages", "page_1", "page_2", "page_3")
	if second.Offered.Present {
		c.set("follow", "all")
		if n, ok := s.Counts["deep"]; ok && n.First == n.Offered {
			limit := Between{From: n.Offered}
			switch {
			case n.Offered == 0: // the second page was read, and the long list was lost whole
				limit = Between{From: 2, Below: n.Listed}
				c.set("on_max", "server")
			case n.Offered < n.Listed:
				limit.Below = n.Offered + 1
			}
			c.set("max", limit)
		}
	} else {
		c.set("follow", "first")
	}
	return c
}

// duplicates: which of two tools of one name are offered.
func duplicates(s Set) *Claim {
	l := s.line("h_name_dup")
	if l == nil || l.Offered == nil {
		return nil
	}
	c := claim("list.duplicates", "h_name_dup")
	first, known := l.Reached["ctl_h_name_dup"]
	switch {
	case !known && !l.Offered.Lost:
		return nil // a model that reports may not have reported it
	case l.Offered.Lost:
		c.set("keep", "server")
	case first && l.Offered.Present:
		c.set("keep", "all")
	case first:
		c.set("keep", "first")
	case l.Offered.Present:
		c.set("keep", "last")
	default:
		return nil
	}
	return c
}

// surface: which parts of a result the model sees, by the sentinels CT_ (content)
// and SC_ (structuredContent).
func surface(s Set) *Claim {
	both := s.line("both_diff")
	if both == nil || both.Seen == nil || both.Called == 0 || both.Seen.Value != nil { // a program gets the object, no text
		return nil
	}
	c := claim("view.surface", "both_diff")
	text := everything(both.Seen)
	content, structured := strings.Index(text, "CT_both_diff"), strings.Index(text, "SC_both_diff")
	switch {
	case content >= 0 && structured >= 0 && strings.Contains(text, `"structuredContent"`):
		c.set("prefers", "raw")
	case content >= 0 && structured > content:
		c.set("prefers", "content+structured")
	case structured >= 0 && content > structured:
		c.set("prefers", "structured+content")
	case content >= 0:
		c.set("prefers", "content")
	case structured >= 0:
		c.set("prefers", "structured")
	default:
		return nil
	}
	if only := s.line("sc_only_empty_content"); only != nil && only.Seen != nil && only.Called > 0 {
		c.From = append(c.From, only.Probe)
		switch text := everything(only.Seen); {
		case strings.Contains(text, "SC_sc_only_empty_content"):
			c.set("structured_only", "structured")
		case text == "":
			c.set("structured_only", "empty")
		}
	}
	return c
}
