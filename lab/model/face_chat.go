package model

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// chatFace is OpenAI Chat Completions, which most hosts take for a model of one's
// own.
var chatFace = face{
	name:    "openai-chat",
	matches: func(path string) bool { return strings.HasSuffix(path, "/chat/completions") },
	read:    readChat,
	write:   writeChat,
}

func readChat(body *schema.Value) request {
	r := request{body: body, answers: map[string]Answer{}, prompt: body.Get("messages").Compact()}
	for _, t := range items(body.Get("tools")) {
		f := t.Get("function")
		if f == nil {
			f = t
		}
		r.add(Tool{Name: str(f, "name"), Description: str(f, "description"), Schema: raw(f.Get("parameters")), Strict: flag(f.Get("strict"))})
	}
	last := ""
	for _, m := range items(body.Get("messages")) {
		switch str(m, "role") {
		case "tool":
			last = str(m, "tool_call_id")
			r.answers[last] = parts(m.Get("content"))
		case "user":
			// The interface takes no images from tools: hosts that have some say so in
			// the user's name (observed with Crush and OpenCode).
			if a, ok := r.answers[last]; ok {
				a.After = parts(m.Get("content")).Images
				r.answers[last] = a
			}
			last = ""
		default:
			last = ""
		}
	}
	return r
}

// add sorts an offered tool into probes and the host's own.
func (r *request) add(t Tool) {
	if t.Probe = ProbeOf(t.Description); t.Probe == "" {
		r.extra, r.bare = append(r.extra, t.Name), append(r.bare, t)
		return
	}
	r.tools = append(r.tools, t)
}

func flag(v *schema.Value) *bool {
	if v == nil || v.Kind != schema.Bool {
		return nil
	}
	return &v.Bool
}

// parts reads the content of a message: a string, or a list of parts.
func parts(content *schema.Value) Answer {
	a := Answer{Texts: []string{}, Other: []string{}}
	if text, ok := content.IsString(); ok {
		a.Texts = append(a.Texts, text)
		return a
	}
	for _, p := range items(content) {
		kind := str(p, "type")
		switch {
		case p.Has("text"):
			a.Texts = append(a.Texts, str(p, "text"))
		case strings.Contains(kind, "image"):
			a.Images++
		default:
			a.Other = append(a.Other, kind)
		}
	}
	return a
}

func writeChat(e emitter, body *schema.Value, t turn) {
	base := func(object string) map[string]any {
		return map[string]any{"id": "chatcmpl-lab", "object": object, "created": 1, "model": raw(body.Get("model"))}
	}
	usage := map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}
	message, finish := map[string]any{"role": "assistant", "content": t.text}, "stop"
	if t.call != nil {
		call := map[string]any{"index": 0, "id": t.id, "type": "function",
			"function": map[string]any{"name": t.call.Name, "arguments": t.arguments.Compact()}}
		message, finish = map[string]any{"role": "assistant", "content": nil, "tool_calls": []any{call}}, "tool_calls"
	}
	if !body.Get("stream").IsTrue() {
		m := base("chat.completion")
		m["choices"], m["usage"] = []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}}, usage
		e.json(m)
		return
	}
	first, last, total := base("chat.completion.chunk"), base("chat.completion.chunk"), base("chat.completion.chunk")
	first["choices"] = []any{map[string]any{"index": 0, "delta": message, "finish_reason": nil}}
	last["choices"] = []any{map[string]any{"index": 0, "delta": map[string]any{}, "finish_reason": finish}}
	total["choices"], total["usage"] = []any{}, usage
	e.stream(false, first, last, total, "[DONE]")
}
