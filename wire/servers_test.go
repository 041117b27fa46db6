package wire_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/hostmatrix/conform/schema"
)

// request is what a test server reads.
type request struct {
	id     string // as written, "" for a notification
	method string
	value  *schema.Value
}

func (r request) param(name string) string {
	s, _ := r.value.Get("params").Get(name).IsString()
	return s
}

func parseRequest(text []byte) request {
	v, err := schema.Parse(text, schema.Limits{})
	if err != nil {
		return request{}
	}
	r := request{value: v}
	r.method, _ = v.Get("method").IsString()
	if id := v.Get("id"); id != nil {
		r.id = id.Compact()
	}
	return r
}

// Results of a well-behaved server.
const (
	initResult     = `{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"hand-made","version":"7"}}`
	discoverResult = `{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}},"ttlMs":0,"cacheScope":"public","_meta":{"io.modelcontextprotocol/serverInfo":{"name":"hand-made","version":"7"}}}`
	goodTool       = `{"name":"good","inputSchema":{"type":"object"}}`
	goodList       = `{"tools":[` + goodTool + `]}`
	goodCall       = `{"content":[{"type":"text","text":"ok"}]}`
)

func result(id, body string) string { return `{"jsonrpc":"2.0","id":` + id + `,"result":` + body + `}` }

func failure(id string, code int, message string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, id, code, schema.Quote(message))
}

// honest is what a legacy server answers; "" for a notification.
func honest(r request) string {
	switch r.method {
	case "initialize":
		return result(r.id, initResult)
	case "tools/list":
		return result(r.id, goodList)
	case "tools/call":
		return result(r.id, goodCall)
	}
	if r.id == "" || r.method == "" {
		return ""
	}
	return failure(r.id, -32601, "Method not found")
}

// speaker is the server's side of stdio.
type speaker struct {
	in  *bufio.Reader
	out *os.File
}

func (s *speaker) say(lines ...string) {
	for _, line := range lines {
		if line != "" {
			_, _ = io.WriteString(s.out, line+"\n")
		}
	}
}

func (s *speaker) read() (request, bool) {
	line, err := s.in.ReadBytes('\n')
	if err != nil {
		return request{}, false
	}
	return parseRequest(line), true
}

// each answers every request until stdin ends; answer may return "".
func (s *speaker) each(answer func(request) string) int {
	for {
		r, ok := s.read()
		if !ok {
			return 0
		}
		s.say(answer(r))
	}
}

// forever blocks, whatever happens to stdin.
func forever() int { select {} }

// on answers one method specially and the rest honestly.
func on(method string, special func(request) string) func(request) string {
	return func(r request) string {
		if r.method == method {
			return special(r)
		}
		return honest(r)
	}
}

// listOf answers tools/list with the text of a tools array.
func listOf(tools string) func(request) string {
	return on("tools/list", func(r request) string { return result(r.id, `{"tools":[`+tools+`]}`) })
}

// pages answers with page numbers as cursors; the last page has no cursor.
func pages(last int, next func(page int) string) func(request) string {
	return on("tools/list", func(r request) string {
		page, _ := strconv.Atoi(r.param("cursor"))
		tool := fmt.Sprintf(`{"name":"tool_%d","inputSchema":{"type":"object"}}`, page)
		if page >= last {
			return result(r.id, `{"tools":[`+tool+`]}`)
		}
		return result(r.id, `{"tools":[`+tool+`],"nextCursor":`+schema.Quote(next(page))+`}`)
	})
}

func successor(page int) string { return strconv.Itoa(page + 1) }

// overtaken answers its first call after its second one, and one call at a time
// from then on: a third one that comes while the first waits is an error.
func overtaken(s *speaker) int {
	calls, held := 0, ""
	return s.each(func(r request) string {
		if r.method != "tools/call" {
			return honest(r)
		}
		switch calls++; calls {
		case 1:
			held = honest(r)
			return ""
		case 2:
			return honest(r) + "\n" + held
		}
		time.Sleep(20 * time.Millisecond) // long enough for a client to write another one
		if s.in.Buffered() > 0 {
			return failure(r.id, -32000, "two at once")
		}
		return honest(r)
	})
}

// stdioServers are the servers that the test binary can be.
var stdioServers = map[string]func(*speaker) int{
	"overtaken": overtaken,
	"catalogue": func(s *speaker) int { return s.each(listOf(catalogue())) },
	"honest":    func(s *speaker) int { return s.each(honest) },
	"silent":    func(*speaker) int { return forever() },
	"exits":     func(*speaker) int { fmt.Fprintln(os.Stderr, "fatal: no licence\x1b[31m"); return 3 },
	"segfault":  segfault,
	"crlf":      func(s *speaker) int { return s.each(func(r request) string { return crlf(honest(r)) }) },
	"cursor-loop": func(s *speaker) int {
		return s.each(pages(1<<30, func(page int) string { return strconv.Itoa((page + 1) % 3) }))
	},
	"huge-pages": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string {
			tool := `{"name":"big","description":"` + r.param("cursor") + strings.Repeat("x", 2<<20) + `","inputSchema":{"type":"object"}}`
			return result(r.id, `{"tools":[`+tool+`],"nextCursor":"`+r.id+`"}`)
		}))
	},
	"honest-20000": func(s *speaker) int {
		tools := make([]string, 20_000)
		for i := range tools {
			tools[i] = fmt.Sprintf(`{"name":"tool_%d","inputSchema":{"type":"object"}}`, i)
		}
		return s.each(listOf(strings.Join(tools, ",")))
	},
	"big-result": func(s *speaker) int {
		text := strings.Repeat("y", 5<<20)
		return s.each(on("tools/call", func(r request) string {
			return result(r.id, `{"content":[{"type":"text","text":"{\"a\":\"`+text+`\"}"}],"structuredContent":{"a":"`+text+`"}}`)
		}))
	},
	"late-call": func(s *speaker) int {
		return s.each(on("tools/call", func(r request) string { time.Sleep(900 * time.Millisecond); return honest(r) }))
	},
	// A modern server on a busy machine: slow to start, and to end.
	"slow-start": func(s *speaker) int {
		time.Sleep(1200 * time.Millisecond)
		defer time.Sleep(500 * time.Millisecond)
		return s.each(func(r request) string {
			switch r.method {
			case "server/discover":
				return result(r.id, discoverResult)
			case "tools/list":
				return result(r.id, `{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[`+goodTool+`]}`)
			}
			return failure(r.id, -32601, "Method not found")
		})
	},
	"endless-pages": func(s *speaker) int { return s.each(pages(1<<30, successor)) },
	"honest-10000":  func(s *speaker) int { return s.each(pages(9_999, successor)) },
	"result-null": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return result(r.id, "null") }))
	},
	"tools-null": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return result(r.id, `{"tools":null}`) }))
	},
	"list-error": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return failure(r.id, -32603, "boom \x1b]0;x\a\n::error::x") }))
	},
	"malformed-tools": func(s *speaker) int {
		return s.each(listOf(`null,` + goodTool + `,"x",{"title":"nameless"},` + goodTool + `,{"name":5}`))
	},
	"late": func(s *speaker) int {
		return s.each(on("initialize", func(r request) string { time.Sleep(700 * time.Millisecond); return honest(r) }))
	},
	"dies-mid-answer": func(s *speaker) int {
		s.read()
		fmt.Fprint(s.out, `{"jsonrpc":"2.0","id":1,"result":{"protocolVer`)
		return 9
	},
	"big-line": func(s *speaker) int {
		return s.each(listOf(`{"name":"big","description":"` + strings.Repeat("x", 10<<20) + `","inputSchema":{"type":"object"}}`))
	},
	"flood": func(s *speaker) int {
		s.read()
		chunk := strings.Repeat("[", 1<<16)
		for {
			if _, err := io.WriteString(s.out, chunk); err != nil {
				return 1
			}
		}
	},
	"noise-flood": func(s *speaker) int {
		s.read()
		return endless(s, "not a message, again\n")
	},
	"notice-flood": func(s *speaker) int {
		s.read()
		return endless(s, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"again"}}`+"\n")
	},
	"ping-flood": func(s *speaker) int {
		s.read()
		return endless(s, `{"jsonrpc":"2.0","id":7,"method":"ping"}`+"\n")
	},
	"stderr-flood": func(s *speaker) int {
		fmt.Fprint(os.Stderr, strings.Repeat(strings.Repeat("e", 99)+"\n", 40_000))
		return s.each(honest)
	},
	"dense": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string {
			return result(r.id, `{"tools":[],"x":[`+strings.Repeat("0,", 1<<20)+`0]}`)
		}))
	},
	"invalid-utf8": func(s *speaker) int {
		return s.each(listOf("{\"name\":\"bad\xff\xfe\",\"inputSchema\":{\"type\":\"object\"}}," + goodTool))
	},
	"nul": func(s *speaker) int {
		return s.each(listOf("{\"name\":\"a\x00b\",\"inputSchema\":{\"type\":\"object\"}}"))
	},
	"deep-tool": func(s *speaker) int { return s.each(listOf(deepTool() + "," + goodTool)) },
	"deep-message": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string {
			return result(r.id, strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))
		}))
	},
	"wrong-id": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return result("4711", goodList) }))
	},
	"string-id": func(s *speaker) int { return s.each(func(r request) string { return honest(quoteID(r)) }) },
	"no-id": func(s *speaker) int {
		return s.each(on("tools/list", func(request) string { return `{"jsonrpc":"2.0","result":` + goodList + `}` }))
	},
	"null-id-error": func(s *speaker) int {
		return s.each(on("tools/list", func(request) string { return failure("null", -32700, "Parse error") }))
	},
	"duplicates": func(s *speaker) int {
		return s.each(func(r request) string {
			if r.id == "" {
				return ""
			}
			return honest(r) + "\n" + honest(r)
		})
	},
	"unsolicited": unsolicited,
	"noise":       noise,
	"pretty":      func(s *speaker) int { return s.each(pretty) },
	"no-jsonrpc": func(s *speaker) int {
		return s.each(func(r request) string { return strings.Replace(honest(r), `"jsonrpc":"2.0",`, "", 1) })
	},
	"batch": func(s *speaker) int { return s.each(func(r request) string { return bracket(honest(r)) }) },
	"truncated-json": func(s *speaker) int {
		return s.each(on("tools/list", func(r request) string { return strings.TrimSuffix(result(r.id, goodList), "}") }))
	},
	"forks":         func(s *speaker) int { fork(false); return s.each(honest) },
	"daemon":        func(s *speaker) int { fork(true); return s.each(honest) },
	"fork-and-exit": func(s *speaker) int { fork(false); s.say(honest(first(s.read()))); return 0 },
	"stubborn":      func(s *speaker) int { signal.Ignore(syscall.SIGTERM, syscall.SIGHUP); s.each(honest); return forever() },
	"closes-stdout": func(s *speaker) int { s.read(); s.out.Close(); return forever() },
	"closes-stdin": func(s *speaker) int {
		s.say(honest(first(s.read())))
		os.Stdin.Close()
		return forever()
	},
	"chatty": func(s *speaker) int { return s.each(on("tools/list", chatty)) },
	"deaf":   func(s *speaker) int { s.say(honest(first(s.read()))); return forever() },
	"echo-env": func(s *speaker) int {
		fmt.Fprintln(os.Stderr, "token is", os.Getenv("API_TOKEN"))
		return s.each(listOf(`{"name":"leak","description":` + schema.Quote("uses "+os.Getenv("API_TOKEN")) + `,"inputSchema":{"type":"object"}}`))
	},
	// Eras.
	"modern":        func(s *speaker) int { return s.each(modern) },
	"modern-slow":   func(s *speaker) int { time.Sleep(600 * time.Millisecond); return s.each(modern) },
	"slow":          func(s *speaker) int { time.Sleep(600 * time.Millisecond); return s.each(honest) },
	"modern-only-x": func(s *speaker) int { return s.each(futureOnly) },
	"lists-legacy":  func(s *speaker) int { return s.each(listsLegacy) },
	"ignores-probe": func(s *speaker) int {
		return s.each(func(r request) string {
			if r.method == "server/discover" {
				return ""
			}
			return honest(r)
		})
	},
	"modern-no-discover": func(s *speaker) int {
		return s.each(func(r request) string {
			if r.method == "tools/list" {
				return result(r.id, `{"resultType":"complete","ttlMs":0,"cacheScope":"public","tools":[`+goodTool+`]}`)
			}
			return ""
		})
	},
	"dies-on-probe": func(s *speaker) int {
		r, _ := s.read()
		if r.method != "initialize" {
			return 1
		}
		s.say(honest(r))
		return s.each(honest)
	},
	"spoilt-by-probe": spoiltByProbe,
	"down": func(s *speaker) int {
		return s.each(on("initialize", func(r request) string { return strings.Replace(honest(r), "2025-11-25", "2024-11-05", 1) }))
	},
	"up": func(s *speaker) int {
		return s.each(on("initialize", func(r request) string { return strings.Replace(honest(r), "2025-11-25", "2099-01-01", 1) }))
	},
	"empty-cursor": func(s *speaker) int { return s.each(emptyCursor) },
	"announces":    announces,
}

// serveStdio acts as the named server and returns the exit status.
func serveStdio(name string) int {
	if name == "go-sdk" {
		return serveSDK()
	}
	if serve := stdioServers[name]; serve != nil {
		return serve(&speaker{bufio.NewReader(os.Stdin), os.Stdout})
	}
	fmt.Fprintln(os.Stderr, "no such server:", name)
	return 64
}

// endless writes the same line until nobody reads.
func endless(s *speaker, line string) int {
	chunk := strings.Repeat(line, 1000)
	for {
		if _, err := io.WriteString(s.out, chunk); err != nil {
			return 1
		}
	}
}

func first(r request, _ bool) request { return r }

func crlf(s string) string {
	if s == "" {
		return ""
	}
	return s + "\r"
}

func bracket(s string) string {
	if s == "" {
		return ""
	}
	return "[" + s + "]"
}

func quoteID(r request) request {
	if r.id != "" {
		r.id = `"` + r.id + `"`
	}
	return r
}

func deepTool() string {
	return `{"name":"deep","inputSchema":` + strings.Repeat(`{"not":`, 100_000) + `{}` + strings.Repeat(`}`, 100_000) + `}`
}

// fork starts a child that holds the pipes and would live for minutes.
func fork(session bool) {
	child := exec.Command("sleep", "300")
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: session}
	if err := child.Start(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(65)
	}
	fmt.Fprintf(os.Stderr, "child=%d\n", child.Process.Pid)
}

// segfault becomes a shell, since the Go runtime catches the signal.
func segfault(s *speaker) int {
	s.read()
	fmt.Fprintln(os.Stderr, syscall.Exec("/bin/sh", []string{"sh", "-c", "kill -SEGV $$"}, os.Environ()))
	return 66
}

// unsolicited asks the client for things before it answers.
func unsolicited(s *speaker) int {
	return s.each(on("tools/list", func(r request) string {
		s.say(`{"jsonrpc":"2.0","id":"p1","method":"ping"}`,
			`{"jsonrpc":"2.0","id":"r1","method":"roots/list"}`,
			`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"hello"}}`)
		for range 2 {
			reply, _ := s.read()
			fmt.Fprintln(os.Stderr, "got "+reply.value.Compact())
		}
		return honest(r)
	}))
}

// noise writes what real servers write to stdout: a banner, coloured log lines,
// a JSON log object.
func noise(s *speaker) int {
	s.say("Server v1 starting…", "\x1b[32mINFO\x1b[0m ready", `{"level":"info","message":"listening"}`, "")
	return s.each(func(r request) string {
		if r.id != "" {
			s.say(`{"level":"error","error":"not one"}`)
		}
		return honest(r)
	})
}

// pretty answers over several lines.
func pretty(r request) string {
	text := honest(r)
	if text == "" {
		return ""
	}
	return schema.MustParse(text).Stringify("  ")
}

func modern(r request) string {
	if r.value.Get("params").Get("_meta").Get("io.modelcontextprotocol/protocolVersion") == nil {
		return failure(r.id, -32602, "no _meta")
	}
	switch r.method {
	case "server/discover":
		return result(r.id, discoverResult)
	case "initialize":
		return failure(r.id, -32022, "modern only")
	}
	return honest(r)
}

// futureOnly knows no revision of ours.
func futureOnly(r request) string {
	if r.id == "" {
		return ""
	}
	return `{"jsonrpc":"2.0","id":` + r.id + `,"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2031-01-01"],"requested":"2026-07-28"}}}`
}

// listsLegacy answers discover with legacy revisions only, as the Go SDK's
// stateful HTTP server does.
func listsLegacy(r request) string {
	if r.method == "server/discover" {
		return result(r.id, strings.Replace(discoverResult, "2026-07-28", "2025-11-25", 1))
	}
	return honest(r)
}

// spoiltByProbe answers every message after a probe with an error.
func spoiltByProbe(s *speaker) int {
	spoilt := false
	return s.each(func(r request) string {
		if r.method == "server/discover" {
			spoilt = true
		}
		if spoilt && r.id != "" {
			return failure(r.id, 0, "method is invalid during session initialization")
		}
		return honest(r)
	})
}

// chatty says much that nobody asked for before it answers.
func chatty(r request) string {
	var b strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"%d"}}`+"\n", i)
		fmt.Fprintf(&b, `{"jsonrpc":"2.0","id":%d,"result":{}}`+"\n", 1_000_000+i)
	}
	return b.String() + honest(r)
}

// announces says after every list that it changed; from the third one on it did.
func announces(s *speaker) int {
	lists := 0
	return s.each(func(r request) string {
		switch r.method {
		case "initialize":
			return strings.Replace(honest(r), `"tools":{}`, `"tools":{"listChanged":true}`, 1)
		case "tools/list":
			tools := goodTool
			if lists++; lists > 2 {
				tools += `,{"name":"loaded_late","inputSchema":{"type":"object"}}`
			}
			return result(r.id, `{"tools":[`+tools+`]}`) + "\n" + `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
		}
		return honest(r)
	})
}

// emptyCursor has a second page behind the cursor "".
func emptyCursor(r request) string {
	switch r.method {
	case "server/discover":
		return result(r.id, discoverResult)
	case "tools/list":
		if r.value.Get("params").Has("cursor") {
			return result(r.id, `{"tools":[{"name":"second","inputSchema":{"type":"object"}}]}`)
		}
		return result(r.id, `{"tools":[`+goodTool+`],"nextCursor":""}`)
	}
	return honest(r)
}
