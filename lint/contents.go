package lint

import (
	"fmt"
	"strings"

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
		{ID: "unknown-resource", Title: "A resource that does not exist is not answered as such", Covers: []string{"R28"}, Stage: verdict.Result, Level: Should,
			Why:    "A client that holds a stale address must learn that nothing is there; an empty answer looks like an empty resource. In the modern era the error -32602 is a MUST, and so is no empty answer; before, -32002 should come.",
			Source: "server/resources, Error Handling", Wrong: `{"contents":[]}`, Right: `{"code":-32602,"message":"No such resource"} (-32002 up to 2025-11-25)`, Run: runUnknownResource},
		{ID: "unknown-prompt", Title: "A prompt that does not exist is given", Covers: []string{"R28"}, Stage: verdict.Result, Level: Should,
			Why:    "A client that holds a stale name must learn it; the answer should be the error -32602.",
			Source: "server/prompts and server/utilities/completion, Error Handling", Wrong: "Messages for the prompt conform_no_such_tool", Right: `{"code":-32602,"message":"No such prompt"}`, Run: runUnknownPrompt},
		{ID: "prompt-arguments", Title: "A prompt is given without its required arguments", Covers: []string{"R28"}, Stage: verdict.Result, Level: Should,
			Why:    "Servers should check the arguments of a prompt before they use them: a person else gets a prompt with a hole in it.",
			Source: "server/prompts, Error Handling and Implementation Considerations", Wrong: `Messages for {"name":"brief"} where "ship" is required`, Right: `{"code":-32602,"message":"ship is required"}`, Run: runPromptArguments},
		{ID: "resource-mime", Title: "A resource reads as another type than it is listed with", Covers: []string{"R28", "RES"}, Stage: verdict.Result, Level: Quality,
			Why:    "A client chooses by the listed mimeType whether, and for what, it reads the resource.",
			Source: "schema.json, Resource.mimeType and ResourceContents.mimeType", Wrong: "text/plain in the list, application/json when it is read", Right: "The same in both", Run: runResourceMIME},
		{ID: "resource-listed", Title: "A resource that is listed can't be read", Covers: []string{"R28", "RES"}, Stage: verdict.Result, Level: Quality,
			Why:    "A person chooses the resource from the list and gets an error.",
			Source: "server/resources, Listing Resources", Wrong: "-32602 to an address of resources/list", Right: "Its contents", Run: runResourceListed},
		{ID: "completion-values", Title: "Completions are malformed", Covers: []string{"L2"}, Stage: verdict.Result, Level: Must,
			Why:    "completion.values is an array of at most 100 strings, beside it total as a number and hasMore as a boolean. Typed clients refuse the answer otherwise.",
			Source: "schema.json, CompleteResult; server/utilities/completion", Wrong: `{"completion":{"values":null}}`, Right: `{"completion":{"values":["Aurora"],"total":1,"hasMore":false}}`,
			Run: eachAnswer("completion/complete", checkCompletion)},
	}
}

func runUnknownResource(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		uri, _ := e.Params.Get("uri").IsString()
		if e.Method != "resources/read" || uri != inventedResource || e.Session.InitError != nil {
			return
		}
		f := Finding{Session: e.Session.ID, Message: "resources/read of an address that nobody gave out succeeds"}
		if e.Session.Modern() {
			f.Severity = verdict.Error
		}
		switch code := e.Code(); {
		case e.Result != nil:
		case code == codeInvalidParams && !e.Session.Modern():
			f.Severity, f.Message = verdict.Info, "resources/read of an address that nobody gave out is answered with the error -32602, as since 2026-07-28, in place of -32002"
		case e.Error == nil || code == codeInvalidParams || code == codeMethodNotFound || code <= codeHeaderMismatch && code >= codeUnsupportedVersion:
			return
		case code == -32002:
			return // right before, and in the modern era the rule error-code's
		default:
			f.Message = fmt.Sprintf("resources/read of an address that nobody gave out is answered with the error %d in place of -32602", code)
			if !e.Session.Modern() {
				f.Severity, f.Message = verdict.Info, fmt.Sprintf("resources/read of an address that nobody gave out is answered with the error %d in place of -32002", code)
			}
		}
		out = append(out, f)
	})
	return out, nil
}

func runUnknownPrompt(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Answer == nil && e.Request != nil {
			return
		}
		if of, _ := e.Params.Get("ref").Get("name").IsString(); e.Method == "completion/complete" && of == inventedTool && e.Result != nil {
			f := Finding{Session: e.Session.ID, Message: "completion/complete for a prompt that nobody gave out succeeds"}
			if len(items(e.Result.Get("completion").Get("values"))) == 0 {
				f.Severity = verdict.Info // nobody is misled
			}
			out = append(out, f)
		}
		if name, _ := e.Params.Get("name").IsString(); e.Method != "prompts/get" || name != inventedTool {
			return
		}
		switch {
		case e.Result != nil:
			out = append(out, Finding{Session: e.Session.ID, Message: "prompts/get of a name that nobody gave out succeeds"})
		case e.Error != nil && e.Code() != codeInvalidParams && e.Code() != codeMethodNotFound && !deliberate(e):
			out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("prompts/get of a name that nobody gave out is answered with the error %d in place of -32602", e.Code())})
		}
	})
	return out, nil
}

// runPromptArguments compares what was asked for with what the list says.
func runPromptArguments(p *Pass) (out []Finding, err error) {
	required := map[string][]string{} // by revision and name
	p.eachListed("prompts/list", func(e *Exchange, prompt *schema.Value) {
		name, _ := prompt.Get("name").IsString()
		var names []string
		for _, a := range items(prompt.Get("arguments")) {
			if argument, ok := a.Get("name").IsString(); ok && a.Get("required").IsTrue() {
				names = append(names, argument)
			}
		}
		required[revisionOf(e.Session)+"\x00"+name] = names
	})
	p.EachExchange(func(e *Exchange) {
		if e.Method != "prompts/get" || e.Result == nil {
			return
		}
		name, _ := e.Params.Get("name").IsString()
		for _, argument := range required[revisionOf(e.Session)+"\x00"+name] {
			if !e.Params.Get("arguments").Has(argument) {
				out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("The prompt %s is given without %s, which it requires", quote(name), quote(argument))})
				return
			}
		}
	})
	return out, nil
}

// items returns the elements of a list, none for anything else.
func items(list *schema.Value) []*schema.Value {
	if kindOf(list) != "array" {
		return nil
	}
	return list.Items
}

// eachListed calls f for every entry of the answers to a list request.
func (p *Pass) eachListed(method string, f func(e *Exchange, entry *schema.Value)) {
	p.EachExchange(func(e *Exchange) {
		if e.Method != method {
			return
		}
		for _, entry := range items(e.Result.Get(listKeys[method])) {
			f(e, entry)
		}
	})
}

// listedAs returns what the entry of a resource says, by revision and address.
func (p *Pass) listedAs() map[string]*schema.Value {
	listed := map[string]*schema.Value{}
	p.eachListed("resources/list", func(e *Exchange, entry *schema.Value) {
		uri, _ := entry.Get("uri").IsString()
		listed[revisionOf(e.Session)+"\x00"+uri] = entry
	})
	return listed
}

func runResourceMIME(p *Pass) (out []Finding, err error) {
	listed := p.listedAs()
	p.EachExchange(func(e *Exchange) {
		uri, _ := e.Params.Get("uri").IsString()
		said, ok := listed[revisionOf(e.Session)+"\x00"+uri].Get("mimeType").IsString()
		if e.Method != "resources/read" || !ok {
			return
		}
		for _, c := range items(e.Result.Get("contents")) {
			read, typed := c.Get("mimeType").IsString()
			if at, _ := c.Get("uri").IsString(); at == uri && typed && media(read) != media(said) {
				out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s is listed as %s and reads as %s", quote(uri), quote(said), quote(read))})
			}
		}
	})
	return out, nil
}

// media is a media type without its parameters.
func media(text string) string {
	kind, _, _ := strings.Cut(text, ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

func runResourceListed(p *Pass) (out []Finding, err error) {
	listed := p.listedAs()
	p.EachExchange(func(e *Exchange) {
		uri, _ := e.Params.Get("uri").IsString()
		if e.Method != "resources/read" || e.Error == nil || listed[revisionOf(e.Session)+"\x00"+uri] == nil || deliberate(e) {
			return
		}
		out = append(out, Finding{Session: e.Session.ID, Message: fmt.Sprintf("%s is listed, and resources/read of it is answered with the error %d", quote(uri), e.Code())})
	})
	return out, nil
}

// completionsMost is how many values one answer may hold. Source: schema.ts,
// CompleteResult.
const completionsMost = 100

func checkCompletion(_ *recording.Session, result *schema.Value, report reporter) {
	completion := result.Get("completion")
	if kindOf(completion) != "object" {
		report("/completion", "completion is %s and no object", kindOf(completion))
		return
	}
	values := completion.Get("values")
	if kindOf(values) != "array" {
		report("/completion/values", "values is %s and no array", kindOf(values))
		return
	}
	if n := len(values.Items); n > completionsMost {
		report("/completion/values", "values has %d elements, %d are the most", n, completionsMost)
	}
	for i, v := range values.Items {
		if v.Kind != schema.String {
			report(fmt.Sprintf("/completion/values/%d", i), "A value is %s and no string", v.Kind)
			break
		}
	}
	if total := completion.Get("total"); total != nil && total.Kind != schema.Number {
		report("/completion/total", "total is %s and no number", total.Kind)
	}
	if more := completion.Get("hasMore"); more != nil && more.Kind != schema.Bool {
		report("/completion/hasMore", "hasMore is %s and no boolean", more.Kind)
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
	if d := result.Get("description"); d != nil && d.Kind != schema.String {
		report("/description", "description of a prompt's answer is %s and no string", d.Kind)
	}
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
