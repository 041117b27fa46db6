package reports_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

// evil is what a server, or whoever hands in a report, may put into any text of it:
// the ends of every syntax that a writer uses, commands of CI systems, terminal
// controls, and characters that reorder or hide.
const evil = "a|b`c``d```\n::error::x\n  ::set-output name=x::y\n##vso[task]##[error]z\nnot ok 1 - x\n# SKIP\n1..2\n  ...\n" +
	"\x1b[31m\x1b]8;;http://x\x07\x9b2J\u202e\u2066\u200b\ufeff\u2028]]></failure></script><img src=x onerror=alert(1)><!--" +
	"\n```\n</details>\n\n# head\n@team #1 [a](http://x) ![i](http://x) **b** %0A::error::\r\x00\"'\\ ${{ x }} $(x) \xff"

// fields calls put once for each text in a report, with the way to it.
func fields(v reflect.Value, way string, put func(way string, v reflect.Value)) {
	switch v.Kind() {
	case reflect.String:
		put(way, v)
	case reflect.Pointer:
		if !v.IsNil() {
			fields(v.Elem(), way, put)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			fields(v.Field(i), way+"."+v.Type().Field(i).Name, put)
		}
	case reflect.Slice:
		for i := range v.Len() {
			fields(v.Index(i), way+"[]", put)
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(key))
			fields(value, way+"{}", func(way string, text reflect.Value) {
				put(way, text)
				v.SetMapIndex(key, value)
			})
		}
	}
}

// poisoned are reports of which one kind of text each is evil everywhere it stands,
// and one in which all are.
func poisoned() map[string]*verdict.Report {
	ways := map[string]bool{}
	full := func() *verdict.Report {
		r := sample()
		r.Servers = []verdict.Target{r.Target}
		r.Shard = &verdict.Shard{Index: 1, Of: 1}
		r.NotChecked = append(r.NotChecked, verdict.NotChecked{Rule: "list-stable", Reason: "one answer"})
		description := "d"
		for i := range r.Tools {
			r.Tools[i].Definition, r.Tools[i].Results = `{"name":"x"}`, []string{`{}`}
			r.Tools[i].Offers = []verdict.Offered{{Names: map[string]string{"alpha-ide": "x"}, Description: &description, Schema: "{}", Rendered: "type X"}}
		}
		return r
	}
	fields(reflect.ValueOf(full()), "", func(way string, _ reflect.Value) { ways[way] = true })
	out := map[string]*verdict.Report{}
	for way := range ways {
		r := full()
		n := 0
		fields(reflect.ValueOf(r), "", func(have string, v reflect.Value) {
			if have == way {
				n++
				v.SetString(fmt.Sprintf("%s%d", evil, n%3))
			}
		})
		r.Format = verdict.Format
		out[way] = r
	}
	return out
}

// oneOfAFew are the members that are words of this program: a report with another one
// is not read.
var oneOfAFew = map[string]bool{
	".Cells[].Verdict": true, ".Cells[].Stage": true, ".Cells[].Blast": true, ".Cells[].Basis": true,
	".Cells[].Findings[].Rule": true, ".Cells[].Findings[].Severity": true, ".Cells[].Findings[].Stage": true,
	".Cells[].Findings[].Blast": true, ".Cells[].Findings[].Basis": true,
	".Advice[].Rule": true, ".Advice[].Severity": true, ".NotChecked[].Rule": true,
}

// sameAlways are the formats that are the same whatever the options, and costly.
var sameAlways = map[string]bool{"html": true, "json": true, "jsonl": true, "badge": true, "sarif": true}

var _ = Describe("a hostile report", func() {
	It("says nothing that a reader takes for its own", func() {
		var found []string
		all := poisoned()
		Expect(len(all)).To(BeNumerically(">", 60))
		for way, r := range all {
			if oneOfAFew[way] {
				_, err := reports.Read("it", write("json", r, reports.Options{}))
				Expect(err).To(MatchError(ContainSubstring("does not know")), way)
				continue
			}
			for _, o := range []reports.Options{{}, {Verbose: true, Color: true, Width: 80}, {Quiet: true, FailOn: verdict.Degraded, Manifest: "a,b|c.json"}} {
				for _, f := range reports.Formats() {
					if sameAlways[f.Name] && o != (reports.Options{}) {
						continue
					}
					var b bytes.Buffer
					Expect(f.Write(&b, r, o)).To(Succeed())
					if why := harmful(f.Name, b.String()); why != "" {
						found = append(found, f.Name+" with "+way+": "+why)
					}
				}
			}
		}
		slices.Sort(found)
		Expect(strings.Join(slices.Compact(found), "\n")).To(BeEmpty())
	})
})

var _ = Describe("a report that fits together badly", func() {
	for _, text := range []string{
		`"advice":[]`,
		`"tools":[{"name":"a"},{"name":"a"}],"cells":[{"tool":"z","host":"nobody","host_version":"1","verdict":"breaks","findings":[{"rule":"r","severity":"error"}]},{"tool":"a","host":"h","verdict":"works"}]`,
		`"hosts":[{"id":""},{"id":""}],"tools":[{"name":""}],"cells":[{"tool":"","host":"","verdict":"unknown","findings":[{"rule":"r","severity":"unknown","evidence":["x","/","a/b"]}]}],"evidence":{"x":{}}`,
	} {
		It("is written in every format: "+text[:min(30, len(text))], func() {
			r, err := reports.Read("it", []byte(`{"format":"conform-report/1",`+text+`}`))
			Expect(err).NotTo(HaveOccurred())
			for _, f := range reports.Formats() {
				write(f.Name, r, reports.Options{Verbose: true})
			}
			reports.Compare(r, sample())
			reports.BaselineOf(r, verdict.Unknown, "").Check(sample(), verdict.Unknown, "2026-12-01")
		})
	}

	It("is no shard when its numbers are none", func() {
		_, err := reports.Read("it", []byte(`{"format":"conform-report/1","shard":{"index":5,"of":0}}`))
		Expect(err).To(MatchError(ContainSubstring(`/shard is "5 of 0"`)))
	})
})

var (
	colour     = regexp.MustCompile(`\x1b\[(0|31;1|3[0-9])m`)
	annotation = regexp.MustCompile(`^::(error|warning|notice) (file=[^,:\r\n]+,line=1,)?title=[^,:\r\n]+::[^\r\n]*$`)
)

// harmful says what is wrong with a text of a format; "" when nothing is.
func harmful(format, text string) string {
	if !utf8.ValidString(text) {
		return "invalid UTF-8"
	}
	data := map[string]bool{"json": true, "jsonl": true, "html": true} // keep what was said, as JSON
	if format == "text" {
		text = colour.ReplaceAllString(text, "")
	}
	for _, r := range text {
		if r != '\n' && (unicode.Is(unicode.Cc, r) || !data[format] && (unicode.Is(unicode.Cf, r) || r == '\u2028')) {
			return fmt.Sprintf("the character %U", r)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		trimmed := strings.TrimLeft(line, " \t")
		if format == "github" && annotation.MatchString(line) {
			continue // all of it is one command; nothing within it is looked at
		}
		if strings.HasPrefix(trimmed, "::") {
			return "the command " + line
		}
		if !data[format] && format != "sarif" && format != "gitlab" && format != "junit" && (strings.Contains(line, "##[") || strings.Contains(line, "##vso[")) {
			return "the command " + line
		}
	}
	switch format {
	case "tap":
		for i, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
			if i > 1 && !regexp.MustCompile(`^(not ok|ok) \d+ - |^  (---|\.\.\.|[a-z_]+: ".*")$`).MatchString(line) {
				return "the line " + line
			}
		}
	case "junit", "badge":
		d := xml.NewDecoder(strings.NewReader(text))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				return err.Error()
			}
		}
	case "json", "sarif", "gitlab", "shields":
		if !json.Valid([]byte(text)) {
			return "no JSON"
		}
	case "waivers":
		var b reports.Baseline
		if err := yaml.Unmarshal([]byte(text), &b); err != nil {
			return err.Error()
		}
	case "html":
		if n := strings.Count(text, "<script"); n != 2 || strings.Count(text, "</script>") != 2 {
			return "more scripts than its own"
		}
		if strings.Contains(text, "<img") {
			return "markup"
		}
	case "markdown":
		return markup(text)
	}
	return ""
}

var codeElement = regexp.MustCompile(`<code>[^<]*(<!-- -->[^<]*|<span>[$]</span>[^<]*)*</code>`)

// withoutCode takes the code out of a line of Markdown: what stands between runs of
// backticks of one length, and elements.
func withoutCode(line string) string {
	line = codeElement.ReplaceAllString(line, "")
	out := ""
	for {
		at := strings.IndexByte(line, '`')
		if at < 0 {
			return out + line
		}
		out += line[:at]
		if strings.HasSuffix(out, "\\") {
			out, line = out+"`", line[at+1:]
			continue
		}
		ticks := line[at : at+len(line[at:])-len(strings.TrimLeft(line[at:], "`"))]
		rest := line[at+len(ticks):]
		end := regexp.MustCompile("(^|[^`])" + ticks + "([^`]|$)").FindStringIndex(rest)
		if end == nil {
			out, line = out+ticks, rest
			continue
		}
		line = rest[end[1]-min(1, len(rest)-end[1]+1):]
		line = strings.TrimLeft(line, "`")
	}
}

// markup finds what GitHub would render of a server's words outside of code.
func markup(text string) string {
	fenced := ""
	for _, line := range strings.Split(text, "\n") {
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		if fenced != "" {
			if len(ticks) >= len(fenced) && strings.Trim(line, "`") == "" {
				fenced = ""
			}
			continue
		}
		if len(ticks) >= 3 {
			fenced = ticks
			continue
		}
		bare := strings.ReplaceAll(regexp.MustCompile(`\\[^a-z]`).ReplaceAllString(withoutCode(line), ""), "<!-- -->", "\x00")
		for _, bad := range []string{"<img", "@team", " #1", "](", "**b**", "<!--", "</script"} {
			if strings.Contains(bare, bad) {
				return fmt.Sprintf("%q in the line %s", bad, line)
			}
		}
		if strings.HasPrefix(line, "# ") {
			return "a head of its own"
		}
	}
	if fenced != "" {
		return "a block of code that does not end"
	}
	return ""
}
