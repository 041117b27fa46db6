package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

func init() {
	RegisterRender(Render{
		Name: "say",
		Doc: `Shows the model one text and ends the rendering (wrapping and cutting still follow). "when" lists conditions that must all hold ` +
			`(rejected, malformed = rejected by the parser of results, refused = rejected before the call was sent, rpc-error, failed = either of the two, error = isError, structured, structured-or-null = the member is there, structured-in-text = the text is its compact JSON, structured-object, structured-scalar, structured-string, output-schema, no-content, one-text, lone-text = one text beside resources at most, one-block, text-first = the first block is a text, meta, only-text, only-text-images, blank-text = no text block or only white space, cut, no-words = nothing is shown yet, omitted = a picture was left out, stripped = data was taken out, one-part = one part is shown, structured-among-texts = a text block is its JSON, picture = an image or a blob of one, audio, image, always; "not " before one turns it round). ` +
			`"text" is a template: {tool} and {offered} are its names, {server}, {words} what the host said when it rejected, {code}, {message}, {code_name} (the name of a JSON-RPC code), {named_message} (name: message, or the one that there is), {mcp_error} (MCP error {code}: {message}), {arguments}, {result}, {body} (the result without _meta), {unwrapped} (the result without resultType), {structured_text} (structuredContent that is a string), {content}, {structured} ` +
			`as compact JSON as JavaScript writes it ({content:2}, {structured:2}, {result:2} indented, {structured:raw} with numbers and members as the server wrote them), ` +
			`{typed} (content, structuredContent and isError in that order, content in any case), {message:4} and {words:4} with every line after the first indented by four, {audio_mime} the type of the first audio block, {text} the text blocks joined by newlines ({text:trim} without white space around), {first_text} the first of them, {"x"} the value x as a JSON string, {x|other} other where x is empty, {{ … {x} … }} left out where x is empty. "mark": true or false sets the error mark; ` +
			`"as": "json" marks the part as a value and not a text.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				When []string `json:"when"`
				Text string   `json:"text"`
				Mark *bool    `json:"mark"`
				As   string   `json:"as"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			for _, c := range p.When {
				if _, ok := conditions[strings.TrimPrefix(c, "not ")]; !ok {
					return nil, fmt.Errorf("say: no condition %q", c)
				}
			}
			if p.As == "" {
				p.As = "text"
			}
			return func(v *View) error {
				if v.done || !holds(v, p.When) {
					return nil
				}
				v.done = true
				v.Parts = append(v.Parts, Part{p.As, v.expand(p.Text)})
				if p.Mark != nil {
					v.ErrorShown = p.Mark
				}
				return nil
			}, nil
		},
	})
	RegisterRender(Render{
		Name: "wrap",
		Doc:  `Puts the text parts, joined by "separator" (default newline), into "text" at {text}; "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				When      []string `json:"when"`
				Text      string   `json:"text"`
				Separator *string  `json:"separator"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if !holds(v, p.When) {
					return nil
				}
				separator := "\n"
				if p.Separator != nil {
					separator = *p.Separator
				}
				before, after, _ := strings.Cut(p.Text, "{text}")
				v.joinText(separator, func(text string) string { return v.expand(before) + text + v.expand(after) })
				return nil
			}, nil
		},
	})
}

type appended struct {
	onlyWhen
	Text      string `json:"text"`
	Separator string `json:"separator"`
}

func init() {
	registerText("append",
		`Adds a text behind the text parts, with "separator" between when there is a text already; "text" and "when" as in say.`,
		func(v *View, p appended, text string) string {
			if text != "" {
				text += p.Separator
			}
			return text + v.expand(p.Text)
		})
	RegisterRender(Render{
		Name: "prepend",
		Doc:  `Puts a text part before the others; "text" and "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				When []string `json:"when"`
				Text string   `json:"text"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if holds(v, p.When) {
					v.Parts = slices.Insert(v.Parts, 0, Part{"text", v.expand(p.Text)})
				}
				return nil
			}, nil
		},
	})
}

// joinText replaces the text parts by one, changed by f, in the place of the first.
func (v *View) joinText(separator string, f func(string) string) {
	var texts []string
	var rest []Part
	at := -1
	for _, p := range v.Parts {
		if p.Kind != "text" {
			rest = append(rest, p)
			continue
		}
		if at < 0 {
			at = len(rest)
		}
		texts = append(texts, p.Text)
	}
	if at < 0 {
		at = 0
	}
	v.Parts = slices.Insert(rest, at, Part{"text", f(strings.Join(texts, separator))})
}
