package lint

import (
	"html"
	"math/big"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/hostmatrix/conform/schema"
)

// Bounds of a comparison of two surfaces.
const (
	parityDepth  = 8       // levels below the root that are evaluated, as the linter does
	parityText   = 4 << 20 // bytes of text
	parityLeaves = 5000
	parityWork   = 100 << 20 // bytes of text times values
)

// surfaces is the outcome of a comparison.
type surfaces struct {
	missing []leaf
	found   int
	vague   int // too common to be told apart, or not to be expected in words
	deep    int // not evaluated: too deep, or beyond the budget
}

// compareSurfaces looks for each leaf of structuredContent in the content of the
// same result. The output schema, if there is one, says which leaves are of closed sets.
func compareSurfaces(result, structured, output *schema.Value) (out surfaces) {
	text := surfaceText(result)
	text.numbers = numbersOf(structured)
	known := map[string]bool{}
	work, leaves := 0, 0
	eachLeaf(structured, placesIn(output), "", "", 0, func(l leaf) {
		leaves++
		if l.value == nil || leaves > parityLeaves || work > parityWork {
			out.deep++
			return
		}
		if l.value.Kind == schema.Null || l.value.Kind == schema.String && strings.TrimSpace(l.value.Text) == "" {
			return
		}
		key := l.key + "\x00" + leafKey(l.value)
		has, done := known[key]
		if !done {
			work += text.size
			has = text.holds(l)
			known[key] = has
		}
		switch low := lowEntropy(l.value); {
		case has:
			out.found++
			if low { // that it is there proves nothing
				out.vague++
			}
		case low && !missed(l.value):
			out.vague++
		case text.cut:
			out.deep++
		default:
			out.missing = append(out.missing, l)
		}
	})
	return out
}

func leafKey(v *schema.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind == schema.Number {
		if r, ok := v.Exact(); ok {
			return "n" + r.RatString()
		}
	}
	return v.Kind.String()[:1] + v.Text + v.Compact()
}

// lowEntropy reports whether finding or not finding a value proves nothing: a
// boolean, a short number, a word of one or two letters.
func lowEntropy(v *schema.Value) bool {
	switch v.Kind {
	case schema.Number:
		return len(strings.TrimLeft(v.Text, "-")) < 2
	case schema.String:
		return len([]rune(strings.TrimSpace(v.Text))) < 3
	}
	return true
}

// missed reports whether a value of low entropy that was not found is missing: what
// is false or zero is often said by saying nothing.
func missed(v *schema.Value) bool {
	switch v.Kind {
	case schema.Bool:
		return v.IsTrue()
	case schema.Number:
		return v.Float() != 0
	}
	return true
}

// haystack is the text of a result in the forms in which a value may stand in it.
type haystack struct {
	forms  []string
	values map[string]bool // leaves of text blocks that are JSON
	// numbers are the whole numbers of structuredContent, as they are written.
	numbers map[string]bool
	size    int
	cut     bool // text beyond parityText was left out
}

func surfaceText(result *schema.Value) *haystack {
	h := &haystack{values: map[string]bool{}}
	var raw strings.Builder
	for _, block := range result.Get("content").Items {
		collectText(block, 0, &raw)
		for _, media := range []*schema.Value{block.Get("data"), block.Get("resource").Get("blob")} {
			if media != nil { // the bytes themselves, which the block shows
				h.values[leafKey(media)] = true
			}
		}
		text, ok := block.Get("text").IsString()
		if !ok {
			continue
		}
		if v, err := schema.Parse([]byte(text), schema.Limits{Depth: 500, Bytes: parityText}); err == nil {
			eachValue(v, 0, func(v *schema.Value) { h.values[leafKey(v)] = true })
		}
	}
	text := raw.String()
	if len(text) > parityText {
		text, h.cut = text[:parityText], true
	}
	plain := normal(withoutLineMarks(unescapeMarkdown(html.UnescapeString(text))))
	h.forms = []string{normal(text), plain, collapseDigits(plain)}
	if decoded := unescapePercent(text); decoded != text {
		h.forms = append(h.forms, normal(decoded), normal(strings.ReplaceAll(decoded, "+", " ")))
	}
	if decoded := unescapeJSON(text); decoded != text {
		h.forms = append(h.forms, normal(decoded))
	}
	for _, f := range h.forms {
		h.size += len(f)
	}
	return h
}

func eachValue(v *schema.Value, depth int, visit func(*schema.Value)) {
	visit(v)
	if depth > 100 {
		return
	}
	for _, item := range v.Items {
		eachValue(item, depth+1, visit)
	}
	for _, m := range v.Members {
		eachValue(m.Value, depth+1, visit)
	}
}

// collectText writes the primitives of a block, without the bytes of media.
func collectText(v *schema.Value, depth int, out *strings.Builder) {
	if v == nil || depth > 64 || out.Len() > parityText {
		return
	}
	switch v.Kind {
	case schema.Object:
		for _, m := range v.Unique() {
			if m.Key != "data" && m.Key != "blob" && m.Key != "type" {
				collectText(m.Value, depth+1, out)
			}
		}
	case schema.Array:
		for _, item := range v.Items {
			collectText(item, depth+1, out)
		}
	case schema.String:
		out.WriteString(v.Text + "\n")
	case schema.Number, schema.Bool:
		out.WriteString(v.Compact() + "\n")
	}
}

var spaces = regexp.MustCompile(`\s+`)

// normal composes characters and makes all white space one.
func normal(s string) string { return spaces.ReplaceAllString(norm.NFC.String(s), " ") }

// markdownEscape is a backslash before punctuation. Source: CommonMark 0.31, 2.4.
var markdownEscape = regexp.MustCompile("\\\\([!-/:-@\\[-`{-~])")

func unescapeMarkdown(s string) string { return markdownEscape.ReplaceAllString(s, "$1") }

// lineMarks are what Markdown puts between the lines of one value: the marks of a
// quotation, and the break that stands for a line's end in a table.
var lineMarks = regexp.MustCompile(`(?im)^[ \t]*(>[ \t]?)+|<br[ \t]*/?>`)

func withoutLineMarks(s string) string { return lineMarks.ReplaceAllString(s, " ") }

var percentEscape = regexp.MustCompile(`(%[0-9a-fA-F]{2})+`)

// unescapePercent undoes the escapes of addresses inside a text, in which a % may also
// stand for itself.
func unescapePercent(s string) string {
	return percentEscape.ReplaceAllStringFunc(s, func(run string) string {
		if decoded, err := url.PathUnescape(run); err == nil {
			return decoded
		}
		return run
	})
}

var jsonEscape = regexp.MustCompile(`\\(u[0-9a-fA-F]{4}|[nrt"\\/])`)

// unescapeJSON undoes the escapes of JSON strings inside a text.
func unescapeJSON(s string) string {
	return jsonEscape.ReplaceAllStringFunc(s, func(e string) string {
		switch e[1] {
		case 'n', 'r', 't':
			return " "
		case 'u':
			n, _ := strconv.ParseUint(e[2:], 16, 32)
			return string(rune(n))
		}
		return e[1:]
	})
}

// digitGroups are thousands in groups, with the separators that the linter knows.
var digitGroups = regexp.MustCompile("\\b\\d{1,3}(?:[,._'’\u00a0\u202f\u2009٬ ]\\d{3})+\\b")

var separators = strings.NewReplacer(",", "", ".", "", "_", "", "'", "", "’", "", "\u00a0", "", "\u202f", "", "\u2009", "", "٬", "", " ", "")

func collapseDigits(s string) string {
	return digitGroups.ReplaceAllStringFunc(s, func(run string) string { return separators.Replace(run) })
}

// holds reports whether the text says a leaf.
func (h *haystack) holds(l leaf) bool {
	if h.values[leafKey(l.value)] {
		return true
	}
	switch l.value.Kind {
	case schema.String:
		want := normal(strings.TrimSpace(l.value.Text))
		if l.closed || lowEntropy(l.value) {
			return h.token(want) || h.names(l.key)
		}
		return h.contains(want) || h.contains(normal(unescapeMarkdown(want)))
	case schema.Number:
		for _, form := range numberForms(l.value) {
			if h.number(form) {
				return true
			}
		}
		return l.closed && h.names(l.key)
	case schema.Bool:
		return h.truth(l.value.IsTrue(), l.key)
	}
	return true
}

// truths are the words for true and for false.
var truths = map[bool]string{
	true:  `(?:true|yes|on|enabled|active|✓|✔|✅|☑)`,
	false: `(?:false|no|off|none|disabled|inactive|✗|✘|❌|☐|✖)`,
}

var truthWord = map[bool]*regexp.Regexp{
	true:  regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])` + truths[true] + `(?:$|[^\pL\pN_])`),
	false: regexp.MustCompile(`(?i)(?:^|[^\pL\pN_])` + truths[false] + `(?:$|[^\pL\pN_])`),
}

// truth reports whether the text has a word for a truth, or names its key without
// saying the opposite beside it.
func (h *haystack) truth(value bool, key string) bool {
	for _, f := range h.forms {
		if truthWord[value].MatchString(f) {
			return true
		}
	}
	if !h.names(key) {
		return false
	}
	opposite, err := regexp.Compile(`(?i)(?:^|[^\pL\pN_])` + regexp.QuoteMeta(key) + `[^\pL\pN_]{1,8}` + truths[!value] + `(?:$|[^\pL\pN_])`)
	return err != nil || !slices.ContainsFunc(h.forms, opposite.MatchString)
}

// numberForms are the ways to write a number without loss: as sent, as JavaScript
// prints it, as an integer, as an amount with more decimals than it needs, and with the
// comma that most of Europe writes.
func numberForms(v *schema.Value) []string {
	js := schema.JSNumber(v.Float(), false)
	forms := []string{v.Text, js}
	if strings.Contains(js, "e") { // without the sign of the exponent, and in capitals
		bare := strings.Replace(js, "e+", "e", 1)
		forms = append(forms, bare, strings.ToUpper(js), strings.ToUpper(bare))
	}
	if r, ok := v.Exact(); ok && r.IsInt() && len(v.Text) < 40 {
		forms = append(forms, r.Num().String())
	}
	if r, ok := v.Exact(); ok && len(v.Text) < 40 {
		for decimals := 1; decimals <= 3; decimals++ {
			fixed := r.FloatString(decimals)
			if same, ok := new(big.Rat).SetString(fixed); ok && same.Cmp(r) == 0 {
				forms = append(forms, fixed, strings.Replace(fixed, ".", ",", 1))
			}
		}
	}
	return forms
}

// digitWords are the numbers that people write as words.
var digitWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"}

// number reports whether the text has a number. The sign of a negative one may be any
// dash, brackets as in accounts, or a word or letter beside it.
func (h *haystack) number(form string) bool {
	plain, negative := strings.CutPrefix(form, "-")
	if len(plain) == 1 && plain[0] >= '0' && plain[0] <= '9' && !negative {
		lower := make([]string, len(h.forms))
		for i, f := range h.forms {
			lower[i] = strings.ToLower(f)
		}
		if (&haystack{forms: lower}).token(digitWords[plain[0]-'0']) {
			return true
		}
	}
	return h.tokenWhere(plain, isDigit, func(before, after string) bool {
		if fractionBefore.MatchString(before) || fractionAfter.MatchString(after) || h.grouped(before, plain, after) {
			return false // part of another number
		}
		return !negative || signBefore.MatchString(before) || signAfter.MatchString(after)
	})
}

// isDigit: a unit may touch a number, another digit may not.
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

var (
	// With the exponent of another number: 21 is not said by 1e21, nor 1.
	fractionBefore = regexp.MustCompile(`\d\.$|\d[eE][-+]?$`)
	fractionAfter  = regexp.MustCompile(`^\.\d|^[eE][-+]?\d`)

	groupsBefore = regexp.MustCompile("(?:^|[^\\d.,'’])(\\d{1,3}(?:[,'’_\u00a0\u202f\u2009٬]\\d{3})*)[,'’_\u00a0\u202f\u2009٬]$")
	groupsAfter  = regexp.MustCompile("^((?:[,'’_\u00a0\u202f\u2009٬]\\d{3})+)(?:[^\\d]|$)")

	signBefore = regexp.MustCompile(`(?i)([-\x{2212}\x{2010}-\x{2015}(]\s?[$€£¥]?|\b(minus|negative|down|loss( of)?|below|fell( by)?|decreased( by)?)\s)$`)
	signAfter  = regexp.MustCompile(`(?i)^\s?\S{0,12}\s?(below|south|west|under|less|down|lower|decrease|overdrawn|ago|S\b|W\b)`)
)

func (h *haystack) contains(want string) bool {
	for _, f := range h.forms {
		if strings.Contains(f, want) {
			return true
		}
	}
	return false
}

// token looks for a word that no letter, digit or underscore touches.
func (h *haystack) token(want string) bool {
	return h.tokenWhere(want, wordByte, func(string, string) bool { return true })
}

// aroundToken is how much of the text on either side of a word is looked at.
const aroundToken = 24

// tokenWhere looks for a text that no byte of a kind touches, with something before or
// after it.
func (h *haystack) tokenWhere(want string, touches func(byte) bool, fits func(before, after string) bool) bool {
	for _, f := range h.forms {
		for from := 0; want != ""; {
			i := strings.Index(f[from:], want)
			if i < 0 {
				break
			}
			i += from
			end := i + len(want)
			if (i == 0 || !touches(f[i-1])) && (end == len(f) || !touches(f[end])) && fits(f[max(0, i-aroundToken):i], f[end:min(len(f), end+aroundToken)]) {
				return true
			}
			from = i + 1
		}
	}
	return false
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

var camelBoundary = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// names reports whether the text has the key as a word, or a part of it.
func (h *haystack) names(key string) bool {
	for _, f := range h.forms {
		lower := strings.ToLower(f)
		words := append([]string{key}, strings.FieldsFunc(camelBoundary.ReplaceAllString(key, "${1}_$2"), func(r rune) bool { return r == '_' || r == '-' || r == ' ' })...)
		for _, w := range words {
			one := &haystack{forms: []string{lower}}
			if len(w) >= 3 && one.token(strings.ToLower(w)) {
				return true
			}
		}
	}
	return false
}

// grouped reports whether the digits of a number stand in the groups of a larger one:
// 345 in 12,345. Where all the groups are numbers of structuredContent themselves the
// text lists them without a space, as comma separated values do.
func (h *haystack) grouped(before, plain, after string) bool {
	run := plain
	if m := groupsBefore.FindStringSubmatch(before); m != nil && len(plain) == 3 {
		run = m[1] + "," + run
	}
	if m := groupsAfter.FindStringSubmatch(after); m != nil && len(plain) <= 3 {
		run += m[1]
	}
	if run == plain {
		return false
	}
	for _, part := range strings.FieldsFunc(run, func(r rune) bool { return r < '0' || r > '9' }) {
		if !h.numbers[part] {
			return true
		}
	}
	return false
}

// numbersOf are the whole numbers of a value, as they are written without their sign.
func numbersOf(v *schema.Value) map[string]bool {
	out := map[string]bool{}
	eachValue(v, 0, func(v *schema.Value) {
		if v.Kind == schema.Number && len(out) < parityLeaves {
			out[strings.TrimPrefix(v.Text, "-")] = true
		}
	})
	return out
}
