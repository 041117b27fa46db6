package stage

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// OfferStage makes what the model gets of every tool: name, description, schema
// and, where the model reads declarations, their text; then asks whether the
// model's API takes it.
func OfferStage(s *State) {
	if s.Session == nil {
		return
	}
	for _, t := range s.Tools {
		if !t.Gone {
			s.offer(t)
		}
		if s.Lost {
			return
		}
	}
	s.collide()
	for _, t := range s.present() {
		s.renderDeclaration(t)
	}
	s.countTools()
	if !s.Lost && !s.TrustAPI {
		s.askAPI()
	}
}

func (s *State) offer(t *Tool) {
	subject := s.subject(t)
	t.Offered = Offer{Present: true, Name: t.Name, Description: subject.Description, Schema: t.Input}
	if !s.precheck(t, subject, false) || !s.rewriteSchema(t, &subject) || !s.precheck(t, subject, true) || !s.describe(t, &subject) || !s.name(t, &subject) {
		t.Offered = Offer{}
		return
	}
	t.Offered.Name, t.Offered.Description, t.Offered.Schema = subject.Name, subject.Description, subject.Schema
	if _, f := capabilities.Get[[]capabilities.Op](s.Host, "offer.schema"); f != nil {
		for _, loss := range operation.Losses(t.Input, t.Offered.Schema) {
			severity := verdict.Info
			if loss.Degrades {
				severity = verdict.Warning
			}
			t.add(f, verdict.Finding{Rule: loss.Rule, Severity: severity, Stage: verdict.Offer,
				SchemaPointer: loss.Pointer.String(), Message: loss.Detail})
		}
	}
}

// precheck runs the host's checks of the schema as it is sent, or of the rewritten
// one; false means that the tool is gone.
func (s *State) precheck(t *Tool, subject operation.Subject, rewritten bool) bool {
	checks, f := claim[capabilities.Checks](s, "offer.precheck")
	if checks == nil {
		return true
	}
	mine := slices.DeleteFunc(slices.Clone(*checks), func(c capabilities.Check) bool { return c.Rewritten != rewritten })
	return s.runChecks(t, mine, f, verdict.Offer, subject)
}

// rewriteSchema applies the host's rewrites in order; false means that the tool is gone.
func (s *State) rewriteSchema(t *Tool, subject *operation.Subject) bool {
	ops, f := claim[[]capabilities.Op](s, "offer.schema")
	if ops == nil {
		return true
	}
	for _, op := range *ops {
		rewrite, err := operation.NewRewrite(op.Name, op.Params)
		if err != nil {
			t.add(f, tableFault(verdict.Offer, err))
			continue
		}
		next, err := rewrite(*subject)
		var drop *operation.DropError
		switch {
		case errors.As(err, &drop):
			t.add(f, verdict.Finding{Rule: "tool-dropped", Severity: verdict.Error, Stage: verdict.Offer,
				Blast: verdict.BlastTool, Message: "this host drops the tool: " + drop.Detail, HostText: drop.Detail})
			t.Gone = f.Conflict == nil
			return !t.Gone
		case err != nil:
			t.add(f, verdict.Finding{Rule: "offer-undecided", Severity: verdict.Undecided, Stage: verdict.Offer, Message: err.Error()})
		default:
			*subject = next
		}
	}
	return true
}

func (s *State) describe(t *Tool, subject *operation.Subject) bool {
	d, f := claim[capabilities.Description](s, "offer.description")
	if d == nil {
		return true
	}
	if subject.Description == "" && d.Empty != "" {
		if d.Empty == "tool" {
			t.add(f, verdict.Finding{Rule: "description-empty", Severity: verdict.Error, Stage: verdict.Offer, Blast: verdict.BlastTool,
				Message: "this host drops a tool without a description", HostText: fill(d.Text, "tool", t.Name)})
			t.Gone = true
			return false
		}
		subject.Description = d.Empty
		return true
	}
	length := len(subject.Description)
	if d.Unit != "bytes" {
		length = utf16Length(subject.Description)
	}
	if d.Max == 0 || length <= d.Max {
		return true
	}
	if d.Unit == "bytes" {
		cut := d.Max
		for cut > 0 && !utf8.RuneStart(subject.Description[cut]) {
			cut--
		}
		subject.Description = subject.Description[:cut] + d.Marker
	} else {
		subject.Description = cutUTF16(subject.Description, d.Max) + d.Marker
	}
	t.add(f, verdict.Finding{Rule: "description-cut", Severity: verdict.Warning, Stage: verdict.Offer,
		Message: fmt.Sprintf("the description has %d characters; the model gets the first %d", length, d.Max)})
	return true
}

func (s *State) name(t *Tool, subject *operation.Subject) bool {
	rule, f := claim[capabilities.Name](s, "offer.name")
	if rule == nil {
		return true
	}
	named, err := operation.ApplyName(*rule, s.Target.Name, t.Name)
	if err != nil {
		var drop *operation.DropError
		v := verdict.Finding{Rule: "name-refused", Severity: verdict.Error, Stage: verdict.Offer, Blast: verdict.BlastTool,
			Message: err.Error(), HostText: fill(rule.Text, "name", t.Name, "tool", t.Name)}
		if !errors.As(err, &drop) {
			v.Severity = verdict.Undecided
		}
		t.add(f, v)
		t.Gone = v.Severity == verdict.Error && f.Conflict == nil
		return !t.Gone
	}
	if named.Cut {
		t.add(f, verdict.Finding{Rule: "name-shortened", Severity: verdict.Info, Stage: verdict.Offer,
			Message: fmt.Sprintf("the model knows the tool as %q: the whole name exceeds %d characters", named.Name, rule.Max)})
	}
	subject.Name, t.Offered.Namespace, t.Offered.cut = named.Name, named.Namespace, named.Cut
	return true
}

func (s *State) renderDeclaration(t *Tool) {
	ops, f := claim[[]capabilities.Op](s, "offer.render")
	if ops == nil {
		return
	}
	subject := s.subject(t)
	subject.Name, subject.Description, subject.Schema = t.Offered.Name, t.Offered.Description, t.Offered.Schema
	for _, op := range *ops {
		text, err := operation.RenderDeclaration(op.Name, op.Params, subject, t.Offered.Namespace)
		if err != nil {
			t.add(f, tableFault(verdict.Offer, err))
			return
		}
		t.Offered.Rendered = text
	}
}

// collide applies the host's rule for names that become equal on the way.
func (s *State) collide() {
	rule, f := claim[capabilities.Name](s, "offer.name")
	if rule == nil || rule.Collision == "" || rule.Collision == "all" {
		return
	}
	seen := map[string][]*Tool{}
	for _, t := range s.Tools {
		if t.Offered.Present {
			key := t.Offered.Namespace + "\x00" + t.Offered.Name
			seen[key] = append(seen[key], t)
		}
	}
	for _, t := range s.Tools {
		group := seen[t.Offered.Namespace+"\x00"+t.Offered.Name]
		if !t.Offered.Present || len(group) < 2 || group[0] != t {
			continue
		}
		s.resolveCollision(rule, f, group)
		if s.Lost {
			return
		}
	}
}

func (s *State) resolveCollision(rule *capabilities.Name, f *capabilities.Found, group []*Tool) {
	v := verdict.Finding{Rule: "name-collision", Severity: verdict.Error, Stage: verdict.Offer, Blast: verdict.BlastTool,
		Message: fmt.Sprintf("%d tools of this server reach the model as %q", len(group), group[0].Offered.Name)}
	switch rule.Collision {
	case "hash", "number":
		v.Severity, v.Blast = verdict.Info, ""
		for i, t := range group {
			t.Offered.Name = operation.Disambiguate(*rule, s.Target.Name, t.Name, t.Offered.Name, i)
			t.add(f, v)
		}
	case "server", "request":
		v.Culprit, v.Blast = group[1].Name, verdict.Blast(rule.Collision)
		s.loseServer(f, v)
	case "sorted-last":
		s.keepSortedLast(rule, f, group, v)
	default: // first or last wins
		keep := 0
		if rule.Collision == "last" {
			keep = len(group) - 1
		}
		v.Message += "; this host keeps the " + rule.Collision + " one"
		for i, t := range group {
			if i != keep {
				t.Offered, t.Gone = Offer{}, true
				t.add(f, v)
			}
		}
	}
}

// keepSortedLast sorts the tools of one name by their own names: the last one wins,
// but names that were cut are told apart by a number.
func (s *State) keepSortedLast(rule *capabilities.Name, f *capabilities.Found, group []*Tool, v verdict.Finding) {
	slices.SortStableFunc(group, func(a, b *Tool) int { return strings.Compare(a.Name, b.Name) })
	v.Message += "; this host keeps the one whose own name sorts last"
	numbered := 0
	for i, t := range group {
		switch {
		case t.Offered.cut && i > 0:
			numbered++
			t.Offered.Name = operation.Disambiguate(*rule, s.Target.Name, t.Name, t.Offered.Name, numbered)
		case i < len(group)-1 && !group[i+1].Offered.cut:
			t.Offered, t.Gone = Offer{}, true
			t.add(f, v)
		}
	}
}

func (s *State) countTools() {
	for _, key := range []string{"offer.limits", "offer.api.limits"} {
		limits, f := claim[capabilities.Limits](s, key)
		if limits == nil || (s.TrustAPI && key == "offer.api.limits") {
			continue
		}
		present := s.present()
		if limits.Tools > 0 && len(present) > limits.Tools {
			v := verdict.Finding{Rule: "too-many-tools", Severity: verdict.Error, Stage: verdict.Offer,
				Message:  fmt.Sprintf("the server offers %d tools; the limit here is %d", len(present), limits.Tools),
				HostText: fill(limits.Text, "count", fmt.Sprint(len(present)), "max", fmt.Sprint(limits.Tools))}
			if limits.OnTools == "cut" {
				v.Blast = verdict.BlastTool
				for _, t := range present[limits.Tools:] {
					t.add(f, v)
					t.Offered, t.Gone = Offer{}, true
				}
			} else {
				v.Blast = verdict.BlastRequest
				if limits.OnTools == "server" {
					v.Blast = verdict.BlastServer
				}
				s.loseServer(f, v)
				return
			}
		}
		if limits.Description > 0 {
			s.limitDescriptions(limits, f)
		}
	}
}

func (s *State) limitDescriptions(limits *capabilities.Limits, f *capabilities.Found) {
	for _, t := range s.present() {
		length := utf16Length(t.Offered.Description)
		if length <= limits.Description {
			continue
		}
		v := verdict.Finding{Rule: "description-too-long", Severity: verdict.Error, Stage: verdict.Offer, Blast: verdict.BlastRequest,
			Message: fmt.Sprintf("the description has %d characters; the limit here is %d", length, limits.Description)}
		if limits.OnDesc == "tool" {
			v.Blast = verdict.BlastTool
			t.add(f, v)
			t.Offered, t.Gone = Offer{}, true
			continue
		}
		v.Culprit = t.Name
		s.loseServer(f, v)
		return
	}
}

// askAPI applies the model API's own rules to what the host offers. A refusal
// there fails the whole request.
func (s *State) askAPI() {
	names, nf := claim[capabilities.APIName](s, "offer.api.name")
	checks, cf := claim[capabilities.Checks](s, "offer.api.schema")
	var pattern *regexp.Regexp
	if names != nil {
		var err error
		if pattern, err = regexp.Compile(names.Pattern); err != nil {
			return // lint refuses such a table
		}
	}
	for _, t := range s.present() {
		if pattern != nil {
			if length := utf16Length(t.Offered.Name); !pattern.MatchString(t.Offered.Name) || (names.Max > 0 && length > names.Max) {
				s.loseServer(nf, verdict.Finding{Rule: "api-name-refused", Severity: verdict.Error, Stage: verdict.Offer,
					Blast: verdict.BlastRequest, Culprit: t.Name, HostText: fill(names.Text, "name", t.Offered.Name),
					Message: fmt.Sprintf("the model's API refuses the tool name %q (%d characters)", t.Offered.Name, length)})
				if s.Lost {
					return
				}
			}
		}
		if checks != nil {
			subject := s.subject(t)
			subject.Name, subject.Description, subject.Schema = t.Offered.Name, t.Offered.Description, t.Offered.Schema
			if !s.runChecks(t, *checks, cf, verdict.Offer, subject) && s.Lost {
				return
			}
		}
	}
}

// offered returns the tools of the part that the model was offered, those included
// whose calls the host refuses.
func (s *State) offered() []*Tool {
	var out []*Tool
	for _, t := range s.part {
		if t.Offered.Present {
			out = append(out, t)
		}
	}
	return out
}

// present returns the tools of the part that are offered and can be called.
func (s *State) present() []*Tool {
	var out []*Tool
	for _, t := range s.part {
		if t.Offered.Present && !t.Gone {
			out = append(out, t)
		}
	}
	return out
}

func utf16Length(s string) int {
	n := 0
	for _, r := range s {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}
