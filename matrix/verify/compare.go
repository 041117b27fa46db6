package verify

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/schema"
)

// compareOffer compares presence, a lost list, name, namespace, schema and
// rendered declaration; recorded is false when the observation has none.
func (o Observation) compareOffer(s *stage.State) (ok bool, reason string, recorded bool) {
	want := o.Get("offered")
	if want == nil || want.Kind != schema.Object {
		return false, "", false
	}
	probe := o.probe(s)
	got := probe.Offered
	if lost := want.Get("list_lost").IsTrue(); lost != s.Lost {
		return false, fmt.Sprintf("list lost: observed %v, emulated %v (%s)", lost, s.Lost, firstMessage(s, probe)), true
	}
	if present := want.Get("present").IsTrue(); present != (got.Present && !s.Lost) {
		return false, fmt.Sprintf("present: observed %v, emulated %v (%s)", present, got.Present && !s.Lost, firstMessage(s, probe)), true
	} else if !present {
		return true, "", true
	}
	if name, given := want.Get("name").IsString(); given && name != got.Name {
		return false, fmt.Sprintf("name: observed %q, emulated %q", name, got.Name), true
	}
	if space, given := want.Get("namespace").IsString(); given && space != got.Namespace {
		return false, fmt.Sprintf("namespace: observed %q, emulated %q", space, got.Namespace), true
	}
	if text, given := want.Get("rendered").IsString(); given && text != got.Rendered {
		return false, fmt.Sprintf("rendered: observed %q, emulated %q", text, got.Rendered), true
	}
	if sent := want.Get("schema"); sent != nil && (sent.Kind != schema.Null || got.Schema != nil) {
		if expanded := Expand(sent); !schema.Equal(expanded, got.Schema) {
			return false, fmt.Sprintf("schema: observed %s, emulated %s", clip(expanded.Compact()), clip(text(got.Schema))), true
		}
	}
	return true, "", true
}

// compareCalls compares how often the server was called. An observation without
// arguments made no call.
func (o Observation) compareCalls(s *stage.State) (ok bool, reason string, recorded bool) {
	want := o.Get("called")
	if want == nil || want.Kind != schema.Number || !o.Has("arguments") {
		return false, "", false
	}
	got := 0
	if seen := o.probe(s).Seen; len(seen) > 0 {
		// Tools of one name cannot be told apart by the server: it counts all calls.
		for _, t := range s.Tools {
			if t.Name == o.probe(s).Name && t.Offered.Present {
				got += seen[0].Calls
			}
		}
	}
	if want.Text != strconv.Itoa(got) {
		return false, fmt.Sprintf("observed %s, emulated %d (%s)", want.Text, got, firstMessage(s, o.probe(s))), true
	}
	return true, "", true
}

// compareSeen compares the text that the model saw: exact, or head, tail and
// length where the observation is cut; images are counted.
func (o Observation) compareSeen(s *stage.State) (ok bool, reason string, recorded bool) {
	want := o.Get("seen")
	if want == nil || want.Kind != schema.Object {
		return false, "", false
	}
	seen := o.probe(s).Seen
	if len(seen) == 0 || seen[0].View == nil {
		return false, "emulated no call", true
	}
	got, images := seen[0].View.Text()
	got = whole(got)
	if channel, _ := want.Get("channel").IsString(); strings.Contains(channel, "removed by the recorder") {
		return o.compareSqueezed(want, seen[0], got)
	}
	if value := Expand(want.Get("value")); value != nil {
		returned, err := schema.ParseString(got)
		if err != nil || !schema.Equal(value, returned) {
			return false, fmt.Sprintf("value: observed %s, emulated %s", clip(value.Compact()), clip(got)), true
		}
		return o.compareError(want, seen[0])
	}
	if want := want.Get("images"); want != nil && want.Kind == schema.Number && want.Text != strconv.Itoa(images) {
		return false, fmt.Sprintf("images: observed %s, emulated %d", want.Text, images), true
	}
	trimmed := 0
	if remarkRemoved(want) {
		got = strings.TrimRight(got, "\n")
	}
	if text, given := want.Get("text").IsString(); given {
		if text = whole(text); remarkRemoved(want) {
			text = strings.TrimRight(text, "\n")
		}
		if text != got {
			return false, fmt.Sprintf("text: observed %q, emulated %q", clip(text), clip(got)), true
		}
		return o.compareError(want, seen[0])
	}
	head, tail := whole(str(want, "head")), whole(str(want, "tail"))
	if !strings.HasPrefix(got, head) {
		return false, fmt.Sprintf("head: observed %q, emulated %q", clip(head), clip(got)), true
	}
	if remarkRemoved(want) {
		whole := len(tail)
		tail = strings.TrimRight(tail, "\n")
		trimmed = whole - len(tail)
	}
	if !strings.HasSuffix(got, tail) {
		return false, fmt.Sprintf("tail: observed …%q, emulated …%q", clipTail(tail), clipTail(got)), true
	}
	for _, key := range []string{"length_with_placeholders", "length"} {
		if length := want.Get(key); length != nil {
			if n := len(utf16.Encode([]rune(got))) + trimmed; length.Text != strconv.Itoa(n) {
				return false, fmt.Sprintf("length: observed %s, emulated %d", length.Text, n), true
			}
			break
		}
	}
	return o.compareError(want, seen[0])
}

// remarkRemoved tells that the recorder took a remark of the host's own out of the
// text (a system reminder behind a result); the newlines before it stayed and say
// nothing about the result.
func remarkRemoved(want *schema.Value) bool {
	names := want.Get("placeholders")
	return names != nil && slices.ContainsFunc(names.Items, func(n *schema.Value) bool {
		return strings.HasSuffix(n.Text, "-removed")
	})
}

// compareSqueezed compares a text of which the recorder removed newlines, or all
// white space.
func (o Observation) compareSqueezed(want *schema.Value, seen stage.Seen, got string) (ok bool, reason string, recorded bool) {
	text, given := want.Get("text").IsString()
	if given && squeeze(text) != squeeze(got) {
		return false, fmt.Sprintf("text, white space aside: observed %q, emulated %q", clip(text), clip(got)), true
	}
	return o.compareError(want, seen)
}

// halves are what recorders make of half a surrogate pair, at which a host cut a
// text: the replacement character, once or once a byte.
var halves = regexp.MustCompile("\uFFFD+")

// whole replaces half a surrogate pair by one replacement character.
func whole(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); {
		r, width := schema.DecodeWTF8(s[i:])
		if utf16.IsSurrogate(r) {
			r = utf8.RuneError
		}
		b.WriteRune(r)
		i += width
	}
	return halves.ReplaceAllString(b.String(), "\uFFFD")
}

func str(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func (o Observation) compareError(want *schema.Value, seen stage.Seen) (ok bool, reason string, recorded bool) {
	mark := want.Get("is_error")
	if mark == nil || mark.Kind != schema.Bool || seen.View.ErrorShown == nil {
		return true, "", true
	}
	if mark.Bool != *seen.View.ErrorShown {
		return false, fmt.Sprintf("error mark: observed %v, emulated %v", mark.Bool, *seen.View.ErrorShown), true
	}
	return true, "", true
}

// probe is the tool that the observation is about: the last one of that name.
func (o Observation) probe(s *stage.State) *stage.Tool {
	name, _ := o.Get("tool").Get("name").IsString()
	for _, t := range slices.Backward(s.Tools) {
		if t.Name == name {
			return t
		}
	}
	return s.Tools[len(s.Tools)-1]
}

func firstMessage(s *stage.State, t *stage.Tool) string {
	if len(s.Server) > 0 {
		return s.Server[0].Message
	}
	if len(t.Findings) > 0 {
		return t.Findings[0].Message
	}
	return "no finding"
}

func text(v *schema.Value) string {
	if v == nil {
		return "nothing"
	}
	return v.Compact()
}

const clipLength = 400

func clip(s string) string {
	if len(s) > clipLength {
		return s[:clipLength] + "…"
	}
	return s
}

func clipTail(s string) string {
	if len(s) > clipLength/2 {
		return s[len(s)-clipLength/2:]
	}
	return s
}
