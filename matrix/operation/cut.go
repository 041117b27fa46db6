package operation

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

// cutRule is a length limit with its marker.
type cutRule struct {
	Over    int      `json:"over"`
	Unit    string   `json:"unit"`
	Measure string   `json:"measure"`
	Head    int      `json:"head"`
	Tail    int      `json:"tail"`
	Marker  string   `json:"marker"`
	Lead    string   `json:"lead"`
	Trail   string   `json:"trail"`
	Lines   bool     `json:"lines"`
	Pairs   bool     `json:"pairs"`
	When    []string `json:"when"`
	Part    string   `json:"part"`
	Of      string   `json:"of"`
}

func init() {
	RegisterRender(Render{
		Name: "cut",
		Doc: `Cuts text longer than "over" "unit"s (utf16, default, or bytes) to its first "head" and last "tail" units with "marker" between them, ` +
			`"lead" before and "trail" after; "measure": "bytes" measures in bytes and cuts in units; {total} is the length, {left} what was left out ({left_grouped} with commas), {kb} and {kb1} the size in KiB rounded to 0 and 1 digits (the latter as toFixed(1)), {size} the length as 44 bytes, 1.5KB or 2MB, {grouped} the length with thousands commas. ` +
			`{sha256} the text's digest. "pairs": true never ends the head within a pair of surrogates. "lines": true ends the head at its last line break when that lies in its second half. "part": "each" looks at every text part by itself instead of their join; "blocks" adds their lengths up and cuts the JSON of them as text blocks, indented by two, and nothing when there is a picture. ` +
			`"of" is a template as in say: its text is looked at instead, and when that is too long the shortened one is all that the model sees.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p cutRule
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return p.apply, nil
		},
	})
}

func (p cutRule) apply(v *View) error {
	if !holds(v, p.When) {
		return nil
	}
	if p.Of != "" {
		if shortened, kept, of := p.shorten(v.expand(p.Of)); kept < of && !v.done {
			v.done = true
			v.Parts = []Part{{"text", shortened}}
			v.Cuts = append(v.Cuts, CutMark{Kept: kept, Of: of, Marker: p.Marker})
		}
		return nil
	}
	if p.Part == "blocks" {
		p.spill(v)
		return nil
	}
	if p.Part != "each" {
		v.joinText("\n", func(s string) string { return s })
	}
	for i, part := range v.Parts {
		if part.Kind != "text" {
			continue
		}
		if shortened, kept, of := p.shorten(part.Text); kept < of {
			v.Parts[i].Text = shortened
			v.Cuts = append(v.Cuts, CutMark{Kept: kept, Of: of, Marker: p.Marker})
		}
	}
	return nil
}

// spill cuts the JSON of all text parts when they are too long together.
func (p cutRule) spill(v *View) {
	total := 0
	var blocks []*schema.Value
	for _, part := range v.Parts {
		if part.Kind != "text" {
			return
		}
		total += len(utf16.Encode([]rune(part.Text)))
		blocks = append(blocks, textBlock(part.Text))
	}
	if total <= p.Over {
		return
	}
	shortened, kept, of := p.shorten(schema.List(blocks...).Stringify("  "))
	v.Parts = []Part{{"text", shortened}}
	v.Cuts = append(v.Cuts, CutMark{Kept: kept, Of: of, Marker: p.Marker})
}

// shorten returns the text with its middle or end left out, and how many units
// of how many were kept.
func (p cutRule) shorten(text string) (shortened string, kept, of int) {
	var slice func(from, to int) string
	if p.Unit == "bytes" {
		of = len(text)
		slice = func(from, to int) string { return wholeRunes(text, from, to) }
	} else {
		units := utf16.Encode([]rune(text))
		of = len(units)
		slice = func(from, to int) string { return string(utf16.Decode(units[from:to])) }
	}
	if size := map[bool]int{true: len(text), false: of}[p.Measure == "bytes"]; size <= p.Over {
		return text, of, of
	}
	end := min(p.Head, of)
	if p.Pairs && p.Unit != "bytes" && strings.HasSuffix(slice(0, end), "\uFFFD") && !strings.HasSuffix(slice(0, min(end+1, of)), "\uFFFD") {
		end-- // what came out as half a pair is a whole one with the unit behind it
	}
	head, tail := slice(0, end), slice(max(of-p.Tail, 0), of)
	if p.Lines {
		if i := strings.LastIndexByte(head, '\n'); i > len(head)/2 {
			head = head[:i]
		}
	}
	kept = p.Head + p.Tail
	bytes := len(text)
	digest := sha256.Sum256([]byte(text))
	fill := strings.NewReplacer(
		"{sha256}", hex.EncodeToString(digest[:]),
		"{total}", strconv.Itoa(of), "{size}", fileSize(of), "{left}", strconv.Itoa(of-kept), "{left_grouped}", grouped(of-kept), "{grouped}", grouped(of),
		"{kb}", strconv.FormatFloat(float64(bytes)/1024, 'f', 0, 64),
		"{kb1}", tenths(bytes))
	return fill.Replace(p.Lead) + head + fill.Replace(p.Marker) + tail + fill.Replace(p.Trail), kept, of
}

// tenths is a size in KiB as JavaScript's toFixed(1) writes it, halves up.
func tenths(bytes int) string {
	n := (bytes*10 + 512) / 1024
	return strconv.Itoa(n/10) + "." + strconv.Itoa(n%10)
}

// wholeRunes slices by bytes without splitting a character.
func wholeRunes(s string, from, to int) string {
	for from > 0 && from < len(s) && !utf8.RuneStart(s[from]) {
		from++
	}
	for to > from && to < len(s) && !utf8.RuneStart(s[to]) {
		to--
	}
	return s[from:to]
}

func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
