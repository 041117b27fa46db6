package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
)

// planted are the secrets of these tests by where they are planted. The odd one has
// what each way of writing escapes differently; the others look generated.
var planted = map[string]string{
	"environment": `hunter"2/Ä<&>'😀+pass`,
	"argument":    "argv-4f9c1b7e2d8a6035",
	"flag":        "flagvalue-90817263544",
	"assignment":  "AsSiGn3d+vAlue/0f1e2d3c4b5A6",
	"address":     "dbpassw0rd!x",
	"header":      "hdr-7c6b5a4938271605fedc",
	"bearer":      "bearer.0a1b2c3d4e5f60718293a4b5",
	"second":      "second-5544332211ffeeddcc",
	"userinfo":    "userinfo-password",
	"query":       "queryk3y-99aabbcc44ddee",
	"config-env":  "configenv-1029384756abcd",
	"expanded":    "7-times-31", // no name and no look of a secret, but taken from the environment
	"password":    "correcthorse",
	"config-head": "confighead-a1b2c3d4e5f6a7b8",
	"client":      "client-secret-0f9e8d7c6b5a",
	"access":      "access-1a2b3c4d5e6f7a8b9c0d",
	"refresh":     "refresh-d4c3b2a1f6e5d4c3b2a1",
	"host-token":  "hosttoken-0011223344556677",
	"code":        "authcode-8899aabbccddeeff",
}

// quoted is a text in the ways in which a server may write it, also in pieces as a
// streamed text comes.
func quoted(secret string) string {
	once, _ := json.Marshal(secret)
	twice, _ := json.Marshal(string(once))
	forms := []string{secret, string(once), string(twice), strings.ReplaceAll(string(once), "/", `\/`), url.QueryEscape(secret), url.PathEscape(secret),
		escapeURL.ReplaceAllStringFunc(url.QueryEscape(secret), strings.ToLower), html.EscapeString(secret), hex.EncodeToString([]byte(secret)), strings.ToUpper(hex.EncodeToString([]byte(secret)))}
	for _, before := range []string{"", "u", "me", "me:", "user"} {
		text := []byte(before + secret + "|tail")
		forms = append(forms, base64.StdEncoding.EncodeToString(text), base64.RawURLEncoding.EncodeToString(text))
	}
	return strings.Join(forms, " ; ")
}

var (
	escape16   = regexp.MustCompile(`\\+u[0-9a-fA-F]{4}(\\+u[dD][c-fC-F][0-9a-fA-F]{2})?`)
	escapeChar = regexp.MustCompile(`\\+(["/'])`)
	escapeURL  = regexp.MustCompile(`%[0-9a-fA-F]{2}`)
	digits16   = regexp.MustCompile(`[0-9a-fA-F]{12,}`)
	digits64   = regexp.MustCompile(`[A-Za-z0-9+/_-]{10,}`)
)

// readings are what somebody who looks for secrets makes of a text: it undoes every
// way of writing, whatever it was meant as.
func readings(text string) []string {
	plain := escape16.ReplaceAllStringFunc(text, func(m string) string {
		var s string
		if json.Unmarshal([]byte(`"`+regexp.MustCompile(`\\+`).ReplaceAllString(m, `\`)+`"`), &s) != nil {
			return m
		}
		return s
	})
	plain = escapeChar.ReplaceAllString(plain, "$1")
	unescaped := escapeURL.ReplaceAllStringFunc(plain, func(m string) string {
		n, _ := strconv.ParseUint(m[1:], 16, 8)
		return string([]byte{byte(n)})
	})
	out := []string{text, plain, html.UnescapeString(plain), unescaped}
	for _, from := range []string{plain, unescaped} {
		for _, run := range digits16.FindAllString(from, -1) {
			for skip := range 2 {
				odd := run[skip:]
				raw, _ := hex.DecodeString(odd[:len(odd)/2*2])
				out = append(out, string(raw))
			}
		}
		for _, run := range digits64.FindAllString(from, -1) {
			run = strings.NewReplacer("+", "-", "/", "_").Replace(run)
			for skip := range 4 {
				part := run[skip:]
				if len(part)%4 == 1 {
					part = part[:len(part)-1]
				}
				raw, _ := base64.RawURLEncoding.DecodeString(part)
				out = append(out, string(raw))
			}
		}
	}
	return out
}

// leaks lists the places that hold a secret, or a long piece of one, in any reading.
func leaks(where, text string) (out []string) {
	all := strings.Join(readings(text), "\x00")
	for place, secret := range planted {
		n := len(secret)
		if recording.LooksGenerated(secret) {
			n = 13 // longer pieces are found too
		}
		for at := 0; at+n <= len(secret); at++ {
			if i := strings.Index(all, secret[at:at+n]); i >= 0 {
				out = append(out, fmt.Sprintf("%s holds the secret of %s: %q", where, place, all[max(0, i-60):min(len(all), i+60)]))
				break
			}
		}
	}
	return out
}

// command runs the program in a folder and returns all that it printed.
func command(t *testing.T, dir string, env []string, input io.Reader, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, "conform", args...)
	cmd.Dir, cmd.Stdin = dir, input
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("%v: %v", args, err)
	}
	if len(out) == 0 && cmd.ProcessState.ExitCode() == exitUsage {
		t.Fatalf("%v: exit code 2 and not a word", args)
	}
	return string(out)
}

// everyFormat are the flags for a report in every format, each in its file.
func everyFormat(prefix string) (out []string) {
	for _, f := range reports.Formats() {
		out = append(out, "--format", f.Name+"="+prefix+"."+f.Name)
	}
	return out
}

// noLeaks looks at all files of a folder and at all that was printed.
func noLeaks(t *testing.T, dir string, printed map[string]string) {
	t.Helper()
	files, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.HasPrefix(f.Name(), "given-") { // what the user wrote
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, f.Name()))
		if err == nil {
			printed[f.Name()] = string(text)
		}
	}
	for where, text := range printed {
		for _, leak := range leaks(where, text) {
			t.Error(leak)
		}
	}
}

// replaced fails when a text holds no sign that something was taken out: then the
// secrets never came that far, and that none is there shows nothing.
func replaced(t *testing.T, where, text string) {
	t.Helper()
	if !strings.Contains(text, "redacted") {
		t.Errorf("%s: nothing was taken out of\n%.2000s", where, text)
	}
}

// TestSecretsOfStdioServer: a server that says everywhere what it was given, in every
// spelling, on every stream, gets none of it into anything that is written.
func TestSecretsOfStdioServer(t *testing.T) {
	dir := t.TempDir()
	env := []string{"API_TOKEN=" + planted["environment"], "DATABASE_URL=postgres://app:" + url.QueryEscape(planted["address"]) + "@localhost/db"}
	server := []string{"--env", "API_TOKEN", "--env", "DATABASE_URL", "--", "badserver", "echoes", planted["argument"], "--auth-token", planted["flag"], "--api-key=" + planted["assignment"],
		"https://app:" + planted["userinfo"] + "@localhost/?api_key=" + planted["query"]}
	printed := map[string]string{}
	do := func(name string, args ...string) {
		printed[name] = command(t, dir, env, nil, args...)
	}
	do("run", append(append(append([]string{"run", "--host", "cursor,codex,gemini-cli,ts-sdk-v1"}, everyFormat("run")...), "--verbose", "--sample-errors", "--protocol", "2025-06-18"), server...)...)
	do("text", append([]string{"run", "--host", "go-sdk,ts-sdk-v1"}, server...)...)
	do("offered", append([]string{"run", "--show-offered", "tell@ts-sdk-v1"}, server...)...)
	do("dry", append([]string{"run", "--dry-run"}, server...)...)
	do("all", append([]string{"run", "--host", "go-sdk", "--protocol", "all", "--format", "json=all.json"}, server...)...)
	do("record", append([]string{"record", "--host", "go-sdk", "--verbose", "-o", "session.jsonl"}, server...)...)
	do("stdout", append([]string{"record", "--host", "go-sdk"}, server...)...)
	do("replay", append(append([]string{"run", "--verbose", "--replay", "session.jsonl"}, everyFormat("replay")...), "--host", "cursor,claude-code")...)
	do("samples", append([]string{"samples", "init"}, server...)...)
	do("baseline", append([]string{"baseline", "wire", "-o", "wire.golden"}, server...)...)
	do("dies", append([]string{"run", "--env", "API_TOKEN", "--", "badserver", "echoes-and-dies"}, server[5:]...)...)
	do("mistaken", "run", "badserver", "echoes", planted["argument"], server[len(server)-1])
	do("missing", append([]string{"run", "--env", "API_TOKEN", "--", "./no-such-server"}, server[5:]...)...)
	replaced(t, "run", printed["run"])
	replaced(t, "mistaken", printed["mistaken"])
	replaced(t, "dies", printed["dies"])
	for _, file := range []string{"session.jsonl", "run.json", "run.html", "run.text", "run.markdown", "run.sarif", "run.junit", "conform.samples.yaml"} {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			t.Fatal(err)
		}
		replaced(t, file, string(text))
	}
	// A real host in front of it: its environment is the server's.
	host := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"tell","arguments":{"password":"` + planted["client"] + `"}}}` + "\n")
	command(t, dir, env, host, append([]string{"record", "--proxy", "-o", "proxy.jsonl"}, server[4:]...)...)
	text, _ := os.ReadFile(filepath.Join(dir, "proxy.jsonl"))
	replaced(t, "proxy.jsonl", string(text))
	noLeaks(t, dir, printed)
}

// echoing is a server that says in every part of an HTTP answer what came in the
// request, and in its messages too.
func echoing(t *testing.T) *httptest.Server {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		said := quoted(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) + " " + quoted(r.Header.Get("X-Key")) + " " + quoted(r.Header.Get("Cookie")) + " " + quoted(r.URL.Query().Get("api_key"))
		if _, password, ok := r.BasicAuth(); ok {
			said += " " + quoted(password)
		}
		w.Header().Set("X-Echo", strings.ReplaceAll(said, "\n", " "))
		switch {
		case strings.HasPrefix(r.URL.Path, "/refuses"):
			w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token", error_description="`+r.Header.Get("Authorization")+" "+r.Header.Get("X-Key")+`"`)
			http.Error(w, said, http.StatusUnauthorized)
			return
		case strings.HasPrefix(r.URL.Path, "/fails"):
			http.Error(w, said, http.StatusInternalServerError)
			return
		case strings.HasPrefix(r.URL.Path, "/moves"):
			w.Header().Set("Location", "https://elsewhere.example/?code="+planted["code"]+"&key="+r.Header.Get("X-Key"))
			w.WriteHeader(http.StatusTemporaryRedirect)
			return
		case r.Method == http.MethodGet:
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.Unmarshal(body, &m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		answer := echoingAnswer(said)(m.ID, m.Method)
		if strings.HasPrefix(r.URL.Path, "/sse") {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, ": %s\nevent: %s\ndata: %s\n\n", said, said, said)
			fmt.Fprintf(w, "id: 1\ndata: %s\n\n", answer)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return server
}

// TestSecretsOfHTTPServer: the same of a server over HTTP: headers, bearer tokens,
// what the address holds, cookies, a second identity, refusals and redirects.
func TestSecretsOfHTTPServer(t *testing.T) {
	dir := t.TempDir()
	server := echoing(t)
	env := []string{"KEY=" + planted["header"], "AUTH=Bearer " + planted["bearer"], "OTHER=" + planted["second"]}
	printed := map[string]string{}
	for _, path := range []string{"/mcp", "/sse", "/refuses", "/fails", "/moves"} {
		at := strings.Replace(server.URL, "http://", "http://app:"+planted["userinfo"]+"@", 1) + path + "?api_key=" + planted["query"]
		name := path[1:]
		flags := []string{"--url", at, "--header", "X-Key: $KEY", "--header", "Cookie: sid=" + planted["assignment"]}
		if path != "/sse" { // there the address's own credentials go out
			flags = append(flags, "--header", "Authorization: $AUTH")
		}
		printed[name] = command(t, dir, env, nil, append(append([]string{"run", "--host", "cursor,codex,ts-sdk-v1", "--verbose", "--protocol", "2025-11-25"}, everyFormat(name)...), flags...)...)
		printed[name+" all"] = command(t, dir, env, nil, append([]string{"run", "--host", "go-sdk", "--protocol", "all", "--second-header", "X-Key: $OTHER", "--format", "json=" + name + "-all.json"}, flags...)...)
		printed[name+" record"] = command(t, dir, env, nil, append([]string{"record", "--host", "go-sdk", "-o", name + ".jsonl"}, flags...)...)
		printed[name+" samples"] = command(t, dir, env, nil, append([]string{"samples", "init", "-o", "-"}, flags...)...)
		replaced(t, name, printed[name])
	}
	noLeaks(t, dir, printed)
}

// TestSecretsOfConfiguration: what a host's configuration names, also where it expands
// variables, of several servers at once.
func TestSecretsOfConfiguration(t *testing.T) {
	dir := t.TempDir()
	server := echoing(t)
	config := map[string]any{"mcpServers": map[string]any{
		"one": map[string]any{"command": "badserver", "args": []string{"echoes", "--token=" + planted["argument"], "--words", "${NUMBERS}", "${DBPW}"}, "env": map[string]string{"SERVICE_KEY": planted["config-env"], "API_TOKEN": "${ODD}"}},
		"two": map[string]any{"type": "http", "url": server.URL + "/mcp", "headers": map[string]string{"X-Key": planted["config-head"], "Authorization": "Bearer ${BEARER}"}},
	}}
	text, _ := json.Marshal(config)
	if err := os.WriteFile(filepath.Join(dir, "given-mcp.json"), text, 0o600); err != nil {
		t.Fatal(err)
	}
	env := []string{"ODD=" + planted["environment"], "BEARER=" + planted["bearer"], "NUMBERS=" + planted["expanded"], "DBPW=" + planted["password"]}
	printed := map[string]string{}
	printed["run"] = command(t, dir, env, nil, append([]string{"run", "--verbose", "--host", "go-sdk,ts-sdk-v1", "--config", "given-mcp.json"}, everyFormat("run")...)...)
	printed["dry"] = command(t, dir, env, nil, "run", "--dry-run", "--config", "given-mcp.json")
	for _, name := range []string{"one", "two"} {
		printed["record "+name] = command(t, dir, env, nil, "record", "--config", "given-mcp.json", "--server", name, "--host", "go-sdk", "-o", name+".jsonl")
	}
	replaced(t, "run", printed["run"])
	noLeaks(t, dir, printed)
}

// provider is an MCP server that wants a token, and an authorization server that
// quotes what it is sent. refuse makes it refuse every token request.
func provider(t *testing.T, refuse bool) *httptest.Server {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	document := func(w http.ResponseWriter, status int, v map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(v)
	}
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		document(w, 200, map[string]any{"resource": server.URL + "/mcp", "authorization_servers": []string{server.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		document(w, 200, map[string]any{"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token",
			"response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"}, "token_endpoint_auth_methods_supported": []string{"client_secret_post", "client_secret_basic"}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		_, password, _ := r.BasicAuth()
		if refuse || r.Form.Get("grant_type") == "refresh_token" {
			document(w, 400, map[string]any{"error": "invalid_client", "error_description": "no such client: " + quoted(r.Form.Get("client_secret")+password) + quoted(r.Form.Get("refresh_token")) + quoted(r.Form.Get("code"))})
			return
		}
		document(w, 200, map[string]any{"access_token": planted["access"], "refresh_token": planted["refresh"], "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+planted["access"] && r.Header.Get("Authorization") != "Bearer "+planted["host-token"] {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+server.URL+`/.well-known/oauth-protected-resource/mcp", error_description="`+r.Header.Get("Authorization")+`"`)
			http.Error(w, "who are you? "+quoted(r.Header.Get("Authorization")), http.StatusUnauthorized)
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if json.NewDecoder(r.Body).Decode(&m) != nil || m.ID == nil {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, echoingAnswer(quoted(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))+quoted(planted["refresh"]))(m.ID, m.Method))
	})
	return server
}

// TestSecretsOfLogin: the client's secret, the tokens, and what a login through a
// recording proxy exchanges.
func TestSecretsOfLogin(t *testing.T) {
	dir := t.TempDir()
	env := []string{"CLIENT_SECRET=" + planted["client"]}
	printed := map[string]string{}
	for name, refuse := range map[string]bool{"works": false, "refused": true} {
		server := provider(t, refuse)
		flags := []string{"--url", server.URL + "/mcp", "--client-credentials", "--client-id", "ci", "--client-secret-env", "CLIENT_SECRET", "--token-dir", filepath.Join(dir, "given-tokens")}
		printed[name] = command(t, dir, env, nil, append(append([]string{"run", "--host", "go-sdk", "--verbose"}, everyFormat(name)...), flags...)...)
		printed[name+" record"] = command(t, dir, env, nil, append([]string{"record", "--host", "go-sdk", "-o", name + ".jsonl"}, flags...)...)
		replaced(t, name, printed[name])
	}

	// A stored token that is not taken any more, nor its refresh.
	server := provider(t, false)
	name := sha256.Sum256([]byte(server.URL + "/mcp"))
	stored := fmt.Sprintf(`{"format":"conform-token/1","url":%q,"client_id":"ci","client_secret":%q,"token_url":%q,"token":{"access_token":%q,"refresh_token":%q,"expiry":"2020-01-01T00:00:00Z"}}`,
		server.URL+"/mcp", planted["client"], server.URL+"/token", planted["code"], planted["refresh"])
	tokens := filepath.Join(dir, "given-tokens")
	if err := os.MkdirAll(tokens, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(tokens, hex.EncodeToString(name[:12])+".json"), []byte(stored), 0o600); err != nil {
		t.Fatal(err)
	}
	printed["stored"] = command(t, dir, env, nil, "run", "--host", "go-sdk", "--verbose", "--stored-auth-only", "--token-dir", tokens, "--url", server.URL+"/mcp")

	// A host that logs in through the proxy.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd := exec.CommandContext(ctx, "conform", "record", "--proxy", "-o", "proxy.jsonl", "--url", server.URL+"/mcp")
	cmd.Dir, cmd.Cancel = dir, func() error { return cmd.Process.Signal(os.Interrupt) }
	said, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	line := make([]byte, 200)
	n, err := said.Read(line)
	if err != nil {
		t.Fatal(err)
	}
	at := regexp.MustCompile(`http://[0-9.:]+`).FindString(string(line[:n]))
	post := func(path, kind, token, body string) {
		t.Helper()
		request, _ := http.NewRequest(http.MethodPost, at+path, strings.NewReader(body))
		request.Header.Set("Content-Type", kind)
		if token != "" {
			request.Header.Set("Authorization", "Bearer "+token)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
	}
	form := url.Values{"grant_type": {"authorization_code"}, "code": {planted["code"]}, "client_secret": {planted["client"]}}
	post("/token", "application/x-www-form-urlencoded", "", form.Encode())
	post("/mcp", "application/json", planted["host-token"], `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"h","version":"1"}}}`)
	post("/mcp", "application/json", planted["host-token"], `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	cancel()
	rest, _ := io.ReadAll(said)
	_ = cmd.Wait()
	printed["proxy"] = string(line[:n]) + string(rest)
	text, _ := os.ReadFile(filepath.Join(dir, "proxy.jsonl"))
	replaced(t, "proxy.jsonl", string(text))
	printed["replayed"] = command(t, dir, nil, nil, "run", "--host", "go-sdk", "--replay", "proxy.jsonl")
	if !strings.Contains(printed["replayed"], "1 tool in 1 host") {
		t.Errorf("what passed is not evaluated: %s", printed["replayed"])
	}
	noLeaks(t, dir, printed)
}

// TestLeaksAreSeen: the search finds what it is for.
func TestLeaksAreSeen(t *testing.T) {
	for place, secret := range planted {
		for _, form := range strings.Split(quoted(secret), " ; ") {
			if len(leaks("", "x "+form+" y")) == 0 {
				t.Errorf("the secret of %s is not seen in %q", place, form)
			}
		}
	}
	if found := leaks("", `"text":"argv-4f9c1b7e2d8a6"},{"text":"035"`); len(found) == 0 {
		t.Error("a piece is not seen")
	}
	if found := leaks("", "nothing of that [redacted]"); len(found) > 0 {
		t.Error(found)
	}
}

// echoingAnswer is an honest server whose every text is the given one.
func echoingAnswer(said string) func(json.RawMessage, string) string {
	return func(id json.RawMessage, method string) string {
		text, _ := json.Marshal(said)
		var pieces bytes.Buffer // as a streamed text comes: in content blocks of their own
		for _, word := range strings.Fields(said) {
			if strings.ContainsAny(word, `%\&`) {
				continue // escaped and cut is more than anybody undoes
			}
			for _, half := range []string{word[:len(word)*2/3], word[len(word)*2/3:]} {
				piece, _ := json.Marshal(map[string]string{"type": "text", "text": half})
				pieces.Write(append(piece, ','))
			}
		}
		result := ""
		switch method {
		case "initialize":
			result = fmt.Sprintf(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":%[1]s,"version":%[1]s},"instructions":%[1]s}`, text)
		case "tools/list":
			result = fmt.Sprintf(`{"tools":[{"name":"tell","title":%[1]s,"description":%[1]s,"annotations":{"readOnlyHint":true},"inputSchema":{"type":"object","required":["q"],"properties":{"q":{"type":"string","default":%[1]s},"n":{"type":"integer","title":%[1]s}}},
"outputSchema":{"type":"object","properties":{"n":{"type":"integer","description":%[1]s},"e":{"const":%[1]s}},"required":["n",%[1]s]}}]}`, text)
			result = strings.ReplaceAll(result, "\n", "")
		case "tools/call":
			result = fmt.Sprintf(`{"content":[%[2]s{"type":"text","text":%[1]s}],"structuredContent":{"n":%[1]s,%[1]s:1},"_meta":{"x":%[1]s}}`, text, pieces.String())
		default:
			return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":%[2]s,"data":%[2]s}}`, id, text)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, id, result)
	}
}

// echoes is the stdio server of [TestSecretsOfStdioServer]: it says what is in its
// arguments and its environment.
func echoes(dies bool) {
	var said []string
	for _, arg := range os.Args[2:] {
		said = append(said, quoted(arg))
		if _, value, ok := strings.Cut(arg, "="); ok {
			said = append(said, quoted(value))
		}
		if u, err := url.Parse(arg); err == nil && u.User != nil {
			password, _ := u.User.Password()
			said = append(said, quoted(password), quoted(u.Query().Get("api_key")))
		}
	}
	said = append(said, quoted(os.Getenv("API_TOKEN")), quoted(os.Getenv("SERVICE_KEY")), os.Getenv("DATABASE_URL"))
	if u, err := url.Parse(os.Getenv("DATABASE_URL")); err == nil && u.User != nil {
		password, _ := u.User.Password()
		said = append(said, quoted(password))
	}
	all := strings.Join(said, " ")
	for _, word := range strings.Fields(all) {
		fmt.Fprintln(os.Stderr, word)
	}
	fmt.Println("noise:", all)
	fmt.Printf("noise \xff %s\n", all)
	if dies {
		fmt.Fprintln(os.Stderr, "panic:", all)
		os.Exit(3)
	}
	respond(echoingAnswer(all))
}
