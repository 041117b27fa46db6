package model

import (
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// responsesFace is OpenAI Responses: tools may come in namespaces, deferred behind
// a search, or not as tools at all but as a library of a program.
var responsesFace = face{
	name:    "openai-responses",
	matches: func(path string) bool { return strings.HasSuffix(path, "/responses") },
	read:    readResponses,
	write:   writeResponses,
}

func readResponses(body *schema.Value) request {
	r := request{body: body, answers: map[string]Answer{}, prompt: body.Get("input").Compact()}
	for _, t := range items(body.Get("tools")) {
		r.addResponses(t, "", "")
	}
	for _, item := range items(body.Get("input")) {
		kind := str(item, "type")
		if kind == "tool_search_output" {
			r.addFound(item.Get("tools"))
		}
		if strings.HasSuffix(kind, "_call_output") {
			r.answers[str(item, "call_id")] = parts(item.Get("output"))
		}
	}
	return r
}

// addFound adds what a search found, but for what another search found before.
func (r *request) addFound(tools *schema.Value) {
	found := request{}
	for _, t := range items(tools) {
		found.addResponses(t, "", "")
	}
	r.tools = append(r.tools, without(found.tools, r.tools)...)
	r.bare = append(r.bare, without(found.bare, r.bare)...)
}

// without returns the tools that have a name of their own among others.
func without(tools, others []Tool) []Tool {
	return slices.DeleteFunc(slices.Clone(tools), func(t Tool) bool {
		return slices.ContainsFunc(others, func(o Tool) bool { return o.Name == t.Name && o.Namespace == t.Namespace })
	})
}

func (r *request) addResponses(t *schema.Value, namespace, via string) {
	if str(t, "type") == "namespace" {
		for _, inner := range items(t.Get("tools")) {
			r.addResponses(inner, str(t, "name"), via)
		}
		return
	}
	r.add(Tool{Name: str(t, "name"), Namespace: namespace, Description: str(t, "description"), Schema: raw(t.Get("parameters")),
		Strict: flag(t.Get("strict")), Deferred: t.Get("defer_loading").IsTrue(), Via: via})
}

func writeResponses(e emitter, body *schema.Value, t turn) {
	item := t.item
	var steps []any
	event := func(kind string, members map[string]any) {
		members["type"], members["sequence_number"] = kind, len(steps)
		steps = append(steps, members)
	}
	base := func(status string, output []any) map[string]any {
		return map[string]any{"id": "resp_lab", "object": "response", "created_at": 1, "model": raw(body.Get("model")), "status": status, "output": output,
			"usage": map[string]any{"input_tokens": 10, "input_tokens_details": map[string]any{"cached_tokens": 0}, "output_tokens": 5,
				"output_tokens_details": map[string]any{"reasoning_tokens": 0}, "total_tokens": 15}}
	}
	started := base("in_progress", []any{})
	delete(started, "usage")
	event("response.created", map[string]any{"response": started})
	switch {
	case item != nil: // only the finished item
	case t.call != nil:
		arguments := t.arguments.Compact()
		item = map[string]any{"type": "function_call", "id": "fc_" + t.id, "call_id": t.id, "name": t.call.Name, "arguments": arguments, "status": "completed"}
		if t.call.Namespace != "" {
			item["namespace"] = t.call.Namespace
		}
		event("response.output_item.added", map[string]any{"output_index": 0, "item": with(item, "arguments", "", "status", "in_progress")})
		event("response.function_call_arguments.delta", map[string]any{"item_id": item["id"], "output_index": 0, "delta": arguments})
		event("response.function_call_arguments.done", map[string]any{"item_id": item["id"], "output_index": 0, "arguments": arguments})
	default:
		content := []any{map[string]any{"type": "output_text", "text": t.text, "annotations": []any{}}}
		item = map[string]any{"type": "message", "id": "msg_lab", "role": "assistant", "status": "completed", "content": content}
		event("response.output_item.added", map[string]any{"output_index": 0, "item": with(item, "content", []any{}, "status", "in_progress")})
		event("response.output_text.delta", map[string]any{"item_id": "msg_lab", "output_index": 0, "content_index": 0, "delta": t.text})
	}
	event("response.output_item.done", map[string]any{"output_index": 0, "item": item})
	event("response.completed", map[string]any{"response": base("completed", []any{item})})
	if !body.Get("stream").IsTrue() {
		e.json(base("completed", []any{item}))
		return
	}
	e.stream(true, steps...)
}

// with returns a copy of m with pairs of key and value changed.
func with(m map[string]any, pairs ...any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		out[k] = v
	}
	for i := 0; i+1 < len(pairs); i += 2 {
		out[pairs[i].(string)] = pairs[i+1]
	}
	return out
}
