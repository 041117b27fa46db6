package recording

import (
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// Writer writes a recording, line by line, each line in one write, so that what
// was written before an interruption stays readable. It may be used from several
// goroutines.
type Writer struct {
	mu     sync.Mutex
	w      io.Writer
	redact *Redactor
}

// NewWriter writes the header. redactor sees everything before it is written;
// nil means that only credentials which can be recognised by their look go.
func NewWriter(w io.Writer, h Header, redactor *Redactor) (*Writer, error) {
	h.Target = redactor.Target(h.Target)
	out := &Writer{w: w, redact: redactor}
	return out, out.line(h.value())
}

func (w *Writer) line(v *schema.Value) error {
	line := append(schema.Append(nil, v, schema.Style{}), '\n')
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.w.Write(line); err != nil {
		return fmt.Errorf("writing the recording: %w", err)
	}
	return nil
}

// Message writes one message.
func (w *Writer) Message(m Message) error { return w.line(w.redact.Message(m).value()) }

// Problem writes a finding about the capture.
func (w *Writer) Problem(p Problem) error {
	return w.line(note(p.Session, noteProblem, schema.Obj(given(nil,
		"rule", p.Rule, "message", w.redact.Text(p.Message), "raw", w.redact.Text(p.Raw))...)))
}

// Session writes what the messages of an ended session don't say: which
// revision it settled on, and why a page or a call got no answer. It does not
// write the messages.
func (w *Writer) Session(s *Session) error {
	ended := given(nil, "requested", s.Requested, "negotiated", s.Negotiated, "era", string(s.Era), "transport", s.Transport)
	if s.InitError != nil {
		ended = append(ended, member("init_error", w.failure(s.InitError)))
	}
	again := &Session{Messages: s.Messages}
	again.rebuild()
	if written(again.Init) != written(s.Init) {
		ended = append(ended, member("init", orNull(w.clean(s.Init))))
	}
	if err := w.line(note(s.ID, noteSession, schema.Obj(ended...))); err != nil {
		return err
	}
	if err := w.pages(s, again.Pages); err != nil {
		return err
	}
	for _, t := range s.Plan {
		v := schema.Obj(member("tool", schema.Str(w.redact.Text(t.Tool))), member("called", schema.Flag(t.Called)), member("reason", schema.Str(w.redact.Text(t.Reason))))
		if err := w.line(note(s.ID, notePlan, v)); err != nil {
			return err
		}
	}
	return w.calls(s, again.Calls)
}

// pages writes the pages that the messages don't give: those that failed, and
// those of which the recorder left something out because of a limit.
func (w *Writer) pages(s *Session, sent []Page) error {
	for i, p := range s.Pages {
		if p.Failed == nil && i < len(sent) && written(p.Result) == written(sent[i].Result) {
			continue
		}
		members := given([]schema.Member{member("index", schema.Num(int64(i)))}, "cursor", p.Cursor)
		if p.Result != nil {
			members = append(members, member("result", w.clean(p.Result)))
		}
		if p.Failed != nil {
			members = append(members, member("failure", w.failure(p.Failed)))
		}
		if err := w.line(note(s.ID, notePage, schema.Obj(members...))); err != nil {
			return err
		}
	}
	return nil
}

// calls writes the session's calls as far as the messages don't give them in the
// same order and with the same outcome.
func (w *Writer) calls(s *Session, sent []*Call) error {
	from, plain := matchCalls(s.Calls, sent)
	if plain {
		return nil
	}
	for i, c := range s.Calls {
		var members []schema.Member
		if from[i] >= 0 {
			members = append(members, member("request", schema.Num(int64(from[i]))))
		} else {
			members = given(members, "tool", w.redact.Text(c.Tool))
			for _, part := range []schema.Member{member("arguments", c.Arguments), member("result", c.Result), member("error", c.Error)} {
				if part.Value != nil {
					members = append(members, member(part.Key, w.clean(part.Value)))
				}
			}
		}
		if c.Failed != nil {
			members = append(members, member("failure", w.failure(c.Failed)))
		}
		if err := w.line(note(s.ID, noteCall, schema.Obj(members...))); err != nil {
			return err
		}
	}
	return nil
}

// matchCalls finds the request of each call, -1 when none was sent; plain is true
// when nothing needs to be written down.
func matchCalls(calls, sent []*Call) (from []int, plain bool) {
	plain = len(calls) == len(sent)
	used := make([]bool, len(sent))
	byTool := map[string][]int{}
	for i, c := range sent {
		byTool[c.Tool] = append(byTool[c.Tool], i)
	}
	for i, c := range calls {
		match := -1
		for _, j := range byTool[c.Tool] {
			if !used[j] && sameOutcome(c, sent[j]) {
				match = j
				used[j] = true
				break
			}
		}
		from = append(from, match)
		plain = plain && match == i && c.Failed == nil
	}
	return from, plain
}

func sameOutcome(a, b *Call) bool {
	return written(a.Arguments) == written(b.Arguments) && written(a.Result) == written(b.Result) && written(a.Error) == written(b.Error)
}

func written(v *schema.Value) string {
	if v == nil {
		return ""
	}
	return v.Compact()
}

func orNull(v *schema.Value) *schema.Value {
	if v == nil {
		return &schema.Value{}
	}
	return v
}

func (w *Writer) failure(f *Failure) *schema.Value {
	clean := *f
	clean.Text, clean.Raw, clean.Error = w.redact.Text(f.Text), w.redact.Text(f.Raw), w.clean(f.Error)
	return clean.value()
}

// clean redacts the strings of a value.
func (w *Writer) clean(v *schema.Value) *schema.Value {
	if v == nil {
		return nil
	}
	switch v.Kind {
	case schema.String:
		return schema.Str(w.redact.Text(v.Text))
	case schema.Array:
		items := make([]*schema.Value, len(v.Items))
		for i, item := range v.Items {
			items[i] = w.clean(item)
		}
		return schema.List(items...)
	case schema.Object:
		members := make([]schema.Member, len(v.Members))
		for i, m := range v.Members {
			members[i] = member(m.Key, w.clean(m.Value))
		}
		return schema.Obj(members...)
	}
	return v
}

// WriteCapture writes a whole capture: the header, the messages of all sessions
// in the order of time, problems, and what the messages don't say. conform is the
// version of conform, recorded the time of the start (RFC 3339).
func WriteCapture(out io.Writer, c *Capture, conform, recorded string, redactor *Redactor) error {
	w, err := NewWriter(out, Header{Conform: conform, Recorded: recorded, Target: c.Target, Handshakes: Handshakes(c.Sessions)}, redactor)
	if err != nil {
		return err
	}
	var messages []Message
	all := slices.Concat(c.Sessions, c.Probes)
	for _, s := range all {
		messages = append(messages, s.Messages...)
	}
	slices.SortStableFunc(messages, func(a, b Message) int { return int(a.At - b.At) })
	for _, m := range messages {
		if err := w.Message(m); err != nil {
			return err
		}
	}
	for _, s := range all {
		if err := w.Session(s); err != nil {
			return err
		}
	}
	for _, p := range c.Problems {
		if err := w.Problem(p); err != nil {
			return err
		}
	}
	return nil
}
