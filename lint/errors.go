package lint

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// sortFindings puts findings that came out of a map in an order of their own.
func sortFindings(list []Finding) {
	slices.SortStableFunc(list, func(a, b Finding) int {
		if c := strings.Compare(a.Session, b.Session); c != 0 {
			return c
		}
		return strings.Compare(a.Tool, b.Tool)
	})
}

// errorRules are about what a server says when something is wrong.
func errorRules() []*Rule {
	return []*Rule{
		{ID: "error-code", Title: "An error has a code that the modern era forbids", Covers: []string{"T17"}, Stage: verdict.Call, Level: Must, Revisions: modernOnly,
			Why:    "-32002 and -32042 are of the legacy era, and of -32020 to -32099 only -32020, -32021 and -32022 have a meaning: a client that reads another one takes it for something it is not.",
			Source: "2026-07-28 basic/index, Error Codes", Wrong: `{"code":-32002,"message":"Resource not found"}`, Right: `{"code":-32602,"message":"Resource not found"}`, Run: runErrorCode},
		{ID: "error-code-reserved", Title: "An error has a code that new servers should not use", Covers: []string{"T17"}, Stage: verdict.Call, Level: Should, Revisions: modernOnly,
			Why:    "-32000 to -32019 were used in many ways by implementations of before; nobody can tell what they mean. (Two SEPs show the header errors under these numbers: they were renumbered.)",
			Source: "2026-07-28 basic/index, Error Codes", Wrong: `{"code":-32001}`, Right: `{"code":-32602}`,
			Run: func(p *Pass) (out []Finding, err error) {
				p.eachModernError(func(e *Exchange) {
					if code := e.Code(); code <= -32000 && code >= -32019 && code != -32002 {
						out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Message: fmt.Sprintf("%s is answered with the error %d", e.Method, code)})
					}
				})
				return out, nil
			}},
		{ID: "error-protocol", Title: "What goes wrong in a tool comes as a protocol error", Covers: []string{"TC7", "TC9"}, Stage: verdict.Call, Level: Should,
			Why:    "An error of the tool belongs in a result with isError, which hosts give to the model so that it can try again; of a protocol error many models never hear. For arguments that the inputSchema forbids the specification says both (tools.mdx: isError; schema.ts: -32602): either is accepted.",
			Source: "server/tools, Error Handling; schema.ts, CallToolResult", Wrong: `{"error":{"code":-32603,"message":"The depot service did not answer."}}`, Right: `{"result":{"isError":true,"content":[{"type":"text","text":"The depot service did not answer."}]}}`, Run: runErrorProtocol},
		{ID: "unknown-tool", Title: "An unknown tool is called with success", Covers: []string{"TC8"}, Stage: verdict.Call, Level: Should,
			Why:    "A model that misremembers a name must learn it. The specification's example is the error -32602; a result with isError is seen in practice and accepted.",
			Source: "server/tools, Error Handling", Wrong: `{"content":[{"type":"text","text":"Done."}]}`, Right: `{"code":-32602,"message":"Unknown tool: hual"}`, Run: runUnknownTool},
		{ID: "arguments-unchecked", Title: "Arguments that the inputSchema forbids are accepted", Covers: []string{"TC13"}, Stage: verdict.Call, Level: Must,
			Why:    "Servers must validate all inputs: a model often leaves out what is required or gets a type wrong, and a silent default does something that nobody asked for. Members that additionalProperties: false forbids, and numbers beyond their bounds, are a warning only, since many servers drop or clamp them on purpose.",
			Source: "server/tools, Security Considerations", Wrong: `A result for {} where {"required":["region"]}`, Right: `{"isError":true,"content":[{"type":"text","text":"region is required"}]}`, Run: runArguments},
		{ID: "error-text", Title: "An error result says nothing useful", Covers: []string{"R41", "R42"}, Stage: verdict.Result, Level: Quality,
			Why:    "The text of an error is all that the model has to correct itself: what was wrong, what the upstream service answered, what to do. Empty and generic texts make it repeat the same call.",
			Source: "server/tools, Error Handling; cloudflare/mcp 255", Wrong: `"An error occurred."`, Right: `"No site west; there are north and south."`, Run: runErrorText},
		{ID: "error-unflagged", Title: "A result says that it is an error, but not with isError", Covers: []string{"TC7"}, Stage: verdict.Result, Level: Should,
			Why:    "What goes wrong in a tool should be reported in a result with isError: true. Hosts mark such results, count them, and retry; a text that begins with Error: is a success to all of them.",
			Source: "server/tools, Error Handling; schema.ts, CallToolResult.isError", Wrong: `{"content":[{"type":"text","text":"Error: connect ECONNREFUSED"}]}`, Right: `{"isError":true,"content":[{"type":"text","text":"Error: connect ECONNREFUSED"}]}`, Run: runUnflagged},
		{ID: "result-text", Title: "A result holds what a program prints by mistake", Covers: []string{"R42"}, Stage: verdict.Result, Level: Quality,
			Why:    "[object Object], an unawaited promise or the address of a Python object tells the model nothing; the value that was meant is lost.",
			Source: "observed class: text made by string concatenation", Wrong: `{"type":"text","text":"[object Object]"}`, Right: `{"type":"text","text":"{\"total\":2}"}`, Run: runResultText},
		{ID: "error-structured", Title: "An error result carries structuredContent", Covers: []string{"R41"}, Stage: verdict.Result, Level: Quality, Revisions: from2025_6,
			Why:    "Clients that look at structuredContent first show it in place of the text; ones that validate it refuse it, see structured-error-mismatch.",
			Source: "observed: TypeScript SDK 1.32.2; hevy-mcp", Wrong: `{"isError":true,"structuredContent":{…}}`, Right: `{"isError":true,"content":[…]}`,
			Run: eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
				if result.Get("isError").IsTrue() && result.Has("structuredContent") {
					report("/structuredContent", "An error result has structuredContent")
				}
			})},
	}
}

// eachModernError calls f for the errors to modern requests.
func (p *Pass) eachModernError(f func(*Exchange)) {
	p.EachExchange(func(e *Exchange) {
		if e.Error != nil && e.Session.Modern() && e.Method != "initialize" && (e.Request == nil || e.Version() != "") && p.answersModern(e.Session) {
			f(e)
		}
	})
}

// answersModern reports whether the server speaks the modern era at all: a legacy
// server that refuses a modern request may use any code.
func (p *Pass) answersModern(s *recording.Session) bool {
	return s.InitError == nil && len(s.Pages) > 0 || p.speaksModern()
}

func runErrorCode(p *Pass) (out []Finding, err error) {
	p.eachModernError(func(e *Exchange) {
		code := e.Code()
		undefined := code <= -32020 && code >= -32099 && code < codeUnsupportedVersion
		if code == -32002 || code == -32042 || undefined {
			out = append(out, Finding{Session: e.Session.ID, Tool: calledTool(e), Message: fmt.Sprintf("%s is answered with the error %d", e.Method, code)})
		}
	})
	return out, nil
}

// inventedTool is what the recorder calls; see wire.Probe.
const inventedTool = "conform_no_such_tool"

func runUnknownTool(p *Pass) (out []Finding, err error) {
	p.eachCall(func(e *Exchange, tool *recording.Tool, name string) {
		if name == inventedTool && tool == nil && e.Code() == codeInternal {
			out = append(out, Finding{Session: e.Session.ID, Severity: verdict.Info, Message: "A call of a tool that does not exist gives the error -32603, as if the server had failed"})
		}
	})
	p.EachResult(func(s *recording.Session, tool *recording.Tool, name string, result *schema.Value) {
		if name != inventedTool || tool != nil {
			return
		}
		f := Finding{Session: s.ID, Message: "A call of a tool that does not exist succeeds"}
		if result.Get("isError").IsTrue() {
			f.Severity, f.Message = verdict.Info, "A call of a tool that does not exist gives an error result in place of the error -32602"
		}
		out = append(out, f)
	})
	return out, nil
}

// lenient are the keywords whose breach many servers repair on purpose: they drop what
// they don't know, and take the bound for what is beyond it.
var lenient = map[string]bool{"additionalProperties": true, "unevaluatedProperties": true, "false schema": true,
	"minimum": true, "maximum": true, "exclusiveMinimum": true, "exclusiveMaximum": true}

// wrongArguments says what the inputSchema has against the arguments of a call:
// serious is false when only [lenient] keywords do.
func (p *Pass) wrongArguments(tool *recording.Tool, arguments *schema.Value) (text string, serious bool) {
	if tool == nil || kindOf(tool.Input) != "object" {
		return "", false
	}
	if arguments == nil {
		arguments = schema.Obj()
	}
	validator, err := p.Validator(tool.Input)
	if err != nil {
		return "", false
	}
	r := validator.Validate(arguments)
	if r.Outcome != validators.Invalid {
		return "", false
	}
	for _, v := range r.Violations {
		serious = serious || !lenient[v.Keyword]
	}
	return r.Text, serious || len(r.Violations) == 0
}

func (p *Pass) eachCall(f func(e *Exchange, tool *recording.Tool, name string)) {
	for _, s := range p.Conversations() {
		listed := p.toolsFor(s)
		for _, e := range p.Exchanges(s) {
			if e.Method == "tools/call" && !deliberate(e) {
				name, _ := e.Params.Get("name").IsString()
				f(e, listed[name], name)
			}
		}
	}
}

func runArguments(p *Pass) (out []Finding, err error) {
	p.eachCall(func(e *Exchange, tool *recording.Tool, name string) {
		// A case file need not say with what a tool was called.
		if e.Result == nil || e.Result.Get("isError").IsTrue() || e.Request == nil && !e.Params.Has("arguments") {
			return
		}
		text, serious := p.wrongArguments(tool, e.Params.Get("arguments"))
		if text == "" {
			return
		}
		f := Finding{Tool: name, Session: e.Session.ID, Message: "A call succeeds although the inputSchema forbids its arguments: " + short(text)}
		if !serious {
			f.Severity = verdict.Warning
		}
		out = append(out, f)
	})
	return out, nil
}

func runErrorProtocol(p *Pass) (out []Finding, err error) {
	p.eachCall(func(e *Exchange, tool *recording.Tool, name string) {
		if e.Error == nil || tool == nil {
			return
		}
		code := e.Code()
		wrong, _ := p.wrongArguments(tool, e.Params.Get("arguments"))
		f := Finding{Tool: name, Session: e.Session.ID, Message: fmt.Sprintf("A call of a known tool is answered with the protocol error %d", code)}
		switch {
		case e.Params.Has("task"): // the rules about tasks look at those
			return
		case code == codeHeaderMismatch, code == codeMissingCapability, code == codeUnsupportedVersion, code == codeMethodNotFound, code == codeInvalidRequest:
			return
		case code == codeInvalidParams && wrong != "":
			f.Severity, f.Message = verdict.Info, "Arguments that the inputSchema forbids are answered with the error -32602; tools.mdx wants a result with isError, schema.ts this error"
		}
		out = append(out, f)
	})
	return out, nil
}

// generic are error texts that say nothing.
var generic = regexp.MustCompile(`(?i)^\W*(error\W+)?((an?|the|some)\s+)?((unknown|unexpected|internal|unhandled|generic|general|server|tool|mcp|execution|operation)\s+)*(error|failure|exception|failed|something went wrong|request failed|operation failed|bad request|invalid (request|input|arguments?|params?|parameters?))(\s+(occurred|happened|has occurred|while \w+ing( the)?( \w+)?))?\W*$|^\W*(error\W+)?(object object|undefined|null|none|nil|false|\d{0,5})\W*$`)

// stackTrace is a line of a JavaScript, Python, Java or Go stack trace.
var stackTrace = regexp.MustCompile(`(?m)^\s+at .+\(.+:\d+(:\d+)?\)$|Traceback \(most recent call last\)|^goroutine \d+ \[`)

func runErrorText(p *Pass) ([]Finding, error) {
	return eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		if !result.Get("isError").IsTrue() || kindOf(result.Get("content")) != "array" {
			return
		}
		text := ""
		for _, block := range result.Get("content").Items {
			t, _ := block.Get("text").IsString()
			text += t
		}
		switch trimmed := strings.TrimSpace(text); {
		case trimmed == "":
			report("/content", "An error result has no text")
		case len(trimmed) < 200 && generic.MatchString(trimmed):
			report("/content", "An error result says only %s", quote(trimmed))
		case len(trimmed) < 200 && onlyWhere.MatchString(trimmed):
			report("/content", "An error result says where and not what: %s", quote(trimmed))
		case page.MatchString(trimmed):
			report("/content", "An error result is a web page, of which the model can read little: %s", quote(trimmed))
		case dumped(trimmed):
			report("/content", "An error result is the dump of an object and says in no words what went wrong: %s", quote(trimmed))
		case stackTrace.MatchString(text):
			report("/content", "An error result holds a stack trace, which tells the model nothing and others too much")
		}
	})(p)
}

// onlyWhere is an error text that ends before it says what went wrong.
var onlyWhere = regexp.MustCompile(`(?i)^\W*(error|failed|failure)( (to )?(execut|call|runn?|invok)(e|ing))?( (the )?tool)?\s+['"\x60]?[\w.-]+['"\x60]?\s*:\s*$`)

// page begins an HTML document.
var page = regexp.MustCompile(`(?i)^\s*(<\?xml[^>]*>\s*)?(<!doctype html|<html[\s>])`)

// saysError begins a text that reports a failure, as programs print them.
var saysError = regexp.MustCompile(`^\W{0,4}((Error|ERROR|error|Exception|EXCEPTION|Fatal error|FATAL)\s*(\[[^\]]*\]|\([^)]*\))?\s*:|[A-Z][A-Za-z]*(Error|Exception)\s*:|(Error|Failed)( \w+)? (executing|calling|fetching|connecting|reading|running|to (execute|call|fetch|connect|read|run)) |Traceback \(most recent call last\))`)

func runUnflagged(p *Pass) (out []Finding, err error) {
	p.eachCall(func(e *Exchange, _ *recording.Tool, name string) {
		blocks := items(e.Result.Get("content"))
		if e.Result == nil || e.Result.Get("isError").IsTrue() || len(blocks) != 1 || e.Result.Has("structuredContent") {
			return
		}
		if text, ok := blocks[0].Get("text").IsString(); ok && (saysError.MatchString(text) || onlyError(text)) && !showsErrors(name, e.Params.Get("arguments")) {
			out = append(out, Finding{Tool: name, Session: e.Session.ID, Pointer: "/content/0", Message: "The text of a result without isError begins " + quote(strings.TrimSpace(text))})
		}
	})
	return out, nil
}

// errorWord is a word of a name or argument that asks for errors as such.
var errorWord = regexp.MustCompile(`(?i)(^|[^\pL])(errors?|failures?|exceptions?|logs?|traces?|stack|console)($|[^\pL])`)

// showsErrors reports whether an error message is what a call asked for: a tool that
// reads a log, or one that was told to show an error. Observed: server-everything's
// get-annotated-message with messageType "error".
func showsErrors(tool string, arguments *schema.Value) bool {
	asked := errorWord.MatchString(camelBoundary.ReplaceAllString(tool, "${1}_$2"))
	if arguments == nil {
		return asked
	}
	eachLeaf(arguments, nil, "", "", 0, func(l leaf) {
		text, ok := l.value.IsString()
		asked = asked || ok && len(text) < 200 && errorWord.MatchString(text)
	})
	return asked
}

// printed is what JavaScript and Python print in place of a value.
var printed = regexp.MustCompile(`\[object (Object|Promise|Undefined|Null|Function|AsyncFunction|Response|Map|Set|Generator|AsyncGenerator)\]|^\s*(undefined|Promise \{.*\}|<(coroutine|async_generator|generator|function|bound method|[\w.]+ object)\b[^>]* at 0x[0-9a-fA-F]+>)\s*$`)

func runResultText(p *Pass) ([]Finding, error) {
	return eachCallResult(func(_ *recording.Session, _ *recording.Tool, result *schema.Value, report reporter) {
		if result.Get("isError").IsTrue() {
			return // error-text looks at those
		}
		eachBlock(result, func(at string, block *schema.Value) {
			text, _ := block.Get("text").IsString()
			if where := printed.FindString(text[:min(len(text), 1<<16)]); where != "" {
				report(at+"/text", "A text holds %s", quote(strings.TrimSpace(where)))
			}
		})
	})(p)
}

// wordsOf are keys under which programs put what went wrong in words.
var wordsOf = regexp.MustCompile(`(?i)(message|msg|error|detail|reason|description|title|hint|cause|problem|explanation|fault|text|summary)`)

// dumped reports whether a text is JSON without a sentence under a key that says what
// went wrong: the response of an upstream service as a program printed it.
func dumped(text string) bool {
	v, err := schema.Parse([]byte(text), schema.Limits{Depth: 100, Bytes: 1 << 20})
	if err != nil || v.Kind != schema.Object && v.Kind != schema.Array {
		return false
	}
	told := false
	eachLeaf(v, nil, "", "", 0, func(l leaf) {
		words, ok := l.value.IsString()
		told = told || ok && (strings.Contains(strings.TrimSpace(words), " ") || wordsOf.MatchString(l.pointer) && len(words) > 2)
	})
	return !told
}

// besideError are the keys that stand beside an error in an object that is one.
var besideError = regexp.MustCompile(`(?i)^(error|message|msg|code|error_?code|status|status_?code|details?|reason|hint|success|ok|type|name|stack|timestamp|request_?id|retryable|suggestions?)$`)

// onlyError reports whether a text is a JSON object that holds an error and nothing
// that a tool could have been called for.
func onlyError(text string) bool {
	v, err := schema.Parse([]byte(text), schema.Limits{Depth: 50, Bytes: 1 << 16})
	if err != nil || v.Kind != schema.Object {
		return false
	}
	failure := v.Get("error")
	switch {
	case failure == nil, failure.Kind == schema.Null, failure.Kind == schema.Bool && !failure.IsTrue(), failure.Kind == schema.String && strings.TrimSpace(failure.Text) == "":
		return false
	}
	for _, m := range v.Unique() {
		if !besideError.MatchString(m.Key) {
			return false
		}
	}
	return true
}
