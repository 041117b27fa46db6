package operation

import (
	"encoding/json"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

func init() {
	RegisterRender(Render{
		Name: "held-json",
		Doc: `Shows the JSON that a result holds, indented by two, as a value, marks it by isError and ends the rendering; a result without any goes on to the next step. ` +
			`It is structuredContent (parsed when it is a string; its member json, or its only member data, in its place), else the text of a text block or of a resource that is JSON and not null, a list of them where there are several, else all texts joined by newlines.`,
		New: func(params json.RawMessage) (RenderFunc, error) {
			if err := Decode(params, &struct{}{}); err != nil {
				return nil, err
			}
			return func(v *View) error {
				if v.done {
					return nil
				}
				if held := heldJSON(v); held != nil {
					mark := v.IsError
					v.done, v.ErrorShown = true, &mark
					v.Parts = append(v.Parts, Part{"json", held.Stringify("  ")})
				}
				return nil
			}, nil
		},
	})
}

// heldJSON is the value that json() of mcporter's call result returns, nil for its
// null. Source: mcporter 0.12.3, dist/result-utils.js, and its runs on the probes.
func heldJSON(v *View) *schema.Value {
	if held := structuredJSON(v.Structured); held != nil {
		return held
	}
	var texts []string
	var held []*schema.Value
	for _, b := range v.Content {
		text, _ := blockVariable(b, v, "text")
		switch blockKind(b) {
		case "text":
			if text == "" {
				continue
			}
		case "resource":
		case "blob", "image_blob":
			uri, _ := blockVariable(b, v, "uri")
			texts = append(texts, "[Binary resource: "+uri+"]")
			continue
		default:
			continue
		}
		texts = append(texts, text)
		if value := parsedJSON(text); value != nil {
			held = append(held, value)
		}
	}
	switch len(held) {
	case 0:
		return parsedJSON(strings.Join(texts, "\n"))
	case 1:
		return held[0]
	}
	return schema.List(held...)
}

// structuredJSON is what structuredContent gives to the value that is shown.
func structuredJSON(structured *schema.Value) *schema.Value {
	switch {
	case structured == nil:
		return nil
	case structured.Kind == schema.String:
		return parsedJSON(structured.Text)
	case structured.Kind == schema.Array:
		return structured
	case structured.Kind != schema.Object:
		return nil
	}
	inner := structured.Get("json")
	if inner == nil && len(structured.Unique()) == 1 {
		inner = structured.Get("data")
	}
	if inner == nil || inner.Kind == schema.Null {
		return structured
	}
	return inner
}

// parsedJSON is the value of a JSON text, nil for null and for other texts.
func parsedJSON(text string) *schema.Value {
	value, err := schema.ParseString(text)
	if err != nil || value.Kind == schema.Null {
		return nil
	}
	return value
}
