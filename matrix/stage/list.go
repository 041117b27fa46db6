package stage

import (
	"fmt"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// List decides which tools survive the host's reading of tools/list: pages, the
// typed parser, duplicate names, entries it leaves out, and outputSchemas that
// are compiled when the list is read.
func List(s *State) {
	if s.Session == nil {
		return
	}
	s.readPages()
	if s.Lost || !s.parseList() {
		return
	}
	s.dropNullOutputs()
	s.dropEntries()
	s.compileOutputs()
	if !s.Lost {
		s.resolveDuplicates()
	}
}

func (s *State) readPages() {
	for i, page := range s.Session.Pages {
		if page.Failed != nil && page.Failed.Kind == recording.Interrupted {
			// That conform was stopped says nothing about the server.
			s.Server = append(s.Server, verdict.Finding{Rule: "not-evaluated", Severity: verdict.Undecided, Stage: verdict.List,
				Message: fmt.Sprintf("interrupted while tools/list (page %d) was read", i+1)})
			for _, t := range s.Tools {
				t.add(nil, verdict.Finding{Rule: "not-evaluated", Severity: verdict.Undecided, Stage: verdict.List,
					Message: fmt.Sprintf("interrupted while tools/list (page %d) was read: a later page may take this tool along", i+1)})
			}
			continue
		}
		if page.Failed != nil {
			s.loseServer(nil, verdict.Finding{
				Rule: "list-failed", Severity: verdict.Error, Stage: verdict.List,
				Message: fmt.Sprintf("tools/list (page %d) failed: %s", i+1, page.Failed.Text), HostText: page.Failed.Raw,
			})
			return
		}
	}
	p, f := claim[capabilities.Pages](s, "list.pages")
	if p == nil {
		return
	}
	limit := p.Max
	if p.Follow == "first" {
		limit = 1
	}
	pages := len(s.Session.Pages)
	if full := s.fullAfter(p.Tools); full > 0 && (limit == 0 || full < limit) {
		limit = full
	}
	if limit > 0 && pages > limit {
		if p.OnMax == "server" {
			s.loseServer(f, verdict.Finding{
				Rule: "page-limit", Severity: verdict.Error, Stage: verdict.List,
				Message: fmt.Sprintf("tools/list has %d pages; this host gives up after %d", pages, limit),
			})
			return
		}
		for _, t := range s.Tools {
			if t.Page >= limit {
				t.add(f, verdict.Finding{
					Rule: "page-not-read", Severity: verdict.Error, Stage: verdict.List, Blast: verdict.BlastTool,
					Message: fmt.Sprintf("the tool is on page %d of tools/list; this host reads %d", t.Page+1, limit),
				})
				t.Gone = true
			}
		}
	}
	if p.Validators == "last-page" {
		for _, t := range s.Tools {
			t.Unvalidated = t.Page < min(pages, limitOr(limit, pages))-1
		}
	}
}

// fullAfter is the number of pages that hold the first tools of the list, 0 when
// there is no such limit or not that many.
func (s *State) fullAfter(tools int) int {
	if tools > 0 && len(s.Tools) >= tools {
		return s.Tools[tools-1].Page + 1
	}
	return 0
}

func limitOr(limit, otherwise int) int {
	if limit > 0 {
		return limit
	}
	return otherwise
}

// dropEntries applies the rules by which the host leaves single tools out.
func (s *State) dropEntries() {
	checks, f := claim[capabilities.Checks](s, "list.drop")
	if checks == nil {
		return
	}
	for _, t := range s.Tools {
		if !t.Gone {
			s.runChecks(t, *checks, f, verdict.List, s.subject(t))
		}
	}
}
