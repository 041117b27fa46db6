package lint

import (
	"fmt"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// inventedResource is what the recorder reads; see wire.Probe.
const inventedResource = "conform://no/such/resource"

// contentRules are about what resources/read and prompts/get give.
func contentRules() []*Rule {
	return []*Rule{
		{ID: "resource-contents", Title: "A resource reads as something malformed", Covers: []string{"R28"}, Stage: verdict.Result, Level: Must,
			Why:    "contents is an array; each element has the uri that was read, and text or blob (base64). Typed clients refuse the whole answer otherwise.",
			Source: "schema.json, ReadResourceResult", Wrong: `{"contents":[{"uri":"depot://north"}]}`, Right: `{"contents":[{"uri":"depot://north","mimeType":"text/plain","text":"8 haulers"}]}`,
			Run: eachAnswer("resources/read", checkContents)},
		{ID: "prompt-messages", Title: "A prompt gives malformed messages", Covers: []string{"R28"}, Stage: verdict.Result, Level: Must,
			Why:    "messages is an array; each has the role user or assistant and one content block, which is no array and no plain text. Typed clients refuse the whole answer otherwise.",
			Source: "schema.json, GetPromptResult and PromptMessage", Wrong: `{"messages":[{"role":"system","content":"Be brief."}]}`, Right: `{"messages":[{"role":"user","content":{"type":"text","text":"Be brief."}}]}`,
			Run: eachAnswer("prompts/get", checkMessages)},
		{ID: "unknown-resource", Title: "A resource that does not exist is read with success", Covers: []string{"R28"}, Stage: verdict.Result, Level: Should,
			Why:    "A client that holds a stale address must learn that nothing is there; an empty answer looks like an empty resource.",
			Source: "server/resources, Error Handling", Wrong: `{"contents":[]}`, Right: `{"code":-32602,"message":"No such resource"} (-32002 up to 2025-11-25)`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.EachExchange(func(e *Exchange) {
					if uri, _ := e.Params.Get("uri").IsString(); e.Method == "resources/read" && uri == inventedResource && e.Result != nil {
						out = append(out, Finding{Session: e.Session.ID, Message: "resources/read of an address that nobody gave out succeeds"})
					}
				})
				return out, nil
			}},
	}
}

// eachAnswer makes a rule of a look at the complete results of a method.
func eachAnswer(method string, look func(s *recording.Session, result *schema.Value, report reporter)) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachExchange(func(e *Exchange) {
			if t, _ := e.Result.Get("resultType").IsString(); e.Method != method || kindOf(e.Result) != "object" || t == "input_required" {
				return
			}
			look(e.Session, e.Result, func(pointer, format string, args ...any) {
				out = append(out, Finding{Session: e.Session.ID, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
			})
		})
		return out, nil
	}
}

func checkContents(_ *recording.Session, result *schema.Value, report reporter) {
	contents := result.Get("contents")
	if kindOf(contents) != "array" {
		report("/contents", "contents is %s and no array", kindOf(contents))
		return
	}
	for i, v := range contents.Items[:min(len(contents.Items), blocksPerResult)] {
		at := fmt.Sprintf("/contents/%d", i)
		if v.Kind != schema.Object {
			report(at, "An element of contents is %s and no object", v.Kind)
			continue
		}
		checkResource(v, at, "resource", report)
	}
}

// checkResource checks the contents of a resource, read or embedded.
func checkResource(v *schema.Value, at, kind string, report reporter) {
	if _, ok := v.Get("uri").IsString(); !ok {
		report(at+"/uri", "uri of a %s is %s and no string", kind, kindOf(v.Get("uri")))
	}
	if mime := v.Get("mimeType"); mime != nil && mime.Kind != schema.String {
		report(at+"/mimeType", "mimeType of a %s is %s and no string", kind, mime.Kind)
	}
	switch text, blob := v.Get("text"), v.Get("blob"); {
	case text == nil && blob == nil:
		report(at, "A %s has neither text nor blob", kind)
	case text != nil && text.Kind != schema.String:
		report(at+"/text", "text of a %s is %s and no string", kind, text.Kind)
	case blob != nil && blob.Kind != schema.String:
		report(at+"/blob", "blob of a %s is %s and no string", kind, blob.Kind)
	case blob != nil:
		checkBase64(v, "blob", at, kind, report)
	}
}

func checkMessages(s *recording.Session, result *schema.Value, report reporter) {
	messages := result.Get("messages")
	if kindOf(messages) != "array" {
		report("/messages", "messages is %s and no array", kindOf(messages))
		return
	}
	for i, m := range messages.Items[:min(len(messages.Items), blocksPerResult)] {
		at := fmt.Sprintf("/messages/%d", i)
		if role, _ := m.Get("role").IsString(); role != "user" && role != "assistant" {
			report(at+"/role", "role is %s; user and assistant exist", textOf(m.Get("role")))
		}
		content := m.Get("content")
		if kindOf(content) != "object" {
			report(at+"/content", "content of a message is %s and no content block", kindOf(content))
			continue
		}
		checkBlock(revisionOf(s), at+"/content", content, report)
	}
}

// textOf writes a value that may be absent for a message.
func textOf(v *schema.Value) string {
	if v == nil {
		return "absent"
	}
	return short(v.Compact())
}
