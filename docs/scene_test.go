package docs_test

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
)

// scene is what a reader is supposed to have when a page names a command: a server,
// recordings, reports, a configuration. Commands run in its folder.
type scene struct{ dir, root, open, guarded string }

func newScene() *scene {
	GinkgoHelper()
	set, err := fixture.Find("demo")
	Expect(err).NotTo(HaveOccurred())
	server := httptest.NewServer(fixture.Handler(set))
	DeferCleanup(server.Close)
	root, err := filepath.Abs("..")
	Expect(err).NotTo(HaveOccurred())
	s := &scene{dir: GinkgoT().TempDir(), root: root, open: server.URL, guarded: guardedServer(fixture.Handler(set))}
	if prepared == "" {
		prepared = filepath.Join(bin, "scene")
		Expect(os.Mkdir(prepared, 0o755)).To(Succeed())
		(&scene{dir: prepared, root: root}).prepare()
	}
	Expect(os.CopyFS(s.dir, os.DirFS(prepared))).To(Succeed())
	for _, name := range []string{"capabilities/observations", "capabilities/shapes", "cases", "cmd", "lab", "go.mod", "go.sum"} {
		Expect(os.Symlink(filepath.Join(root, name), filepath.Join(s.dir, name))).To(Succeed())
	}
	return s
}

// prepared is the folder that scenes are copies of, made once.
var prepared string

// prepare writes what a reader has by then: a key, a configuration, the rows of the
// table (commands of the table write there), an observation, reports and a baseline.
func (s *scene) prepare() {
	GinkgoHelper()
	put := func(name, text string) {
		Expect(os.MkdirAll(filepath.Dir(filepath.Join(s.dir, name)), 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(s.dir, name), []byte(text), 0o644)).To(Succeed())
	}
	put("mcp.json", `{"mcpServers":{"yard":{"command":"node","args":["server.js"]}}}`)
	put("key.pem", privateKey())
	rows, err := filepath.Glob("../capabilities/*.json")
	Expect(err).NotTo(HaveOccurred())
	for _, row := range rows {
		data, err := os.ReadFile(row)
		Expect(err).NotTo(HaveOccurred())
		put("capabilities/"+filepath.Base(row), string(data))
	}
	seen, err := os.ReadFile("../capabilities/observations/ts-sdk-v1-1.32.2.jsonl")
	Expect(err).NotTo(HaveOccurred())
	put("observations/ts-sdk-v1-1.32.2-lab.jsonl", string(seen))
	for _, line := range []string{
		"conform record -o session.jsonl -- node server.js",
		"conform run --quiet --fail-on never --replay session.jsonl --format json=report.json",
		"cp report.json run.json; cp report.json old.json; cp report.json new.json",
		"conform run --quiet --fail-on never --replay session.jsonl --shard 1/2 --format json=shard-1.json",
		"conform run --quiet --fail-on never --replay session.jsonl --shard 2/2 --format json=shard-2.json",
		"conform baseline write report.json",
	} {
		out, err := s.command(line).CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), "%s\n%s", line, out)
	}
}

// fill puts what the scene has in the place of what stands for something of the
// reader's.
func (s *scene) fill(page, line string) string {
	server := s.open
	if strings.Contains(page, "oauth") {
		server = s.guarded
	}
	line = strings.ReplaceAll(line, "go run ./cmd/conform", "conform")
	return strings.NewReplacer("conform cases cases", "conform cases "+s.root+"/cases", "--redirect-port 8080", "--redirect-port "+freePort(), "-- …", "-- node server.js", "my_tool", "hauler_status", "python -m my_server", "node server.js",
		"https://example.com/mcp", server+"/mcp", "http://localhost:3000/mcp", server, "--url URL", "--url "+server, "127.0.0.1:4000", "127.0.0.1:0",
		"merge SHARDS", "merge shard-1.json shard-2.json", "--config FILE", "--config mcp.json", "caps show HOST", "caps show codex", "caps new ID", "caps new my-host",
		"explain RULE", "explain result-schema-mismatch").Replace(line)
}

func (s *scene) command(line string) *exec.Cmd {
	cmd := exec.Command("bash", "-c", line)
	cmd.Dir = s.dir
	cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + s.dir, "XDG_CACHE_HOME=" + filepath.Join(s.dir, "cache"), "XDG_CONFIG_HOME=" + filepath.Join(s.dir, "config"),
		"GOBIN=" + filepath.Join(s.dir, "gobin"), "GOFLAGS=-mod=mod", "GOCACHE=" + goEnv("GOCACHE"), "GOMODCACHE=" + goEnv("GOMODCACHE"), "GOTOOLCHAIN=local",
		"MCP_AUTHORIZATION=Bearer " + goodToken, "MCP_SECRET=machine-secret"}
	return cmd
}

func goEnv(name string) string {
	out, err := exec.Command("go", "env", name).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

// output collects what a process prints while others read it.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// run runs a line to its end and returns its exit code and what it printed.
func (s *scene) run(line string) (int, string) {
	GinkgoHelper()
	cmd := s.command(line)
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		Expect(err).NotTo(HaveOccurred(), line)
	}
	return cmd.ProcessState.ExitCode(), out.String()
}

// runUntil runs a line that ends by Ctrl-C alone: it waits for a text, and interrupts.
func (s *scene) runUntil(line, text string) (int, string) {
	GinkgoHelper()
	cmd := s.command("exec " + line)
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	Expect(cmd.Start()).To(Succeed())
	Eventually(out.String, time.Minute).Should(ContainSubstring(text), line)
	Expect(cmd.Process.Signal(os.Interrupt)).To(Succeed())
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), out.String()
}

// runLogin runs a line at a terminal and opens the address that it shows, as a person
// with a browser does.
func (s *scene) runLogin(line string) (int, string) {
	GinkgoHelper()
	Expect(os.RemoveAll(filepath.Join(s.dir, "config"))).To(Succeed(), "an earlier login is forgotten")
	cmd := s.command("script -qec '" + line + "' /dev/null")
	var out output
	cmd.Stdout, cmd.Stderr = &out, &out
	Expect(cmd.Start()).To(Succeed())
	address := regexp.MustCompile(`http://\S+/authorize\S+`)
	Eventually(out.String, time.Minute).Should(MatchRegexp(address.String()+`\s`), line)
	answer, err := http.Get(address.FindString(out.String()))
	Expect(err).NotTo(HaveOccurred())
	Expect(answer.Body.Close()).To(Succeed())
	_ = cmd.Wait()
	return cmd.ProcessState.ExitCode(), out.String()
}

func freePort() string {
	GinkgoHelper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	Expect(err).NotTo(HaveOccurred())
	defer listener.Close()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	Expect(err).NotTo(HaveOccurred())
	return port
}

const goodToken = "token-of-the-docs"

// guardedServer is a server behind OAuth and its authorization server in one. Everybody
// who asks gets the token; how a client must ask is the business of wire/auth's tests.
func guardedServer(inner http.Handler) string {
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	DeferCleanup(server.Close)
	answer := func(w http.ResponseWriter, body map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(body)
	}
	mux.HandleFunc("/.well-known/oauth-protected-resource/mcp", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"resource": server.URL + "/mcp", "authorization_servers": []string{server.URL}})
	})
	mux.HandleFunc("/.well-known/oauth-authorization-server", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"issuer": server.URL, "authorization_endpoint": server.URL + "/authorize", "token_endpoint": server.URL + "/token",
			"registration_endpoint": server.URL + "/register", "response_types_supported": []string{"code"}, "code_challenge_methods_supported": []string{"S256"},
			"grant_types_supported":                 []string{"authorization_code", "client_credentials"},
			"token_endpoint_auth_methods_supported": []string{"none", "client_secret_post", "private_key_jwt"}})
	})
	mux.HandleFunc("/register", func(w http.ResponseWriter, r *http.Request) {
		m := map[string]any{}
		_ = json.NewDecoder(r.Body).Decode(&m)
		m["client_id"] = "registered"
		w.WriteHeader(http.StatusCreated)
		answer(w, m)
	})
	mux.HandleFunc("/authorize", func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		http.Redirect(w, r, q.Get("redirect_uri")+"?"+url.Values{"state": {q.Get("state")}, "code": {"a-code"}}.Encode(), http.StatusFound)
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"access_token": goodToken, "token_type": "Bearer", "expires_in": 3600})
	})
	mux.HandleFunc("/mcp", func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+goodToken {
			w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="`+server.URL+`/.well-known/oauth-protected-resource/mcp"`)
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		inner.ServeHTTP(w, r)
	})
	return server.URL
}

func privateKey() string {
	GinkgoHelper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	Expect(err).NotTo(HaveOccurred())
	der, err := x509.MarshalPKCS8PrivateKey(key)
	Expect(err).NotTo(HaveOccurred())
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der}))
}
