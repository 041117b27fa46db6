package lint

import (
	"encoding/base64"
	"fmt"
	"regexp"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// blocksPerResult bounds how many blocks of one result are reported on.
const blocksPerResult = 20

// resultRules are about the envelope of a result and its content blocks.
func resultRules() []*Rule {
	return []*Rule{
		{ID: "result-type", Title: "A result has no resultType, or one that does not exist", Covers: []string{"T18", "TC10"}, Stage: verdict.Result, Level: Must, Revisions: modernOnly,
			Why:    "complete or input_required; extensions may add others. A client takes a missing one for complete, as of an older server, and must refuse a result whose type it does not know.",
			Source: "2026-07-28 basic/index, ResultType", Wrong: `{"content":[]}`, Right: `{"resultType":"complete","content":[]}`, Run: runResultType},
		{ID: "result-server-info", Title: "Results don't say which server they are from", Covers: []string{"T18"}, Stage: verdict.Result, Level: Should, Revisions: modernOnly,
			Why:    "The modern era has no handshake in which the server tells its name and version: each result carries them in _meta, and clients show them.",
			Source: "2026-07-28 basic/index, Per-response metadata", Wrong: `{"resultType":"complete"}`, Right: `{"resultType":"complete","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"depot","version":"1.2.0"}}}`, Run: runServerInfo},
		{ID: "input-required", Title: "input_required where it can't be, or without saying what is wanted", Covers: []string{"T19"}, Stage: verdict.Result, Level: Must, Revisions: modernOnly,
			Why:    "Only tools/call, prompts/get and resources/read may ask; the answer has inputRequests or requestState, and the requests are elicitation/create, sampling/createMessage and roots/list, each only when the client declared it (else the error is -32021).",
			Source: "2026-07-28 basic/patterns/mrtr, Server Requirements", Wrong: `{"resultType":"input_required"}`, Right: `{"resultType":"input_required","requestState":"…"}`, Run: runInputRequired},
		{ID: "result-content", Title: "content is no array", Covers: []string{"TC1"}, Stage: verdict.Result, Level: Must,
			Why:    "Every result of a tool has an array content, beside structuredContent too; it may be empty. Without it the call fails in every typed client.",
			Source: "schema.json, CallToolResult; observed on all five revisions", Wrong: `{"structuredContent":{}}`, Right: `{"content":[],"structuredContent":{}}`, Run: runContent},
		{ID: "result-block", Title: "A content block is malformed or of a type that does not exist", Covers: []string{"TC2"}, Stage: verdict.Result, Level: Must,
			Why:    "Blocks are text, image, resource, since 2025-03-26 audio, since 2025-06-18 resource_link. One that a client does not know fails the whole call.",
			Source: "schema.json, ContentBlock", Wrong: `{"type":"json","json":{}}`, Right: `{"type":"text","text":"{}"}`, Run: runBlocks},
		{ID: "result-block-annotations", Title: "Annotations of a block are malformed", Covers: []string{"TC3"}, Stage: verdict.Result, Level: Must,
			Why:    "audience holds user and assistant only, priority is between 0 and 1; typed clients refuse the result otherwise.",
			Source: "schema.json, Annotations", Wrong: `"annotations":{"priority":2}`, Right: `"annotations":{"priority":1}`, Run: runBlockAnnotations},
		{ID: "result-block-modified", Title: "lastModified is no ISO 8601 time", Covers: []string{"TC3"}, Stage: verdict.Result, Level: Should, Revisions: from2025_6,
			Why:    "Clients that sort by it can't read anything else.",
			Source: "2025-06-18 schema.json, Annotations.lastModified", Wrong: `"lastModified":"yesterday"`, Right: `"lastModified":"2026-11-30T12:00:00Z"`, Run: runModified},
	}
}

func runResultType(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Result == nil || e.Result.Kind != schema.Object || !modernResult(e) {
			return
		}
		t := e.Result.Get("resultType")
		text, ok := t.IsString()
		switch {
		case !ok:
			out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Pointer: "/resultType", Message: fmt.Sprintf("The result of %s has a resultType that is %s and no string", e.Method, kindOf(t))})
		case text != "complete" && text != "input_required":
			out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Pointer: "/resultType", Message: fmt.Sprintf("The result of %s has the resultType %s, which no client without an extension knows", e.Method, quote(text))})
		}
	})
	return out, nil
}

func calledTool(e *Exchange) string {
	if e.Method != "tools/call" {
		return ""
	}
	name, _ := e.Params.Get("name").IsString()
	return name
}

func runServerInfo(p *Pass) (out []Finding, err error) {
	said := map[string]bool{} // once for each session
	p.EachExchange(func(e *Exchange) {
		if e.Result == nil || e.Result.Kind != schema.Object || !modernResult(e) || said[e.Session.ID] {
			return
		}
		info := e.Result.Get("_meta").Get(metaServerInfo)
		_, named := info.Get("name").IsString()
		_, versioned := info.Get("version").IsString()
		switch {
		case info == nil:
			said[e.Session.ID] = true
			out = append(out, Finding{Session: e.Session.ID, Message: "The result of " + e.Method + " has no serverInfo in its _meta"})
		case !named || !versioned:
			out = append(out, Finding{Session: e.Session.ID, Severity: verdict.Error, Message: "The result of " + e.Method + " has a serverInfo without name or version"})
		}
	})
	return out, nil
}

func runInputRequired(p *Pass) (out []Finding, err error) {
	p.EachExchange(func(e *Exchange) {
		if e.Code() == codeMissingCapability && e.Session.Modern() {
			if needed := e.Error.Get("data").Get("requiredCapabilities"); kindOf(needed) != "object" {
				out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Message: fmt.Sprintf("The error -32021 has data.requiredCapabilities that is %s and no object", kindOf(needed))})
			}
			return
		}
		if t, _ := e.Result.Get("resultType").IsString(); t != "input_required" || !modernResult(e) {
			return
		}
		report := func(format string, args ...any) {
			out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Message: fmt.Sprintf(format, args...)})
		}
		if e.Method != "tools/call" && e.Method != "prompts/get" && e.Method != "resources/read" {
			report("%s asks for input", e.Method)
			return
		}
		requests := e.Result.Get("inputRequests")
		if requests == nil && !e.Result.Has("requestState") {
			report("%s asks for input and has neither inputRequests nor requestState", e.Method)
			return
		}
		if state := e.Result.Get("requestState"); state != nil && state.Kind != schema.String {
			report("requestState is %s and no string", state.Kind)
		}
		if requests != nil && requests.Kind != schema.Object {
			report("inputRequests is %s and no object", requests.Kind)
			return
		}
		declared := e.Params.Get("_meta").Get(metaCapabilities)
		for _, m := range requests.Unique() {
			method, _ := m.Value.Get("method").IsString()
			switch needed := capabilityFor[method]; {
			case needed == "":
				report("An input request has the method %s; elicitation/create, sampling/createMessage and roots/list exist", quote(method))
			case e.Request != nil && !declared.Has(needed):
				report("An input request wants %s, which the client did not declare", quote(method))
			}
		}
	})
	return out, nil
}

// eachCallResult makes a rule of a look at one result of a tool. input_required is
// no such result.
func eachCallResult(look func(s *recording.Session, tool *recording.Tool, result *schema.Value, report reporter)) func(*Pass) ([]Finding, error) {
	return func(p *Pass) (out []Finding, err error) {
		p.EachResult(func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value) {
			if t, _ := result.Get("resultType").IsString(); t == "input_required" || result.Kind != schema.Object {
				return
			}
			look(s, tool, result, func(pointer, format string, args ...any) {
				out = append(out, Finding{Tool: name, Session: s.ID, Pointer: pointer, Message: fmt.Sprintf(format, args...)})
			})
		})
		return out, nil
	}
}

func runContent(p *Pass) ([]Finding, error) {
	return eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		if content := result.Get("content"); kindOf(content) != "array" {
			report("/content", "content is %s and no array", kindOf(content))
		}
		if isError := result.Get("isError"); isError != nil && isError.Kind != schema.Bool {
			report("/isError", "isError is %s and no boolean", isError.Kind)
		}
	})(p)
}

// blockSince is the first revision that has a type of block.
var blockSince = map[string]string{"text": v2024_11, "image": v2024_11, "resource": v2024_11, "audio": v2025_03, "resource_link": v2025_06}

// eachBlock calls f for the first blocks of a result.
func eachBlock(result *schema.Value, f func(at string, block *schema.Value)) {
	content := result.Get("content")
	if kindOf(content) != "array" {
		return
	}
	for i, block := range content.Items[:min(len(content.Items), blocksPerResult)] {
		f(fmt.Sprintf("/content/%d", i), block)
	}
}

func runBlocks(p *Pass) ([]Finding, error) {
	return eachCallResult(func(s *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		eachBlock(result, func(at string, block *schema.Value) { checkBlock(revisionOf(s), at, block, report) })
	})(p)
}

func checkBlock(revision, at string, block *schema.Value, report reporter) {
	kind, ok := block.Get("type").IsString()
	if block.Kind != schema.Object || !ok {
		report(at, "A content block is %s without a type", block.Kind)
		return
	}
	since, exists := blockSince[kind]
	if !exists {
		report(at+"/type", "A content block has the type %s, which does not exist", quote(kind))
		return
	}
	if since > revision {
		report(at+"/type", "A %s block is sent under %s; it exists since %s", kind, revision, since)
	}
	needs := func(v *schema.Value, where string, keys ...string) {
		for _, key := range keys {
			if _, ok := v.Get(key).IsString(); !ok {
				report(where+"/"+key, "%s of a %s block is %s and no string", key, kind, kindOf(v.Get(key)))
			}
		}
	}
	switch kind {
	case "text":
		needs(block, at, "text")
	case "image", "audio":
		needs(block, at, "data", "mimeType")
		checkBase64(block, "data", at, kind, report)
		if mime, ok := block.Get("mimeType").IsString(); ok && !mimeForm.MatchString(mime) {
			report(at+"/mimeType", "mimeType of a %s block is %s and no media type", kind, quote(mime))
		}
	case "resource_link":
		needs(block, at, "uri", "name")
	case "resource":
		inner := block.Get("resource")
		if kindOf(inner) != "object" {
			report(at+"/resource", "An embedded resource is %s and no object", kindOf(inner))
			return
		}
		checkResource(inner, at+"/resource", "resource", report)
	}
}

// mimeForm is type/subtype and parameters. Source: RFC 9110, section 8.3.1;
// server/prompts: image and audio data MUST have a valid MIME type.
var mimeForm = regexp.MustCompile(`^[A-Za-z0-9!#$&^_.+-]+/[A-Za-z0-9!#$&^_.+*-]+\s*(;.*)?$`)

// checkBase64 accepts the standard alphabet with padding, and line breaks, which
// decoders skip. Source: schema.json, format byte; RFC 4648, section 4.
func checkBase64(v *schema.Value, key, at, kind string, report reporter) {
	data, ok := v.Get(key).IsString()
	if !ok {
		return
	}
	if _, err := base64.StdEncoding.DecodeString(data); err != nil {
		report(at+"/"+key, "%s of a %s block is no base64: %s", key, kind, quote(data))
	}
}

func runBlockAnnotations(p *Pass) ([]Finding, error) {
	return eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		eachBlock(result, func(at string, block *schema.Value) {
			checkAnnotations(block.Get("annotations"), at+"/annotations", report)
		})
	})(p)
}

// checkAnnotations checks what says for whom something is, of a block or a resource.
func checkAnnotations(annotations *schema.Value, at string, report reporter) {
	if annotations == nil {
		return
	}
	if annotations.Kind != schema.Object {
		report(at, "annotations is %s and no object", annotations.Kind)
		return
	}
	checkAudience(annotations.Get("audience"), at+"/audience", report)
	priority := annotations.Get("priority")
	if priority == nil {
		return
	}
	if f := priority.Float(); priority.Kind != schema.Number || f < 0 || f > 1 {
		report(at+"/priority", "priority is %s, it must be a number from 0 to 1", short(priority.Compact()))
	}
}

func checkAudience(audience *schema.Value, at string, report reporter) {
	if audience == nil {
		return
	}
	if audience.Kind != schema.Array {
		report(at, "audience is %s and no array", audience.Kind)
		return
	}
	for _, who := range audience.Items {
		if text, ok := who.IsString(); !ok || text != "user" && text != "assistant" {
			report(at, "audience names %s; user and assistant exist", short(who.Compact()))
		}
	}
}

// isoTime is a date or a time of ISO 8601 in its extended form.
var isoTime = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?(Z|[+-]\d{2}(:?\d{2})?)?)?$`)

func runModified(p *Pass) ([]Finding, error) {
	check := func(at string, v *schema.Value, report reporter) {
		modified := v.Get("annotations").Get("lastModified")
		if text, ok := modified.IsString(); modified != nil && (!ok || !isoTime.MatchString(text)) {
			report(at+"/annotations/lastModified", "lastModified is %s", short(modified.Compact()))
		}
	}
	out, err := eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		eachBlock(result, func(at string, block *schema.Value) { check(at, block, report) })
	})(p)
	listed, _ := eachEntry(func(_ string, v *schema.Value, report reporter) { check("", v, report) })(p)
	return append(out, listed...), err
}
