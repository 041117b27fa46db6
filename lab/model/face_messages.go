package model

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// messagesFace is Anthropic Messages.
var messagesFace = face{
	name:    "anthropic-messages",
	matches: func(path string) bool { return strings.HasSuffix(path, "/messages") },
	read:    readMessages,
	write:   writeMessages,
}

func readMessages(body *schema.Value) request {
	r := request{body: body, answers: map[string]Answer{}, prompt: body.Get("messages").Compact()}
	for _, t := range items(body.Get("tools")) {
		r.add(Tool{Name: str(t, "name"), Description: str(t, "description"), Schema: raw(t.Get("input_schema")),
			Strict: flag(t.Get("strict")), Deferred: t.Get("defer_loading").IsTrue()})
	}
	for _, m := range items(body.Get("messages")) {
		for _, part := range items(m.Get("content")) {
			if str(part, "type") != "tool_result" {
				continue
			}
			a := parts(part.Get("content"))
			if mark := part.Get("is_error"); mark != nil && mark.Kind == schema.Bool {
				a.IsError = &mark.Bool
			}
			r.answers[strings.TrimPrefix(str(part, "tool_use_id"), "toolu_")] = a
		}
	}
	return r
}

func writeMessages(e emitter, body *schema.Value, t turn) {
	block, reason := map[string]any{"type": "text", "text": t.text}, "end_turn"
	empty := map[string]any{"type": "text", "text": ""}
	delta := map[string]any{"type": "text_delta", "text": t.text}
	if t.call != nil {
		block = map[string]any{"type": "tool_use", "id": "toolu_" + t.id, "name": t.call.Name, "input": raw(t.arguments)}
		empty, reason = with(block, "input", map[string]any{}), "tool_use"
		delta = map[string]any{"type": "input_json_delta", "partial_json": t.arguments.Compact()}
	}
	message := map[string]any{"id": "msg_lab", "type": "message", "role": "assistant", "model": raw(body.Get("model")), "content": []any{block},
		"stop_reason": reason, "stop_sequence": nil, "usage": map[string]any{"input_tokens": 10, "output_tokens": 5}}
	if !body.Get("stream").IsTrue() {
		e.json(message)
		return
	}
	e.stream(true,
		map[string]any{"type": "message_start", "message": with(message, "content", []any{}, "stop_reason", nil)},
		map[string]any{"type": "content_block_start", "index": 0, "content_block": empty},
		map[string]any{"type": "content_block_delta", "index": 0, "delta": delta},
		map[string]any{"type": "content_block_stop", "index": 0},
		map[string]any{"type": "message_delta", "delta": map[string]any{"stop_reason": reason, "stop_sequence": nil}, "usage": map[string]any{"output_tokens": 5}},
		map[string]any{"type": "message_stop"})
}
