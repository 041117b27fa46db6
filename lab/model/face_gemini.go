package model

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// geminiFace is Google's generateContent.
var geminiFace = face{
	name: "gemini",
	matches: func(path string) bool {
		return strings.HasSuffix(path, ":generateContent") || strings.HasSuffix(path, ":streamGenerateContent")
	},
	read:  readGemini,
	write: writeGemini,
}

func readGemini(body *schema.Value) request {
	r := request{body: body, answers: map[string]Answer{}, prompt: body.Get("contents").Compact()}
	for _, t := range items(body.Get("tools")) {
		for _, f := range items(t.Get("functionDeclarations")) {
			parameters := f.Get("parametersJsonSchema")
			if parameters == nil {
				parameters = f.Get("parameters")
			}
			r.add(Tool{Name: str(f, "name"), Description: str(f, "description"), Schema: raw(parameters)})
		}
	}
	for _, content := range items(body.Get("contents")) {
		list := items(content.Get("parts"))
		for _, part := range list {
			if response := part.Get("functionResponse"); response != nil {
				r.answers[str(response, "id")] = geminiAnswer(response, list)
			}
		}
	}
	return r
}

// geminiAnswer reads a functionResponse: {"output": text} is a success and
// {"error": text} a failure; any other shape is shown as its JSON. Images stand
// beside it or in its own parts.
func geminiAnswer(response *schema.Value, siblings []*schema.Value) Answer {
	a := Answer{Texts: []string{}, Other: []string{}}
	inner := response.Get("response")
	failed := inner.Has("error")
	a.IsError = &failed
	if text, ok := inner.Get("error").IsString(); ok {
		a.Texts = append(a.Texts, text)
	} else if text, ok := inner.Get("output").IsString(); ok {
		a.Texts = append(a.Texts, text)
	} else if inner != nil && len(inner.Members) > 0 {
		a.Texts = append(a.Texts, inner.Compact())
	}
	for _, part := range append(items(response.Get("parts")), siblings...) {
		switch {
		case part.Has("functionResponse"):
		case part.Has("inlineData"):
			if mime := str(part.Get("inlineData"), "mimeType"); strings.HasPrefix(strings.ToLower(mime), "image/") {
				a.Images++
			} else {
				a.Other = append(a.Other, "inlineData:"+mime)
			}
		case part.Has("text"):
			a.Other = append(a.Other, "text")
		}
	}
	return a
}

func writeGemini(e emitter, body *schema.Value, t turn) {
	part := map[string]any{"text": t.text}
	config := body.Get("generationConfig")
	if t.call != nil {
		part = map[string]any{"functionCall": map[string]any{"id": t.id, "name": t.call.Name, "args": raw(t.arguments)}}
	} else if str(config, "responseMimeType") == "application/json" {
		wanted := config.Get("responseJsonSchema")
		if wanted == nil {
			wanted = config.Get("responseSchema")
		}
		part = map[string]any{"text": string(encode(least(wanted)))}
	}
	message := map[string]any{
		"candidates":    []any{map[string]any{"index": 0, "content": map[string]any{"role": "model", "parts": []any{part}}, "finishReason": "STOP"}},
		"usageMetadata": map[string]any{"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}, "modelVersion": "fake"}
	if strings.HasSuffix(e.path, ":streamGenerateContent") {
		e.stream(false, message)
		return
	}
	e.json(message)
}

// least is the smallest value that a schema of a side request (a router, a
// classifier) asks for.
func least(s *schema.Value) any {
	if choices := items(s.Get("enum")); len(choices) > 0 {
		return raw(choices[0])
	}
	switch strings.ToLower(str(s, "type")) {
	case "object":
		out := map[string]any{}
		if p := s.Get("properties"); p != nil {
			for _, m := range p.Members {
				out[m.Key] = least(m.Value)
			}
		}
		return out
	case "array":
		return []any{}
	case "boolean":
		return false
	case "integer", "number":
		return 0
	case "string":
		return "ok"
	}
	return map[string]any{}
}
