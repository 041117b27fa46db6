package describe

import (
	"fmt"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/schema"
)

// view says what a model sees of results by showing the steps a few of them: what
// the steps do one by one tells nobody what comes out.
func view(steps []capabilities.Op) string {
	var run []operation.RenderFunc
	for _, op := range steps {
		step, err := operation.NewRender(op.Name, op.Params)
		if err != nil {
			return ""
		}
		run = append(run, step)
	}
	show := func(result string) *operation.View {
		v := probe(result)
		for _, step := range run {
			if step(v) != nil {
				return nil
			}
		}
		return v
	}
	return sentences(surfaceSeen(show), blocksSeen(show), errorSeen(show), cutSeen(show))
}

const (
	saidText = "one plain sentence"
	saidData = "structured42"
)

// probe is a result as it enters the view.
func probe(result string) *operation.View {
	parsed, err := schema.ParseString(result)
	if err != nil {
		return nil
	}
	v := &operation.View{Name: "tool", Server: "server", Result: parsed,
		Structured: parsed.Get("structuredContent"), IsError: parsed.Get("isError").IsTrue()}
	if content := parsed.Get("content"); content != nil {
		v.Content = content.Items
	}
	return v
}

func textOf(v *operation.View) string {
	if v == nil {
		return ""
	}
	text, _ := v.Text()
	return text
}

func surfaceSeen(show func(string) *operation.View) string {
	both := textOf(show(`{"content":[{"type":"text","text":"` + saidText + `"}],"structuredContent":{"a":"` + saidData + `"}}`))
	text, data := strings.Index(both, saidText), strings.Index(both, saidData)
	var out []string
	switch {
	case text >= 0 && data > text:
		out = append(out, "the model sees the text and then structuredContent")
	case data >= 0 && text > data:
		out = append(out, "the model sees structuredContent and then the text")
	case data >= 0:
		out = append(out, "the model sees structuredContent in place of the text")
	case text >= 0:
		out = append(out, "the model sees the text, not structuredContent")
	}
	only := textOf(show(`{"content":[],"structuredContent":{"a":"` + saidData + `"}}`))
	switch {
	case strings.Contains(only, saidData):
		if data < 0 {
			out = append(out, "structuredContent is shown where there is no content")
		}
	case strings.TrimSpace(only) == "":
		out = append(out, "of a result without content it sees nothing")
	default:
		out = append(out, "of a result without content it reads "+quote(clip(only)))
	}
	return strings.Join(out, "; ")
}

// onePixel is a whole picture: some hosts look into it.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=="

// blockProbes are the kinds of content blocks beside text, each with what must be
// seen of it.
var blockProbes = []struct{ name, block, see string }{
	{"images", `{"type":"image","data":"` + onePixel + `","mimeType":"image/png"}`, onePixel},
	{"audio", `{"type":"audio","data":"UklGRg==","mimeType":"audio/wav"}`, "UklGRg=="},
	{"the text of embedded resources", `{"type":"resource","resource":{"uri":"file:///r.txt","mimeType":"text/plain","text":"resource text"}}`, "resource text"},
	{"binary resources", `{"type":"resource","resource":{"uri":"file:///r.bin","mimeType":"application/octet-stream","blob":"AAEC"}}`, "AAEC"},
	{"resource links", `{"type":"resource_link","uri":"file:///l.txt","name":"link name"}`, "file:///l.txt"},
}

func blocksSeen(show func(string) *operation.View) string {
	fates := map[string][]string{}
	var order []string
	for _, b := range blockProbes {
		fate := blockFate(show(`{"content":[`+b.block+`]}`), b.see)
		if fate == "" {
			continue
		}
		if fates[fate] == nil {
			order = append(order, fate)
		}
		fates[fate] = append(fates[fate], b.name)
	}
	var out []string
	for _, fate := range order {
		out = append(out, strings.Join(fates[fate], ", ")+": "+fate)
	}
	if pictures(show(`{"content":[`+blockProbes[0].block+`]}`)) > 0 && pictures(show(`{"content":[`+blockProbes[0].block+`],"structuredContent":{"a":1}}`)) == 0 {
		out = append(out, "images are lost when structuredContent is there too")
	}
	return strings.Join(out, "; ")
}

func pictures(v *operation.View) int {
	if v == nil {
		return 0
	}
	n := 0
	for _, p := range v.Parts {
		if strings.HasPrefix(p.Kind, "image") {
			n++
		}
	}
	return n
}

func blockFate(v *operation.View, see string) string {
	if v == nil {
		return ""
	}
	text := textOf(v)
	for _, p := range v.Parts {
		if p.Kind != "text" && p.Kind != "json" {
			return "shown as such"
		}
	}
	switch {
	case strings.Contains(text, see):
		return "shown as text"
	case strings.TrimSpace(text) == "":
		return "lost"
	}
	return "replaced by a note"
}

func errorSeen(show func(string) *operation.View) string {
	v := show(`{"content":[{"type":"text","text":"` + saidText + `"}],"isError":true}`)
	switch {
	case v == nil:
		return ""
	case v.ErrorShown != nil && *v.ErrorShown:
		return "an error is marked as one"
	case strings.Contains(strings.ToLower(textOf(v)), "error"):
		return "an error is called one in the text"
	}
	return "nothing but the server's own words tells the model that a result is an error"
}

// mostShown is the longest text that is tried, in characters.
const mostShown = 500_000

// cutSeen finds where texts are cut: in one line, and in lines of one letter where
// those are cut earlier.
func cutSeen(show func(string) *operation.View) string {
	letters := firstCut(show, "x", mostShown)
	lines := firstCut(show, "x\\n", mostShown/2)
	var out []string
	if letters > 0 {
		out = append(out, thousands(letters-1)+" characters")
	}
	if lines > 0 && (letters == 0 || lines*3 < letters) {
		out = append(out, thousands(lines-1)+" lines")
	}
	if len(out) == 0 {
		return ""
	}
	return "texts of more than " + strings.Join(out, " or ") + " are cut"
}

// firstCut returns how many pieces are the fewest that are cut, 0 for none up to most.
func firstCut(show func(string) *operation.View, piece string, most int) int {
	cut := func(n int) bool {
		v := show(`{"content":[{"type":"text","text":"` + strings.Repeat(piece, n) + `"}]}`)
		return v != nil && len(v.Cuts) > 0
	}
	if !cut(most) {
		return 0
	}
	return sort.Search(most, cut)
}

func thousands(n int) string {
	s := fmt.Sprint(n)
	if len(s) > 3 {
		s = s[:len(s)-3] + "," + s[len(s)-3:]
	}
	return s
}

func clip(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}
