package model

import (
	"fmt"
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// Step is one call that the script wants to make.
type Step struct {
	Probe     string
	Arguments *schema.Value
	// Wire is the tool's name as the server lists it where its description bears no
	// tag: then the tool is known by its name. "" where it has a tag.
	Wire string
}

// request is one turn of a conversation, whatever interface it came by.
type request struct {
	body    *schema.Value
	tools   []Tool
	extra   []string // names of tools of the host itself
	bare    []Tool   // tools without a tag: the host's own, or probes that are known by name
	answers map[string]Answer
	prompt  string // everything that is no tool: prompts and history
}

// turn is what the model says next: a call, a raw output item of the interface, or
// a text.
type turn struct {
	id        string
	call      *Tool
	arguments *schema.Value
	item      map[string]any
	text      string
}

// maxTurns bounds a conversation per planned call: a host that loops ends.
const maxTurns = 6

// script decides the turns. It is not safe for concurrent use; Server guards it.
type script struct {
	plan       []Step
	record     Record
	calls      map[string]Step // by call id
	pending    string
	tries      map[string]int
	done       map[string]bool
	search     search
	code       codeMode
	selections map[string]bool
	declared   []Tool // tools that the host showed as text only
	read       map[string]bool
}

func newScript(plan []Step) *script {
	return &script{plan: plan, calls: map[string]Step{}, tries: map[string]int{}, done: map[string]bool{}, selections: map[string]bool{}, read: map[string]bool{}}
}

// next learns from a request and answers it. A conversation without probe tools is
// a side request (a title, a summary) and gets a word.
func (s *script) next(r request) turn {
	s.record.Requests++
	r.tools = append(r.tools, s.named(r.bare)...)
	s.learn(r)
	if s.record.Requests > maxTurns*(len(s.plan)+10) {
		s.record.Looped = true
		return turn{text: "DONE"}
	}
	if t, ok := s.code.next(s, r); ok {
		return t
	}
	if t, ok := s.searchFor(r); ok {
		return t
	}
	if t, ok := s.disclose(r); ok {
		return t
	}
	offered := r.tools
	if slices.Contains(r.extra, callThrough) {
		offered = append(slices.Clone(offered), s.declared...)
	}
	if len(offered) == 0 {
		return turn{text: "ok"}
	}
	for _, step := range s.plan {
		i := slices.IndexFunc(offered, func(t Tool) bool { return t.Probe == step.Probe })
		if i < 0 || s.done[step.Probe] {
			continue
		}
		if s.tries[step.Probe] == 2 {
			s.done[step.Probe] = true
			s.record.Unanswered = append(s.record.Unanswered, step.Probe)
			continue
		}
		t := s.call(step, &offered[i])
		if offered[i].Via != "" {
			t = through(t)
		}
		return t
	}
	return turn{text: "DONE"}
}

// call starts a call and remembers it by its id.
func (s *script) call(step Step, tool *Tool) turn {
	s.tries[step.Probe]++
	id := fmt.Sprintf("call_%d_%s", len(s.calls)+1, step.Probe)
	s.calls[id] = step
	return turn{id: id, call: tool, arguments: step.Arguments}
}

// learn records tools that are new and answers to calls that were made.
func (s *script) learn(r request) {
	seen := map[string]int{}
	for _, t := range r.tools {
		seen[t.Probe]++
		s.offer(t)
	}
	for probe, n := range seen {
		if i := slices.IndexFunc(s.record.Tools, func(t Tool) bool { return t.Probe == probe }); n > 1 {
			s.record.Tools[i].Copies = n
		}
	}
	for id, a := range r.answers {
		if step, ours := s.calls[id]; ours && !s.done[step.Probe] {
			s.done[step.Probe] = true
			a.Probe, a.Arguments = step.Probe, []byte(step.Arguments.Compact())
			s.record.Answers = append(s.record.Answers, a)
		}
	}
}

func (s *script) offer(t Tool) {
	if t.Probe != "" && !slices.ContainsFunc(s.record.Tools, func(o Tool) bool { return o.Probe == t.Probe }) {
		s.record.Tools = append(s.record.Tools, t)
	}
}

// finish sorts the record into the order of the plan, so that two runs of one host
// give the same record however the host orders its lists.
func (s *script) finish() Record {
	place := map[string]int{}
	for i, step := range s.plan {
		place[step.Probe] = i + 1
	}
	for probe, tries := range s.tries {
		if tries > 0 && !s.done[probe] {
			s.record.Unanswered = append(s.record.Unanswered, probe)
		}
		if tries > 1 {
			s.record.Again = append(s.record.Again, probe)
		}
	}
	order := func(a, b string) int { return place[a] - place[b] }
	slices.SortStableFunc(s.record.Tools, func(a, b Tool) int { return order(a.Probe, b.Probe) })
	slices.SortStableFunc(s.record.Answers, func(a, b Answer) int { return order(a.Probe, b.Probe) })
	slices.Sort(s.record.Unanswered)
	slices.Sort(s.record.Again)
	return s.record
}
