package operation

import (
	"fmt"
	"strconv"
	"strings"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// ViewLosses compares a result with what the model sees of it and names what is
// not visible. A fact that stands in two parts is lost only when neither shows.
func ViewLosses(v *View) []Loss {
	var out []Loss
	text, images := v.Text()
	lose := func(degrades bool, rule string, at schema.Pointer, format string, args ...any) {
		out = append(out, Loss{Rule: rule, Degrades: degrades, Pointer: at, Detail: fmt.Sprintf(format, args...)})
	}
	for _, c := range v.Cuts {
		lose(true, "result-cut", nil, "the result has %d characters; the model sees %d of them", c.Of, c.Kept)
	}
	for _, p := range v.Parts {
		if p.Kind == "image-beside" {
			images++
		}
	}
	if len(v.Cuts) == 0 {
		if missing, at := hiddenIn(v.Structured, text); missing != "" {
			lose(true, "structured-hidden", schema.Pointer{"structuredContent"}.Append(at...),
				"structuredContent holds %s, which the model does not see%s", missing, v.insteadOfStructured(text))
		}
		squeezed := sync.OnceValue(func() string { return squeeze(text) })
		for i, b := range v.sent() {
			at := schema.Pointer{"content", strconv.Itoa(i)}
			if block, ok := b.Get("text").IsString(); ok && !shows(text, block) && !sameJSON(block, v.Structured) && !showsJSON(squeezed, block) {
				lose(true, "text-hidden", at, "the text block %s is not shown to the model%s", clip(block), v.insteadOfText(text, images))
			}
		}
	}
	wantImages := 0
	for _, b := range v.sent() {
		if kind, _ := b.Get("type").IsString(); kind == "image" {
			wantImages++
		}
	}
	if wantImages > images && !strings.Contains(text, `"type":"image"`) {
		lose(true, "image-hidden", nil, "the result has %s; the model gets %d", counted(wantImages, "image"), images)
	}
	if v.IsError && v.ErrorShown == nil && !v.markUnknown && !strings.Contains(strings.ToLower(text), "error") {
		lose(true, "error-mark-hidden", schema.Pointer{"isError"}, "nothing tells the model that the result is an error")
	}
	return out
}

// insteadOfText says what the model sees where a text block is missing.
func (v *View) insteadOfText(text string, images int) string {
	missing, _ := hiddenIn(v.Structured, text)
	switch {
	case v.Structured != nil && missing == "":
		return ": this host shows it only structuredContent"
	case images > 0:
		return ": this host shows it the image in place of the text"
	}
	return ""
}

// insteadOfStructured says what the model sees where structuredContent is missing.
func (v *View) insteadOfStructured(text string) string {
	for _, b := range v.sent() {
		if block, ok := b.Get("text").IsString(); ok && shows(text, block) {
			return ": this host shows it only the content blocks"
		}
	}
	return ""
}

// counted is "1 image", "2 images".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// sent returns the content blocks as they came, before any step mapped them.
func (v *View) sent() []*schema.Value {
	if content := v.Result.Get("content"); content != nil {
		return content.Items
	}
	return nil
}

// hiddenIn returns the first leaf of v that does not occur in text, as JSON, and
// where it stands. Leaves that say little (true, 0, "") are not looked for.
func hiddenIn(v *schema.Value, text string) (leaf string, at schema.Pointer) {
	if v == nil || text != "" && strings.Contains(text, v.Stringify("")) {
		return "", nil
	}
	return (&finder{text: text, left: searchBytes}).hiddenLeaf(v)
}

// searchBytes bounds what one result's search reads of its text: 20,000 leaves in
// half a megabyte would else be ten billion bytes for each host. searchNear is how
// far from the last leaf the next one is looked for first.
const searchBytes, searchNear = 256 << 20, 4 << 10

// finder looks for leaves in a text, in which most stand in the order of the result.
type finder struct {
	text     string
	at, left int
}

// has reports whether s occurs. What is not found within the bound counts as shown:
// nothing is called lost that was not looked for.
func (f *finder) has(s string) bool {
	near := f.text[f.at:min(len(f.text), f.at+len(s)+searchNear)]
	if i := strings.Index(near, s); i >= 0 {
		f.at += i
		return true
	}
	if f.left <= 0 {
		return true
	}
	i := strings.Index(f.text, s)
	if i < 0 {
		f.left -= len(f.text)
		return false
	}
	f.left -= i
	f.at = i
	return true
}

func (f *finder) hiddenLeaf(v *schema.Value) (leaf string, at schema.Pointer) {
	switch v.Kind {
	case schema.String:
		said := strings.TrimSpace(v.Text) // white space at the ends is no fact
		quoted := schema.Quote(said)
		if len(said) >= 2 && !f.has(said) && !f.has(quoted[1:len(quoted)-1]) {
			return clip(v.Compact()), nil
		}
	case schema.Number:
		if s := schema.JSNumber(v.Float(), true); len(s) >= 2 && !f.has(s) && !f.has(v.Text) {
			return v.Text, nil
		}
	case schema.Array:
		for i, item := range v.Items {
			if leaf, at := f.hiddenLeaf(item); leaf != "" {
				return leaf, append(schema.Pointer{strconv.Itoa(i)}, at...)
			}
		}
	case schema.Object:
		for _, m := range v.Unique() {
			if leaf, at := f.hiddenLeaf(m.Value); leaf != "" {
				return leaf, append(schema.Pointer{m.Key}, at...)
			}
		}
	}
	return "", nil
}

// shows reports whether s, without white space at its ends, occurs in text as it is
// or JSON-escaped.
func shows(text, s string) bool {
	s = strings.TrimSpace(s)
	if strings.Contains(text, s) {
		return true
	}
	quoted := schema.Quote(s)
	return strings.Contains(text, quoted[1:len(quoted)-1])
}

// showsJSON reports whether block is a JSON object or array that stands in a text,
// white space aside.
func showsJSON(squeezed func() string, block string) bool {
	parsed, err := schema.ParseString(block)
	if err != nil || parsed.Kind != schema.Object && parsed.Kind != schema.Array {
		return false
	}
	return strings.Contains(squeezed(), squeeze(parsed.Compact())) || strings.Contains(squeezed(), squeeze(parsed.Stringify("")))
}

// squeeze leaves all white space out.
func squeeze(s string) string { return strings.Join(strings.Fields(s), "") }

func sameJSON(text string, v *schema.Value) bool {
	if v == nil {
		return false
	}
	parsed, err := schema.ParseString(text)
	return err == nil && schema.Equal(parsed, v)
}

func clip(s string) string {
	const most = 60
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
