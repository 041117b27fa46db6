package observe

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// Seen is the output of a call as the model, or a program, got it.
type Seen struct {
	Text         *model.Text     `json:"text,omitempty"`
	Head         model.Text      `json:"head,omitempty"`
	Tail         model.Text      `json:"tail,omitempty"`
	SHA256       string          `json:"sha256,omitempty"` // of the whole of a text of which only head and tail are written
	Texts        model.Texts     `json:"texts,omitempty"`  // several parts; text is their join
	Cut          *Cut            `json:"cut_marker,omitempty"`
	Value        json.RawMessage `json:"value,omitempty"`
	SameAsSent   *bool           `json:"same_as_sent,omitempty"`
	Length       *int            `json:"length,omitempty"` // UTF-16 units
	Placeholders []string        `json:"placeholders,omitempty"`
	WithHolders  *int            `json:"length_with_placeholders,omitempty"`
	IsError      *bool           `json:"is_error"` // null where nothing marks an error
	Images       *int            `json:"images"`   // null where nobody counted: a model that reports writes text
	ImagesAfter  int             `json:"images_in_following_user_message,omitempty"`
	Other        []string        `json:"other_parts"`
	Channel      string          `json:"channel,omitempty"`
	JSValue      json.RawMessage `json:"js_value,omitempty"`
	Thrown       string          `json:"thrown,omitempty"`
	Code         json.RawMessage `json:"code,omitempty"`
}

// Cut is the host's own mark where it shortened a long text.
type Cut struct {
	Text   model.Text `json:"text"`
	Offset int        `json:"offset"` // UTF-16 units
}

// longText is the longest text that is written whole, keptText what is kept of each
// end of a longer one; UTF-16 units.
const (
	longText = 2000
	keptText = 600
)

func (r Run) seen(a model.Answer, p probe.Probe) *Seen {
	images := &a.Images
	if r.Reported {
		images = nil
	}
	s := &Seen{IsError: a.IsError, Images: images, ImagesAfter: a.After, Other: a.Other, Channel: a.Channel, Thrown: a.Thrown, Code: a.Code}
	if s.Other == nil {
		s.Other = []string{}
	}
	if a.Value != nil {
		v, err := schema.Parse(a.Value, schema.Limits{})
		if err == nil && a.Channel == "" { // a client: the value is what it got
			s.value(v, p)
			return s
		}
		if err == nil && len(a.Value) <= longText {
			s.JSValue = a.Value
		}
	}
	texts := r.quiet(a.Texts)
	steady, holders := r.steady(strings.Join(texts, "\n"))
	length := schema.UTF16Len(steady)
	if len(holders) > 0 {
		s.Placeholders, s.WithHolders = holders, &length
	} else {
		s.Length = &length
	}
	if length <= longText {
		text := model.Text(steady)
		s.Text = &text
		if len(texts) > 1 {
			for _, t := range texts {
				part, _ := r.steady(t)
				s.Texts = append(s.Texts, part)
			}
		}
		return s
	}
	s.Head, s.Tail, s.SHA256 = model.Text(schema.UTF16Prefix(steady, keptText)), model.Text(schema.UTF16Suffix(steady, keptText)), sum(steady)
	s.Cut = cutMark(steady, p)
	return s
}

// value is the returned object of a program.
func (s *Seen) value(v *schema.Value, p probe.Probe) {
	s.Value = rawOf(fold(v, p))
	same := p.Result != nil && schema.Equal(v, verify.Expand(p.Result))
	s.SameAsSent = &same
	length := schema.UTF16Len(v.Compact())
	s.Length = &length
	failed := v.Get("isError").IsTrue()
	s.IsError = &failed
	if content := v.Get("content"); content != nil && s.Images != nil {
		for _, block := range content.Items {
			if text(block, "type") == "image" {
				*s.Images++
			}
		}
	}
}

// quiet takes the host's own remarks away; a part that is nothing else goes, and with
// it the newline that sets it off from the part before (seen with Claude Code
// 2.1.332). They come when the conversation calls for them, not the result: where
// they stood is not recorded.
func (r Run) quiet(texts []string) []string {
	if r.Noise == nil {
		return texts
	}
	var out []string
	for _, t := range texts {
		rest := r.Noise.ReplaceAllString(t, "")
		if rest != "" || rest == t {
			out = append(out, rest)
		} else if last := len(out) - 1; last >= 0 {
			out[last] = strings.TrimSuffix(out[last], "\n")
		}
	}
	return out
}

// steady replaces what differs from run to run by <name>.
func (r Run) steady(s string) (string, []string) {
	var names []string
	for _, v := range r.Volatile {
		m := v.Pattern.FindAllStringSubmatchIndex(s, -1)
		if m == nil {
			continue
		}
		names = append(names, v.Name)
		var b strings.Builder
		last := 0
		for _, at := range m {
			b.WriteString(s[last:at[2]] + "<" + v.Name + ">")
			last = at[3]
		}
		s = b.String() + s[last:]
	}
	return s, names
}

// cutMark finds the host's mark: what stands between the longest start and the
// longest end that a shortened text shares with the text that was sent.
func cutMark(got string, p probe.Probe) *Cut {
	for _, sent := range longTexts(p) {
		at := strings.Index(got, schema.UTF16Prefix(sent, 40))
		if at < 0 {
			continue
		}
		body := got[at:]
		front := 0
		for front < len(body) && front < len(sent) && body[front] == sent[front] {
			front++
		}
		if front >= len(sent) || front == len(body) {
			return nil // whole, or nothing after the cut
		}
		back := 0
		for back < len(body)-front && back < len(sent) && body[len(body)-1-back] == sent[len(sent)-1-back] {
			back++
		}
		mark := body[front : len(body)-back]
		if len(mark) > longText {
			mark = schema.UTF16Prefix(mark, 200)
		}
		return &Cut{Text: model.Text(mark), Offset: schema.UTF16Len(got[:at+front])}
	}
	return nil
}

// sum is the hash of a text that is not written whole: two that differ in the middle
// are told apart.
func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
