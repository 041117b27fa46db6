package recording

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// FormatError says where a file of ours departs from its format.
type FormatError struct {
	File string // as it was named by the caller
	At   string // JSON Pointer or "line 3"; "" for the whole file
	Msg  string
}

func (e *FormatError) Error() string {
	if e.At == "" {
		return fmt.Sprintf("%s: %s", e.File, e.Msg)
	}
	return fmt.Sprintf("%s: %s: %s", e.File, e.At, e.Msg)
}

// object reads one object of a strict format: each getter remembers the first
// fault, so that a decoder reads like a list of fields.
type object struct {
	file  string
	at    string // pointer of the object; in a file of lines with "line 3 " before it
	value *schema.Value
	err   *error // shared by the objects of one document
}

// newObject starts a document. Keys outside known are faults at once.
func newObject(file, at string, v *schema.Value, err *error, known ...string) object {
	o := object{file: file, at: at, value: v, err: err}
	if v == nil || v.Kind != schema.Object {
		o.fail("", "must be an object, is %s", kindOf(v))
		return o
	}
	for _, m := range v.Members {
		if msg := unknownKey(m.Key, known); msg != "" {
			o.fail("", "%s", msg)
		}
	}
	return o
}

// child reads the object v that stands at the pointer step below o.
func (o object) child(step string, v *schema.Value, known ...string) object {
	return newObject(o.file, o.at+step, v, o.err, known...)
}

func (o object) fail(step, format string, args ...any) {
	if *o.err == nil {
		*o.err = &FormatError{o.file, strings.TrimSpace(o.at + step), fmt.Sprintf(format, args...)}
	}
}

// text returns a string member, "" when it is absent.
func (o object) text(key string) string {
	v := o.value.Get(key)
	if v == nil {
		return ""
	}
	if v.Kind != schema.String {
		o.fail("/"+schema.EscapeToken(key), "must be a string, is %s", kindOf(v))
		return ""
	}
	return v.Text
}

// need is [object.text] for a member that must be there and not be empty.
func (o object) need(key string) string {
	s := o.text(key)
	if s == "" {
		o.fail("/"+schema.EscapeToken(key), "is required and must not be empty")
	}
	return s
}

// flag returns a boolean member, nil when it is absent.
func (o object) flag(key string) *bool {
	v := o.value.Get(key)
	if v == nil {
		return nil
	}
	if v.Kind != schema.Bool {
		o.fail("/"+schema.EscapeToken(key), "must be true or false, is %s", kindOf(v))
		return nil
	}
	return &v.Bool
}

// list returns the elements of an array member, nil when it is absent.
func (o object) list(key string) []*schema.Value {
	v := o.value.Get(key)
	if v == nil {
		return nil
	}
	if v.Kind != schema.Array {
		o.fail("/"+schema.EscapeToken(key), "must be an array, is %s", kindOf(v))
		return nil
	}
	return v.Items
}

// oneOf checks that a given text is among the allowed ones; empty is allowed.
func (o object) oneOf(key, got string, allowed ...string) {
	if got == "" {
		return
	}
	for _, a := range allowed {
		if got == a {
			return
		}
	}
	msg := fmt.Sprintf("%q is not one of %s", got, strings.Join(allowed, ", "))
	if near := nearest(got, allowed); near != "" {
		msg += fmt.Sprintf(" (did you mean %q?)", near)
	}
	o.fail("/"+schema.EscapeToken(key), "%s", msg)
}

func kindOf(v *schema.Value) string {
	if v == nil {
		return "absent"
	}
	return v.Kind.String()
}

// unknownKey returns the complaint about a key that is not known, else "".
func unknownKey(key string, known []string) string {
	for _, k := range known {
		if k == key {
			return ""
		}
	}
	if near := nearest(key, known); near != "" {
		return fmt.Sprintf("unknown key %q (did you mean %q?)", key, near)
	}
	return fmt.Sprintf("unknown key %q (known: %s)", key, strings.Join(known, ", "))
}

// nearest returns the word of the list with the least edit distance to s, or ""
// when even that one differs in more than half of its letters.
func nearest(s string, words []string) string {
	if len(s) > 100 {
		return ""
	}
	best, bestDistance := "", len(s)/2+2
	for _, w := range words {
		if d := editDistance(strings.ToLower(s), strings.ToLower(w)); d < bestDistance && d <= (len(w)+1)/2 {
			best, bestDistance = w, d
		}
	}
	return best
}

// editDistance is Levenshtein's, in bytes; both texts are short.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j+1]+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// number returns a small whole number, 0 when it is absent.
func (o object) number(key string) int {
	v := o.value.Get(key)
	if v == nil {
		return 0
	}
	n, err := strconv.Atoi(v.Text)
	if v.Kind != schema.Number || err != nil {
		o.fail("/"+schema.EscapeToken(key), "must be a whole number")
		return 0
	}
	return n
}
