package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

// Connect decides whether the host and the server agree on a protocol revision.
// Without a claim the stage is not modelled and says nothing, except that a server
// on which no session worked at all is not known to work.
func Connect(s *State) {
	h, f := claim[capabilities.Handshake](s, "connect.handshake")
	if h == nil && s.Session == nil {
		s.Server = append(s.Server, verdict.Finding{
			Rule: "handshake-not-captured", Severity: verdict.Undecided, Stage: verdict.Connect,
			Message: "no handshake of this run worked, and the table does not say which ones this host tries",
		})
	}
	if h == nil || s.Session == nil {
		return
	}
	got := s.Session.Negotiated
	if s.Session.InitError != nil {
		s.loseServer(f, verdict.Finding{
			Rule: "handshake-failed", Severity: verdict.Error, Stage: verdict.Connect,
			Message:  "the server answers none of the handshakes that this host tries (" + triesText(h) + "): " + s.Session.InitError.Text,
			HostText: s.Session.InitError.Raw,
		})
		return
	}
	if s.helloRefused() {
		return
	}
	accepted, f := claim[capabilities.Versions](s, "connect.versions")
	if got == "" || accepted == nil || slices.Contains(accepted.Accepts, got) {
		return
	}
	if !asked(h, s.Session.Requested) {
		// The session is another client's handshake. What the server would answer to
		// this host was not captured, and servers negotiate down; the later stages
		// are told on what there is.
		s.Server = append(s.Server, finding(f, verdict.Finding{
			Rule: "handshake-not-captured", Severity: verdict.Info, Stage: verdict.Connect,
			Message: fmt.Sprintf("evaluated on a %s session; this host tries %s, which was not captured or did not work", got, triesText(h)),
		}))
		return
	}
	s.loseServer(f, verdict.Finding{
		Rule: "protocol-version-refused", Severity: verdict.Error, Stage: verdict.Connect,
		Message:  fmt.Sprintf("the server speaks %s; this host goes on only with %s", got, strings.Join(accepted.Accepts, ", ")),
		HostText: fill(accepted.Refused, "version", got),
	})
}

// helloRefused runs the typed parser through which a host reads the answer to the
// handshake; one that it refuses ends the session.
func (s *State) helloRefused() bool {
	claimed, f := claim[capabilities.Shape](s, "connect.shape")
	if claimed == nil || s.Session.Init == nil {
		return false
	}
	sh := s.shape(claimed)
	part := "initialize"
	if s.Session.Modern() {
		part = "discover"
	}
	if sh == nil {
		return false
	}
	issues := s.parsed(claimed, sh, part, s.Session.Init)
	if len(issues) == 0 {
		return false
	}
	text := sh.Text(part, issues)
	if claimed.Text != "" {
		text = fill(claimed.Text, "issues", text)
	}
	s.loseServer(f, verdict.Finding{
		Rule: "handshake-failed", Severity: verdict.Error, Stage: verdict.Connect,
		Message:  "this host reads the answer to the handshake with a typed parser that refuses it: " + issues[0].Message,
		HostText: text,
	})
	return true
}

// Choose returns the session of a capture that the host would be in: the first
// of its tries that the server answered.
func Choose(host *capabilities.Resolved, capture *recording.Capture) *recording.Session {
	h, _ := capabilities.Get[capabilities.Handshake](host, "connect.handshake")
	if h == nil {
		return capture.SessionFor("2025-11-25")
	}
	for _, try := range h.Tries {
		if len(try.Transports) > 0 && !slices.Contains(try.Transports, capture.Target.Transport) {
			continue
		}
		for _, session := range capture.Sessions {
			if session.InitError != nil || (try.Method != "initialize") != session.Modern() {
				continue
			}
			if session.Requested == try.Version || session.Negotiated == try.Version {
				return session
			}
		}
	}
	for i := len(h.Tries) - 1; i >= 0; i-- {
		if s := capture.SessionFor(h.Tries[i].Version); s != nil {
			return s
		}
	}
	if len(capture.Sessions) > 0 {
		return capture.Sessions[0]
	}
	return nil
}

func asked(h *capabilities.Handshake, version string) bool {
	return slices.ContainsFunc(h.Tries, func(t capabilities.Try) bool { return t.Version == version })
}

// otherEra reports whether the session is of an era that the host never tries: what a
// server says there is not what it would say to this host. A session that the host
// was observed to hold is its own, whatever it tries by default (Codex holds modern
// ones with a flag).
func (s *State) otherEra() bool {
	if s.Session != nil && s.Session.ID == recording.ObservedID {
		return false
	}
	h, _ := capabilities.Get[capabilities.Handshake](s.Host, "connect.handshake")
	return h != nil && s.Session != nil && !slices.ContainsFunc(h.Tries, func(t capabilities.Try) bool {
		return (t.Method != "initialize") == s.Session.Modern()
	})
}

func triesText(h *capabilities.Handshake) string {
	var parts []string
	for _, t := range h.Tries {
		parts = append(parts, t.Method+" "+t.Version)
	}
	return strings.Join(parts, ", then ")
}
