package examples_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// comments is as much of GitHub's API as the comment needs.
type comments struct {
	mu     sync.Mutex
	list   []map[string]any
	status int // of writes, 0: they work
	auth   []string
}

func (c *comments) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.auth = append(c.auth, r.Header.Get("Authorization"))
	var body struct{ Body string }
	_ = json.NewDecoder(r.Body).Decode(&body)
	answer := func(status int, value any) {
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(value)
	}
	switch {
	case r.Method == "GET" && r.URL.Path == "/user":
		answer(403, map[string]any{"message": "Resource not accessible by integration"})
	case r.Method == "GET" && strings.HasSuffix(r.URL.Path, "/pulls"):
		answer(200, []any{map[string]any{"number": 7, "state": "open"}})
	case r.Method == "GET" && r.URL.Path == "/repos/acme/hauler/issues/7/comments":
		answer(200, c.list)
	case c.status != 0:
		answer(c.status, map[string]any{"message": "no"})
	case r.Method == "POST" && r.URL.Path == "/repos/acme/hauler/issues/7/comments":
		c.list = append(c.list, map[string]any{"id": len(c.list) + 1, "body": body.Body, "user": map[string]any{"type": "Bot", "login": "github-actions[bot]"}})
		answer(201, map[string]any{})
	case r.Method == "PATCH":
		for _, have := range c.list {
			if r.URL.Path == fmt.Sprintf("/repos/acme/hauler/issues/comments/%v", have["id"]) {
				have["body"] = body.Body
				answer(200, map[string]any{})
				return
			}
		}
		answer(404, map[string]any{})
	default:
		answer(404, map[string]any{"message": "Not Found: " + r.URL.Path})
	}
}

var _ = Describe("the comment", func() {
	var api *comments
	var env map[string]string
	var dir string

	BeforeEach(func() {
		api = &comments{list: []map[string]any{}}
		server := httptest.NewServer(api)
		DeferCleanup(server.Close)
		dir = GinkgoT().TempDir()
		Expect(run(dir, nil, conform, "run", "--demo", "--host", "cursor", "--format", "json=report.json").code).To(BeZero())
		env = map[string]string{"GITHUB_API_URL": server.URL, "GITHUB_REPOSITORY": "acme/hauler", "GITHUB_TOKEN": "secret-token",
			"CONFORM_PULL_REQUEST": "7", "CONFORM_REPORT": filepath.Join(dir, "report.json")}
	})

	comment := func() result { GinkgoHelper(); return run(dir, env, "scripts/ci-comment.sh") }

	It("is posted once and then updated", func() {
		r := comment()
		Expect(r.code).To(BeZero(), r.stderr)
		Expect(api.list).To(HaveLen(1))
		first := api.list[0]["body"].(string)
		Expect(first).To(HavePrefix("<!-- conform-comment:conform -->\n"))
		Expect(first).To(ContainSubstring("hauler_status"))
		Expect(api.auth).To(HaveEach("Bearer secret-token"))
		Expect(r.stdout + r.stderr).NotTo(ContainSubstring("secret-token"))
		api.list[0]["body"] = "<!-- conform-comment:conform -->\nold"
		Expect(comment().code).To(BeZero())
		Expect(api.list).To(HaveLen(1))
		Expect(api.list[0]["body"]).To(Equal(first))
	})

	It("finds the pull request by its commit", func() {
		env["CONFORM_PULL_REQUEST"], env["CONFORM_HEAD_SHA"] = "", strings.Repeat("a", 40)
		Expect(comment().code).To(BeZero())
		Expect(api.list).To(HaveLen(1))
	})

	It("leaves alone what somebody else wrote with the same mark", func() {
		api.list = append(api.list, map[string]any{"id": 1, "body": "<!-- conform-comment:conform -->\nmine", "user": map[string]any{"type": "User", "login": "mallory"}})
		Expect(comment().code).To(BeZero())
		Expect(api.list).To(HaveLen(2))
		Expect(api.list[0]["body"]).To(HaveSuffix("mine"))
	})

	It("is left out, not failed, where the token may not write", func() {
		api.status = 403
		r := comment()
		Expect(r.code).To(BeZero())
		Expect(r.stderr).To(ContainSubstring("pull request from a fork"))
		api.status = 500
		Expect(comment().code).To(Equal(1))
	})

	DescribeTable("is left out without what it needs", func(name, value, says string) {
		env[name] = value
		r := comment()
		Expect(r.code).To(BeZero())
		Expect(r.stderr).To(ContainSubstring(says))
		Expect(api.list).To(BeEmpty())
	},
		Entry(nil, "GITHUB_TOKEN", "", "no token"),
		Entry(nil, "GITHUB_REPOSITORY", "a/b/../../x", "GITHUB_REPOSITORY"),
		Entry(nil, "CONFORM_REPORT", "nowhere.json", "no report"),
		Entry(nil, "CONFORM_PULL_REQUEST", "7/../8", "no open pull request"),
		Entry(nil, "GITHUB_API_URL", "http://127.0.0.1:1", "did not answer"))
})
