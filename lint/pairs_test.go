package lint_test

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// pair is a capture about which a rule reports and a near one about which it does
// not.
type pair struct{ wrong, right *recording.Capture }

func one(s ...*recording.Session) *recording.Capture { return capture(s...) }

// with gives a capture a session that is a probe.
func with(c *recording.Capture, probes ...*recording.Session) *recording.Capture {
	for _, p := range probes {
		p.ID = recording.ProbePrefix + p.ID
		c.Probes = append(c.Probes, p)
	}
	return c
}

const text = `"content":[{"type":"text","text":"done"}]`

// bare is a session that says nothing but has listed tools.
func bare(version string) *recording.Session { return session(version, "") }

// pages is a session whose list has these pages, tools by name, read as often as
// wanted.
func pages(version string, lists ...[]string) *recording.Session {
	var lines []string
	id := 0
	for _, names := range lists {
		for i, name := range names {
			id++
			params, next := "{}", ""
			if version == e {
				params = "{" + meta + "}"
			}
			if i > 0 {
				params = strings.TrimSuffix(params, "}") + fmt.Sprintf(`,"cursor":"%d"}`, i)
				params = strings.Replace(params, "{,", "{", 1)
			}
			if i < len(names)-1 {
				next = fmt.Sprintf(`,"nextCursor":"%d"`, i+1)
			}
			lines = append(lines, fmt.Sprintf(`>{"jsonrpc":"2.0","id":%d,"method":"tools/list","params":%s}`, id, params),
				fmt.Sprintf(`<{"jsonrpc":"2.0","id":%d,"result":{"tools":[{"name":"%s","description":"T.","inputSchema":{"type":"object"}}]%s}}`, id, name, next))
		}
	}
	s := said(version, lines...)
	s.Tools, s.Pages = []*recording.Tool{}, []recording.Page{{}}
	return s
}

func linesOf(lists ...[]string) (out []string) {
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}

func initialized(capabilities string) []string {
	return []string{`>{"jsonrpc":"2.0","id":"i","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{}}}`,
		`<{"jsonrpc":"2.0","id":"i","result":{"protocolVersion":"2025-11-25","capabilities":` + capabilities + `,"serverInfo":{"name":"s","version":"1"}}}`}
}

func discover(result string) *recording.Session {
	s := said(e, asked("server/discover", meta, `"result":`+result)...)
	s.Pages = []recording.Page{{}}
	return s
}

const unknownRevision = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2099-01-01","io.modelcontextprotocol/clientCapabilities":{}}`

// pairs has an entry for every rule; a test holds it to that.
var pairs = map[string]pair{
	"message-framing":           {met(d, "stdout-noise"), met(d, "cursor-loop")},
	"message-envelope":          {one(said(d, `>{"jsonrpc":"2.0","id":1,"method":"ping"}`, `<{"jsonrpc":"2.0","id":"1","result":{}}`)), one(said(d, asked("ping", "", `"result":{}`)...))},
	"message-batch":             {one(said(d, `>{"jsonrpc":"2.0","id":1,"method":"ping"}`, `<[{"jsonrpc":"2.0","id":1,"result":{}}]`)), one(said(d, asked("ping", "", `"result":{}`)...))},
	"server-request-modern":     {one(said(e, `<{"jsonrpc":"2.0","id":"s","method":"ping"}`)), one(said(e, `<{"jsonrpc":"2.0","method":"notifications/progress"}`))},
	"server-request-undeclared": {one(said(d, `<{"jsonrpc":"2.0","id":"s","method":"roots/list"}`)), one(said(d, `>{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"roots":{}}}}`, `<{"jsonrpc":"2.0","id":"s","method":"roots/list"}`))},
	"message-after-final": {one(said(e, append(post("tools/list", meta, good, "200 OK|Content-Type: text/event-stream|X-Accel-Buffering: no", `"result":{}`), `<{"jsonrpc":"2.0","method":"notifications/x"}`)...)),
		one(said(e, post("tools/list", meta, good, "200 OK|Content-Type: application/json", `"result":{}`)...))},
	"stdin-end": {met(d, "stays-at-eof"), met(d, "stdout-noise")},

	"http-content-type": {one(said(d, post("ping", "", "", "200 OK|Content-Type: text/plain", `"result":{}`)...)), one(said(d, post("ping", "", "", "200 OK|Content-Type: application/json; charset=utf-8", `"result":{}`)...))},
	"http-notification": {one(said(d, ">POST http://h/", `>{"jsonrpc":"2.0","method":"notifications/x"}`, "<HTTP/1.1 200 OK")), one(said(d, ">POST http://h/", `>{"jsonrpc":"2.0","method":"notifications/x"}`, "<HTTP/1.1 202 Accepted"))},
	"http-get":          {one(said(d, ">GET http://h/", "<HTTP/1.1 200 OK\r\nContent-Type: text/html")), one(said(d, ">GET http://h/", "<HTTP/1.1 405 Method Not Allowed"))},
	"http-delete":       {one(said(e, ">DELETE http://h/", "<HTTP/1.1 200 OK")), one(said(e, ">DELETE http://h/", "<HTTP/1.1 405 Method Not Allowed"))},
	"http-stream-end":   {met(e, "stream-stays-open"), met(d, "stream-stays-open")},
	"http-version-header": {one(said(d, post("tools/list", "", "Mcp-Protocol-Version: 1999-01-01", "200 OK|Content-Type: application/json", `"result":{}`)...)),
		one(said(d, post("tools/list", "", "Mcp-Protocol-Version: 1999-01-01", "400 Bad Request|Content-Type: application/json", `"error":{"code":-32600,"message":"no"}`)...))},
	"http-stream-buffering": {one(said(e, post("tools/list", meta, good, "200 OK|Content-Type: text/event-stream", `"result":{}`)...)), one(said(e, post("tools/list", meta, good, "200 OK|Content-Type: text/event-stream|X-Accel-Buffering: no", `"result":{}`)...))},
	"http-origin":           {one(said(d, post("tools/list", "", "Origin: https://evil.example", "200 OK", `"result":{}`)...)), one(said(d, post("tools/list", "", "Origin: http://localhost:8080", "200 OK", `"result":{}`)...))},
	"http-session-id":       {met(d, "session-id"), met(e, "session-id")},
	"http-modern-session":   {one(said(e, post("tools/list", meta, good, "200 OK|Mcp-Session-Id: x", `"result":{}`)...)), one(said(d, post("tools/list", "", "Mcp-Protocol-Version: 2025-11-25", "200 OK|Mcp-Session-Id: x", `"result":{}`)...))},
	"http-header-mismatch": {one(said(e, post("tools/list", meta, "Mcp-Protocol-Version: 2026-07-28|Mcp-Method: tools/call", "200 OK", `"result":{}`)...)),
		one(said(e, post("tools/list", meta, "Mcp-Protocol-Version: 2026-07-28|Mcp-Method: tools/call", "400 Bad Request", `"error":{"code":-32020,"message":"no"}`)...))},
	"http-header-refused": {one(said(e, post("tools/call", meta+`,"name":"t"`, "mcp-protocol-version: 2026-07-28|mcp-method: tools/call|Mcp-Name: =?base64?dA==?=", "400 Bad Request", `"error":{"code":-32020,"message":"no"}`)...)),
		one(said(e, post("tools/call", meta+`,"name":"t"`, "Mcp-Protocol-Version: 2026-07-28|Mcp-Method: tools/call|Mcp-Name: u", "400 Bad Request", `"error":{"code":-32020,"message":"no"}`)...))},

	"initialize-revision":   {one(said(d, asked("initialize", `"protocolVersion":"2099-01-01"`, `"result":{"protocolVersion":"2099-01-01"}`)...)), one(said(d, asked("initialize", `"protocolVersion":"2099-01-01"`, `"result":{"protocolVersion":"2025-11-25"}`)...))},
	"initialize-result":     {one(said(d, asked("initialize", "", `"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s"}}`)...)), one(said(d, initialized(`{}`)...))},
	"capability-undeclared": {one(said(d, linesOf(initialized(`{}`), asked("tools/list", "", `"result":{"tools":[{}]}`))...)), one(said(d, linesOf(initialized(`{"tools":{}}`), asked("tools/list", "", `"result":{"tools":[{}]}`))...))},
	"capability-unserved":   {one(said(d, linesOf(initialized(`{"prompts":{}}`), asked("prompts/list", "", `"error":{"code":-32601,"message":"no"}`))...)), one(said(d, linesOf(initialized(`{}`), asked("prompts/list", "", `"error":{"code":-32601,"message":"no"}`))...))},
	"unknown-method":        {one(said(d, asked("conform/no-such-method", "", `"error":{"code":-32603,"message":"no"}`)...)), one(said(d, asked("conform/no-such-method", "", `"error":{"code":-32601,"message":"no"}`)...))},

	"discover":           {one(discover(`{"supportedVersions":["2025-11-25"],"capabilities":{}}`)), one(discover(`{"supportedVersions":["2026-07-28"],"capabilities":{}}`))},
	"metadata-required":  {one(said(e, asked("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, `"result":{}`)...)), one(said(e, asked("tools/list", `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28"}`, `"error":{"code":-32602,"message":"no"}`)...))},
	"unknown-revision":   {one(said(e, asked("tools/list", unknownRevision, `"error":{"code":-32022,"message":"no"}`)...)), one(said(e, asked("tools/list", unknownRevision, `"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"],"requested":"2099-01-01"}}`)...))},
	"initialize-refusal": {one(bare(e), said(d, asked("initialize", "", `"error":{"code":-32601,"message":"no"}`)...)), one(bare(e), said(d, asked("initialize", "", `"error":{"code":-32022,"message":"no","data":{"supported":["2026-07-28"]}}`)...))},
	"stateless": {with(one(session(e, tool(`"description":"T."`), called("t", "{}", `{`+text+`}`))), said(e, asked("tools/call", meta+`,"name":"t","arguments":{}`, `"error":{"code":-32600,"message":"list first"}`)...)),
		with(one(session(e, tool(`"description":"T."`), called("t", "{}", `{`+text+`}`))), said(e, asked("tools/call", meta+`,"name":"t","arguments":{}`, `"result":{}`)...))},
	"unrequested-notification": {one(said(e, `>{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+meta+`}}`, `<{"jsonrpc":"2.0","method":"notifications/message"}`)), one(said(e, `>{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{`+meta+`}}`, `<{"jsonrpc":"2.0","method":"notifications/progress"}`))},

	"era-structured":      {list(b, tool(`"description":"T.","outputSchema":{"type":"object"}`)), list(c, tool(`"description":"T.","outputSchema":{"type":"object"}`))},
	"era-input-required":  {gives(d, `{"resultType":"input_required"}`), gives(d, `{`+text+`}`)},
	"era-modern-fields":   {gives(d, `{`+text+`,"resultType":"complete"}`), gives(e, `{`+text+`,"resultType":"complete"}`)},
	"era-newer-fields":    {list(c, tool(`"description":"T.","icons":[]`)), list(d, tool(`"description":"T.","icons":[]`))},
	"era-rename":          {one(session(d, `{"name":"old","description":"Lists.","inputSchema":{"type":"object"}}`), session(e, `{"name":"new","description":"Lists.","inputSchema":{"type":"object"}}`)), one(session(d, tool(`"description":"Lists."`)), session(e, tool(`"description":"Lists."`)))},
	"era-leak":            {one(session(d, tool(`"description":"One."`)), session(d, tool(`"description":"Two."`))), one(session(d, tool(`"description":"One."`)), session(d, tool(`"description":"One."`)))},
	"era-negotiated-down": {one(&recording.Session{ID: "s", Requested: d, Negotiated: c, Era: recording.Legacy}), one(&recording.Session{ID: "s", Requested: d, Negotiated: d, Era: recording.Legacy})},

	"list-fails":          {one(&recording.Session{ID: "s", Requested: d, Negotiated: d, Pages: []recording.Page{{Failed: &recording.Failure{Text: "no tools"}}}}), list(d, "")},
	"list-next-cursor":    {one(said(d, asked("tools/list", "", `"result":{"tools":[],"nextCursor":null}`)...)), one(said(d, asked("tools/list", "", `"result":{"tools":[]}`)...))},
	"list-empty-cursor":   {one(said(d, asked("tools/list", "", `"result":{"tools":[],"nextCursor":""}`)...)), one(said(d, asked("tools/list", "", `"result":{"tools":[],"nextCursor":"2"}`)...))},
	"list-unknown-cursor": {one(said(d, asked("tools/list", `"cursor":"conform-no-such-cursor"`, `"result":{"tools":[]}`)...)), one(said(d, asked("tools/list", `"cursor":"conform-no-such-cursor"`, `"error":{"code":-32602,"message":"no"}`)...))},
	"list-order":          {one(pages(e, []string{"x", "y"}, []string{"y", "x"})), one(pages(e, []string{"x", "y"}, []string{"x", "y"}))},
	"list-order-legacy":   {one(pages(d, []string{"x", "y"}, []string{"y", "x"})), one(pages(d, []string{"x", "y"}, []string{"x", "y"}))},
	"list-set":            {one(pages(e, []string{"x", "y"}, []string{"x", "z"})), one(pages(e, []string{"x", "y"}, []string{"x", "y"}))},
	"list-incomplete":     {one(twoPages("t", "t")), one(twoPages("t", "u"))},
	"list-many-pages":     {one(&recording.Session{ID: "s", Requested: d, Negotiated: d, Pages: make([]recording.Page, 65)}), one(&recording.Session{ID: "s", Requested: d, Negotiated: d, Pages: make([]recording.Page, 64)})},
	"list-large-page":     {one(&recording.Session{ID: "s", Requested: d, Negotiated: d, Pages: []recording.Page{{Bytes: 2 << 20}}}), list(d, "")},

	"caching-hints":          {one(said(e, asked("tools/list", meta, `"result":{"resultType":"complete","tools":[],"ttlMs":1.5,"cacheScope":"public"}`)...)), one(said(e, asked("tools/list", meta, `"result":{"resultType":"complete","tools":[],"ttlMs":1e3,"cacheScope":"public"}`)...))},
	"caching-pages":          {one(said(e, linesOf(asked("tools/list", meta, `"result":{"cacheScope":"public"}`), []string{`>{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{` + meta + `,"cursor":"1"}}`, `<{"jsonrpc":"2.0","id":2,"result":{"cacheScope":"private"}}`})...)), one(said(e, asked("tools/list", meta, `"result":{"cacheScope":"public"}`)...))},
	"caching-public-differs": {with(one(said(e, asked("tools/list", meta, `"result":{"cacheScope":"public","tools":[]}`)...)), second(`"result":{"cacheScope":"public","tools":[{}]}`)), with(one(said(e, asked("tools/list", meta, `"result":{"cacheScope":"private","tools":[]}`)...)), second(`"result":{"cacheScope":"private","tools":[{}]}`))},
	"caching-long":           {one(said(e, asked("tools/list", meta, `"result":{"ttlMs":99999999999}`)...)), one(said(e, asked("tools/list", meta, `"result":{"ttlMs":86400000}`)...))},

	"tool-entry":       {list(d, `null`), list(d, tool(`"description":"T."`))},
	"tool-name":        {list(d, `{"name":"a b","description":"T.","inputSchema":{"type":"object"}}`), list(d, `{"name":"a.b-c_1","description":"T.","inputSchema":{"type":"object"}}`)},
	"tool-name-legacy": {list(c, `{"name":"a b","description":"T.","inputSchema":{"type":"object"}}`), list(d, `{"name":"a b","description":"T.","inputSchema":{"type":"object"}}`)},
	"tool-name-unique": {list(d, tool(`"description":"T."`)+","+tool(`"description":"U."`)), list(d, tool(`"description":"T."`))},
	"tool-annotations": {list(d, tool(`"description":"T.","annotations":{"readOnlyHint":"true"}`)), list(d, tool(`"description":"T.","annotations":{"readOnlyHint":true,"vendor":1}`))},
	"tool-title-meta":  {list(d, tool(`"description":"T.","title":null`)), list(d, tool(`"description":"T.","title":"T"`))},
	"meta-key":         {list(d, tool(`"description":"T.","_meta":{"io.mcp/x":1}`)), list(d, tool(`"description":"T.","_meta":{"com.example/x":1,"y":2,"a.b":1}`))},
	"icon":             {list(d, tool(`"description":"T.","icons":[{"src":"file:///etc/passwd"}]`)), list(d, tool(`"description":"T.","icons":[{"src":"data:image/png;base64,AA==","sizes":["any"],"theme":"dark"}]`))},
	"task-support":     {list(d, tool(`"description":"T.","execution":{"taskSupport":"yes"}`)), list(d, tool(`"description":"T.","execution":{"taskSupport":"optional"}`))},
	"input-root":       {list(d, tool(`"description":"T.","inputSchema":{"type":["object"]}`)), list(d, tool(`"description":"T.","inputSchema":{"type":"object","oneOf":[]}`))},
	"input-properties": {list(d, input(`"properties":{"x":true}`)), list(e, input(`"properties":{"x":true}`))},
	"output-root":      {list(d, tool(`"description":"T.","outputSchema":{"type":"array"}`)), list(e, tool(`"description":"T.","outputSchema":{"type":"array"}`))},
	"schema-invalid":   {list(d, input(`"properties":{"x":{"items":[{}]}}`)), list(c, input(`"properties":{"x":{"items":[{}]}}`))},
	"schema-dialect":   {list(d, input(`"$schema":"https://example.com/x"`)), list(d, input(`"$schema":"http://json-schema.org/draft-07/schema#"`))},
	"schema-ref-dangling": {list(d, input(`"properties":{"x":{"$ref":"#/$defs/X"}}`)),
		list(d, input(`"properties":{"x":{"$ref":"#/$defs/X%20Y"},"y":{"$ref":"#y"},"$ref":{"type":"string"}},"$defs":{"X Y":{},"Z":{"$anchor":"y"}}`))},
	"schema-ref-remote": {list(d, input(`"properties":{"x":{"$ref":"https://example.com/x.json"}}`)), list(d, input(`"$id":"https://example.com/t","properties":{"x":{"$ref":"x.json"}},"$defs":{"X":{"$id":"x.json"}}`))},
	"schema-id-shared":  {list(d, `{"name":"t","inputSchema":{"type":"object","$id":"x"}},{"name":"u","inputSchema":{"type":"object","$id":"x","title":"U"}}`), list(d, `{"name":"t","inputSchema":{"type":"object","$id":"x"}},{"name":"u","inputSchema":{"type":"object","$id":"y"}}`)},
	"header-param":      {list(e, input(`"properties":{"x":{"type":"string","x-mcp-header":"a b"}}`)), list(e, input(`"properties":{"x":{"type":"object","properties":{"y":{"type":"integer","x-mcp-header":"Y"}}}}`))},
	"header-param-secret": {list(e, input(`"properties":{"apiKey":{"type":"string","x-mcp-header":"Key"}}`)),
		list(e, input(`"properties":{"keyboard":{"type":"string","x-mcp-header":"Key"},"tokenizer":{"type":"string","x-mcp-header":"T"}}`))},

	"result-type":               {gives(e, `{`+text+`,"resultType":"partial"}`), gives(e, `{`+text+`,"resultType":"complete"}`)},
	"result-server-info":        {gives(e, `{`+text+`}`), one(said(e, asked("tools/list", meta, `"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"s","version":"1"}}}`)...))},
	"input-required":            {gives(e, `{"resultType":"input_required"}`), gives(e, `{"resultType":"input_required","requestState":"x"}`)},
	"result-content":            {gives(d, `{"structuredContent":{}}`), gives(d, `{"content":[]}`)},
	"result-block":              {gives(b, `{"content":[{"type":"resource_link","uri":"a:b","name":"x"}]}`), gives(c, `{"content":[{"type":"resource_link","uri":"a:b","name":"x"}]}`)},
	"result-block-annotations":  {gives(d, `{"content":[{"type":"text","text":"x","annotations":{"priority":1.5}}]}`), gives(d, `{"content":[{"type":"text","text":"x","annotations":{"priority":1,"audience":[]}}]}`)},
	"result-block-modified":     {gives(d, `{"content":[{"type":"text","text":"x","annotations":{"lastModified":"now"}}]}`), gives(d, `{"content":[{"type":"text","text":"x","annotations":{"lastModified":"2026-11-30T12:00:00.5+01:00"}}]}`)},
	"structured-absent":         {gives(d, `{`+text+`}`, `"outputSchema":{"type":"object"}`), gives(d, `{`+text+`,"isError":true}`, `"outputSchema":{"type":"object"}`)},
	"structured-mismatch":       {gives(d, `{`+text+`,"structuredContent":{"n":"x"}}`, `"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}`), gives(d, `{`+text+`,"structuredContent":{"n":1.0}}`, `"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}`)},
	"structured-error-mismatch": {gives(d, `{`+text+`,"isError":true,"structuredContent":{}}`, `"outputSchema":{"type":"object","required":["n"]}`), gives(d, `{`+text+`,"isError":true}`, `"outputSchema":{"type":"object","required":["n"]}`)},
	"structured-object":         {gives(d, `{`+text+`,"structuredContent":null}`), gives(e, `{`+text+`,"structuredContent":[1]}`)},
	"structured-text":           {gives(d, `{`+text+`,"structuredContent":{"place":"Kiel"}}`), gives(d, `{"content":[{"type":"text","text":"{\"place\":\"Kiel\"}"}],"structuredContent":{"place":"Kiel"}}`)},
	"structured-undeclared":     {gives(d, `{`+text+`,"structuredContent":{}}`), gives(d, `{`+text+`,"structuredContent":{}}`, `"outputSchema":{"type":"object"}`)},

	"error-code":          {one(said(e, asked("resources/read", meta, `"error":{"code":-32002,"message":"no"}`)...), bare(e)), one(said(e, asked("resources/read", meta, `"error":{"code":-32602,"message":"no"}`)...), bare(e))},
	"error-code-reserved": {one(said(e, asked("resources/read", meta, `"error":{"code":-32001,"message":"no"}`)...), bare(e)), one(said(e, asked("resources/read", meta, `"error":{"code":-32000,"message":"no"}`)...))},
	"error-protocol":      {fails(`{"code":-32603,"message":"no"}`, `{}`), fails(`{"code":-32601,"message":"no"}`, `{}`)},
	"unknown-tool":        {one(said(d, asked("tools/call", `"name":"conform_no_such_tool"`, `"result":{`+text+`}`)...)), one(said(d, asked("tools/call", `"name":"conform_no_such_tool"`, `"error":{"code":-32602,"message":"no"}`)...))},
	"arguments-unchecked": {one(session(d, input(`"required":["x"]`), called("t", `{}`, `{`+text+`}`))), one(session(d, input(`"required":["x"]`), called("t", `{"x":1}`, `{`+text+`}`)))},
	"error-text":          {gives(d, `{"isError":true,"content":[{"type":"text","text":"Something went wrong"}]}`), gives(d, `{"isError":true,"content":[{"type":"text","text":"Error: no site west, there are north and south"}]}`)},
	"error-structured":    {gives(d, `{"isError":true,`+text+`,"structuredContent":{}}`), gives(d, `{"isError":true,`+text+`}`)},

	"tool-description":     {list(d, tool(`"description":" "`)), list(d, tool(`"description":"T."`))},
	"describe-arguments":   {list(d, input(`"properties":{"x":{"type":"string"},"y":{"type":"string","description":"Y."}}`)), list(d, input(`"properties":{"x":{"$ref":"#/$defs/X"},"y":{"type":"array","description":"Y.","items":{"type":"string"}}},"$defs":{"X":{"description":"X."}}`))},
	"describe-output":      {list(d, tool(`"description":"T.","outputSchema":{"type":"object","properties":{"x":{"type":"string"}}}`)), list(d, tool(`"description":"T.","outputSchema":{"type":"object","properties":{"x":{"type":"string","description":"X."}}}`))},
	"schema-unsatisfiable": {list(d, input(`"properties":{"x":{"not":{},"description":"X."}}`)), list(d, input(`"properties":{"x":{"not":{"type":"string"},"description":"X."}},"required":[],"if":false,"allOf":[]`))},
	"annotation-coherence": {list(d, tool(`"description":"T.","annotations":{"readOnlyHint":true,"destructiveHint":true}`)), list(d, tool(`"description":"T.","annotations":{"readOnlyHint":false,"destructiveHint":true}`))},
	"json-in-string":       {list(d, input(`"properties":{"x":{"type":"string","description":"A JSON string with filters."}}`)), list(d, input(`"properties":{"x":{"type":"string","description":"Path to the JSON file."}}`))},
	"capped-list":          {list(d, `{"name":"t","inputSchema":{"type":"object","properties":{"maxItems":{"type":"integer"}}},"outputSchema":{"type":"object","properties":{"x":{"type":"array"}}}}`), list(d, `{"name":"t","inputSchema":{"type":"object","properties":{"maxItems":{"type":"integer"}}},"outputSchema":{"type":"object","properties":{"x":{"type":"array"},"hasMore":{"type":"boolean"}}}}`)},
	"app-meta":             {list(d, tool(`"description":"T.","_meta":{"ui":{"resourceUri":"https://x"}}`)), list(d, tool(`"description":"T.","_meta":{"ui":{"resourceUri":"ui://x"}}`))},
	"app-resource":         {with(list(d, tool(`"description":"T.","_meta":{"ui":{"resourceUri":"ui://x"}}`)), said(d, asked("resources/read", `"uri":"ui://x"`, `"error":{"code":-32002,"message":"no"}`)...)), with(list(d, tool(`"description":"T.","_meta":{"ui":{"resourceUri":"ui://x"}}`)), said(d, asked("resources/read", `"uri":"ui://x"`, `"result":{"contents":[{"uri":"ui://x","mimeType":"text/html;profile=mcp-app","text":"<p>"}]}`)...))},
	"resource-entry":       {one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b"}]}`)...)), one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b","name":"B"}]}`)...))},
	"resource-name":        {one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b","name":"a:b"}]}`)...)), one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b","name":"B"}]}`)...))},
	"resource-description": {one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b","name":"B"}]}`)...)), one(said(d, asked("resources/list", "", `"result":{"resources":[{"uri":"a:b","name":"B","description":"B."}]}`)...))},
	"resource-template":    {one(said(d, asked("resources/templates/list", "", `"result":{"resourceTemplates":[{"uriTemplate":"a:{}","name":"B"}]}`)...)), one(said(d, asked("resources/templates/list", "", `"result":{"resourceTemplates":[{"uriTemplate":"a:{x}/{+y}","name":"B"}]}`)...))},
	"resource-unique":      {one(said(d, asked("prompts/list", "", `"result":{"prompts":[{"name":"x"},{"name":"x"}]}`)...)), one(said(d, asked("prompts/list", "", `"result":{"prompts":[{"name":"x"},{"name":"y"}]}`)...))},
	"prompt-description":   {one(said(d, asked("prompts/list", "", `"result":{"prompts":[{"name":"x"}]}`)...)), one(said(d, asked("prompts/list", "", `"result":{"prompts":[{"name":"x","description":"X."}]}`)...))},

	"protocol-schema": {one(said(d, asked("tools/list", "", `"result":{"tools":[],"_meta":[]}`)...)), one(said(d, asked("tools/list", "", `"result":{"tools":[],"_meta":{},"x":1}`)...))},

	"portable-format":        {list(d, input(`"properties":{"x":{"type":"string","format":"uri"}}`)), list(d, input(`"properties":{"format":{"type":"string","format":"date-time"}}`))},
	"portable-union-type":    {list(d, input(`"properties":{"x":{"anyOf":[{"enum":["a"]},{"type":"null"}]}}`)), list(d, input(`"properties":{"x":{"anyOf":[{"type":"string"},{"$ref":"#/$defs/X"}]}},"$defs":{"X":{"type":"null"}}`))},
	"portable-discriminator": {list(d, input(`"properties":{"x":{"type":"object","discriminator":{"propertyName":"k"}}}`)), list(d, input(`"properties":{"discriminator":{"type":"string"}}`))},
	"portable-defs":          {list(d, input(`"$defs":{}`)), list(d, input(`"properties":{"$defs":{"type":"string"}}`))},
	"portable-root-union":    {list(d, input(`"oneOf":[{}]`)), list(d, input(`"properties":{"x":{"type":"object","oneOf":[{"type":"object"}]}}`))},
	"portable-dialect-tag":   {list(d, tool(`"description":"T."`)), list(d, input(`"$schema":"https://json-schema.org/draft/2020-12/schema"`))},

	"surface-parity":           {gives(d, `{"content":[{"type":"text","text":"Kiel"}],"structuredContent":{"place":"Kiel","guest":"Hamburg"}}`), gives(d, `{"content":[{"type":"text","text":"Kiel, guest Ham&#98;urg"}],"structuredContent":{"place":"Kiel","guest":"Hamburg"}}`)},
	"surface-parity-reverse":   {gives(d, `{"content":[{"type":"text","text":"{\"place\":\"Kiel\",\"guest\":\"Hamburg\"}"}],"structuredContent":{"place":"Kiel"}}`), gives(d, `{"content":[{"type":"text","text":"{\"place\":\"Kiel\",\"gone\":null}"}],"structuredContent":{"place":"Kiel"}}`)},
	"surface-blocks-lost":      {gives(d, `{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}],"structuredContent":{}}`), gives(d, `{"content":[{"type":"image","data":"AA==","mimeType":"image/png"}]}`)},
	"surface-branch-unsampled": {gives(d, `{`+text+`,"structuredContent":{"x":1}}`, `"outputSchema":{"type":"object","properties":{"x":{"anyOf":[{"type":"integer"},{"type":"string"}]}}}`), capture(session(d, tool(`"description":"T.","outputSchema":{"type":"object","properties":{"x":{"anyOf":[{"type":"integer"},{"type":"string"}]}}}`), called("t", "{}", `{`+text+`,"structuredContent":{"x":1}}`), called("t", "{}", `{`+text+`,"structuredContent":{"x":"a"}}`)))},
	"structured-truncated":     {gives(d, `{`+text+`,"structuredContent":{"log":"line 1\n--- TRUNCATED ---"}}`), gives(d, `{`+text+`,"structuredContent":{"log":"The truncated cone is a frustum of some height"}}`)},
}

func twoPages(first, other string) *recording.Session {
	s := session(d, `{"name":"`+first+`","description":"T.","inputSchema":{"type":"object"}}`)
	s.Tools = append(s.Tools, recording.NewTool(schema.MustParse(`{"name":"`+other+`","description":"T.","inputSchema":{"type":"object"}}`), 1, 0))
	return s
}

func second(answer string) *recording.Session {
	s := said(e, asked("tools/list", meta, answer)...)
	s.ID = "second-identity"
	return s
}

// fails is a call of the tool t that ends in an error.
func fails(failure, arguments string) *recording.Capture {
	return one(session(d, tool(`"description":"T."`), &recording.Call{Tool: "t", Arguments: schema.MustParse(arguments), Error: schema.MustParse(failure), Origin: recording.Real}))
}

var _ = Describe("each rule", func() {
	for _, r := range lint.Rules() {
		if strings.HasPrefix(r.ID, "manifest") {
			continue // see manifest_test.go
		}
		It("reports what is wrong and leaves what is right: "+r.ID, func() {
			p, ok := pairs[r.ID]
			Expect(ok).To(BeTrue(), "no pair of captures for %s", r.ID)
			in := lint.Input{Config: &lint.Config{Portability: lint.PortabilityStrict}}
			Expect(reported(p.wrong, in)).To(ContainElement(r.ID))
			Expect(reported(p.right, in)).NotTo(ContainElement(r.ID))
		})
	}

	It("has no pair for a rule that is gone", func() {
		for id := range pairs {
			Expect(lint.Find(id)).NotTo(BeNil(), id)
		}
	})
})
