package operation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "say",
		Doc: `Shows the model one text and ends the rendering (wrapping and cutting still follow). "when" lists conditions that must all hold ` +
			`(rejected, refused = rejected before the call was sent, rpc-error, failed = either of the two, error = isError, structured, structured-object, output-schema, no-content, one-text, always; "not " before one turns it round). ` +
			`"text" is a template: {tool} and {offered} are its names, {server}, {words} what the host said when it rejected, {code}, {message}, {arguments}, {result}, {body} (the result without _meta), {content}, {structured} ` +
			`as compact JSON as JavaScript writes it ({content:2}, {structured:2}, {result:2} indented, {structured:raw} with numbers and members as the server wrote them), ` +
			`{typed} (content, structuredContent and isError in that order, content in any case), {message:4} and {words:4} with every line after the first indented by four, {audio_mime} the type of the first audio block, {text} the text blocks joined by newlines, {"x"} the value x as a JSON string, {x|other} other where x is empty, {{ … {x} … }} left out where x is empty. "mark": true or false sets the error mark; ` +
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

func init() {
	RegisterRender(Render{
		Name: "append",
		Doc:  `Adds a text behind the text parts, with "separator" between when there is a text already; "text" and "when" as in say.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			var p struct {
				When      []string `json:"when"`
				Text      string   `json:"text"`
				Separator string   `json:"separator"`
			}
			if err := Decode(params, &p); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if !holds(v, p.When) {
					return nil
				}
				v.joinText("\n", func(text string) string {
					if text != "" {
						text += p.Separator
					}
					return text + v.expand(p.Text)
				})
				return nil
			}, nil
		},
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

// conditions are what "when" may ask of a view.
var conditions = map[string]func(*View) bool{
	"always":    func(*View) bool { return true },
	"rejected":  func(v *View) bool { return v.Rejected != "" },
	"rpc-error": func(v *View) bool { return v.RPCError != nil },
	"failed":    func(v *View) bool { return v.Rejected != "" || v.RPCError != nil },
	"refused":   func(v *View) bool { return v.Refused },
	"error":     func(v *View) bool { return v.IsError },
	"cut":       func(v *View) bool { return len(v.Cuts) > 0 },
	"audio":     func(v *View) bool { return v.hasBlock("audio") },
	"image":     func(v *View) bool { return v.hasBlock("image") },
	"structured": func(v *View) bool {
		return v.Structured != nil && v.Structured.Kind != schema.Null
	},
	"structured-object": func(v *View) bool { return v.Structured != nil && v.Structured.Kind == schema.Object },
	"output-schema":     func(v *View) bool { return v.Tool.Has("outputSchema") },
	"no-content":        func(v *View) bool { return len(v.Content) == 0 },
	"one-text": func(v *View) bool {
		return len(v.Content) == 1 && blockKind(v.Content[0]) == "text"
	},
	"only-text": func(v *View) bool {
		return !slices.ContainsFunc(v.Content, func(b *schema.Value) bool { return blockKind(b) != "text" })
	},
}

// hasBlock asks the result itself: steps may have mapped Content.
func (v *View) hasBlock(kind string) bool {
	return slices.ContainsFunc(v.sent(), func(b *schema.Value) bool { return blockKind(b) == kind })
}

func holds(v *View, when []string) bool {
	for _, c := range when {
		name, negated := strings.CutPrefix(c, "not ")
		if conditions[name](v) == negated {
			return false
		}
	}
	return true
}

// expand replaces the template's names. Only names that occur are computed: a
// result may be large.
func (v *View) expand(template string) string {
	return fillTemplate(template, v.variable)
}

func (v *View) variable(name string) (string, bool) {
	base, form, _ := strings.Cut(name, ":")
	js := func(value *schema.Value) (string, bool) {
		switch form {
		case "2":
			return value.Stringify("  "), true
		case "raw":
			return value.Compact(), true
		}
		return value.Stringify(""), true
	}
	lines := func(text string) (string, bool) {
		if form == "4" {
			text = strings.ReplaceAll(text, "\n", "\n    ")
		}
		return text, true
	}
	switch base {
	case "tool":
		s, _ := v.Tool.Get("name").IsString()
		return s, true
	case "offered":
		return v.Name, true
	case "server":
		return v.Server, true
	case "words":
		return lines(v.Rejected)
	case "code", "data":
		if value := v.RPCError.Get(base); value != nil && value.Kind != schema.Null {
			return js(value)
		}
		return "", true
	case "message":
		s, _ := v.RPCError.Get("message").IsString()
		return lines(s)
	case "arguments":
		return js(v.Arguments)
	case "result":
		return js(v.Result)
	case "body":
		return js(v.Result.Without("_meta"))
	case "typed":
		return js(v.typed())
	case "content":
		return js(schema.List(v.Content...))
	case "structured":
		return js(v.Structured)
	case "audio_mime":
		for _, b := range v.Content {
			if blockKind(b) == "audio" {
				mime, _ := b.Get("mimeType").IsString()
				return mime, true
			}
		}
		return "", true
	case "text":
		return v.textBlocks("\n"), true
	}
	return "", false
}

// typed is the result as a program gets it that keeps the members it knows.
func (v *View) typed() *schema.Value {
	members := []schema.Member{{Key: "content", Value: schema.List(v.Content...)}}
	if v.Structured != nil {
		members = append(members, schema.Member{Key: "structuredContent", Value: v.Structured})
	}
	if mark := v.Result.Get("isError"); mark != nil && mark.Kind != schema.Null {
		members = append(members, schema.Member{Key: "isError", Value: mark})
	}
	return schema.Obj(members...)
}

// textBlocks joins the texts of the text blocks.
func (v *View) textBlocks(separator string) string {
	var texts []string
	for _, b := range v.Content {
		if kind, _ := b.Get("type").IsString(); kind == "text" {
			text, _ := b.Get("text").IsString()
			texts = append(texts, text)
		}
	}
	return strings.Join(texts, separator)
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
