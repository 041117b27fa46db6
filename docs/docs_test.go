// Package docs_test runs every command on the pages of this folder.
package docs_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
)

func TestDocs(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "docs")
}

// generated pages hold no commands to run.
var generated = map[string]bool{"rules.md": true, "hosts.md": true, "catalogues.md": true}

// block is a fenced block: ```LANGUAGE ARGUMENT.
type block struct {
	language, argument string
	lines              []string
	at                 int
}

func blocksOf(page string) []block {
	GinkgoHelper()
	text, err := os.ReadFile(page)
	Expect(err).NotTo(HaveOccurred())
	var out []block
	open := false
	for i, line := range strings.Split(string(text), "\n") {
		switch {
		case strings.HasPrefix(line, "```") && !open:
			language, argument, _ := strings.Cut(strings.TrimPrefix(line, "```"), " ")
			out = append(out, block{language: language, argument: argument, at: i + 1})
			open = true
		case strings.HasPrefix(line, "```"):
			open = false
		case open:
			out[len(out)-1].lines = append(out[len(out)-1].lines, line)
		}
	}
	Expect(open).To(BeFalse(), "%s: a block is not closed", page)
	return out
}

// command is a line that begins with "$ ", and the output that the page shows below
// it: each line must be found, in this order, "…" standing for anything.
type command struct {
	text  string
	codes []int
	shows []string
	at    int
}

var exits = regexp.MustCompile(`\s+# exits (\d+)(?: or (\d+))?$`)

func commandsOf(b block) []command {
	GinkgoHelper()
	var out []command
	for i, line := range b.lines {
		if text, is := strings.CutPrefix(line, "$ "); is {
			c := command{text: text, codes: []int{0}, at: b.at + i + 1}
			if m := exits.FindStringSubmatch(text); m != nil {
				c.text, c.codes = strings.TrimSuffix(text, m[0]), nil
				for _, n := range m[1:] {
					var code int
					if _, err := fmt.Sscan(n, &code); err == nil {
						c.codes = append(c.codes, code)
					}
				}
			}
			out = append(out, c)
			continue
		}
		if strings.TrimSpace(line) != "" {
			Expect(out).NotTo(BeEmpty(), "line %d: output before a command", b.at+i+1)
			out[len(out)-1].shows = append(out[len(out)-1].shows, line)
		}
	}
	return out
}

var bin string // conform, and stand-ins for the commands of servers

var _ = BeforeSuite(func() {
	bin = GinkgoT().TempDir()
	out, err := exec.Command("go", "build", "-o", filepath.Join(bin, "conform"), "../cmd/conform").CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
	Expect(os.WriteFile(filepath.Join(bin, "node"), []byte("#!/usr/bin/env bash\nif [[ $1 == fixed-server.js ]]; then exec conform fixture --set good; fi\nexec conform fixture --set demo\n"), 0o755)).To(Succeed())
})

// pages are read before the specs are made, so that each page is one.
func pages() []string {
	found, err := filepath.Glob("*.md")
	if err != nil {
		panic(err)
	}
	return found
}

var _ = Describe("the pages", func() {
	for _, page := range pages() {
		if generated[page] {
			continue
		}
		It("of "+page+" show commands that do what they say", func() {
			set, err := fixture.Find("demo")
			Expect(err).NotTo(HaveOccurred())
			mux := http.NewServeMux()
			mux.Handle("/", fixture.Handler(set))
			mux.HandleFunc("/login-needed", func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("WWW-Authenticate", "Bearer")
				w.WriteHeader(http.StatusUnauthorized)
			})
			server := httptest.NewServer(mux)
			DeferCleanup(server.Close)
			dir := GinkgoT().TempDir()
			for _, b := range blocksOf(page) {
				switch {
				case b.language != "console" && b.argument != "":
					name := filepath.Join(dir, filepath.FromSlash(b.argument))
					Expect(os.MkdirAll(filepath.Dir(name), 0o755)).To(Succeed())
					Expect(os.WriteFile(name, []byte(strings.Join(b.lines, "\n")+"\n"), 0o644)).To(Succeed())
				case b.language == "console" && b.argument == "norun": // commands_test.go has them
				case b.language == "console":
					for _, c := range commandsOf(b) {
						c.run(page, dir, server.URL)
					}
				default:
					Expect(strings.Join(b.lines, "\n")).NotTo(MatchRegexp(`(?m)^(\$ )?conform [a-z]`), "%s:%d: commands belong into a console block", page, b.at)
				}
			}
		})

		It("of "+page+" link to what is there", func() {
			text, err := os.ReadFile(page)
			Expect(err).NotTo(HaveOccurred())
			for _, m := range regexp.MustCompile(`\]\(([^)#:]+)\)`).FindAllStringSubmatch(string(text), -1) {
				Expect(m[1]).To(Or(BeAnExistingFile(), BeADirectory()), page)
			}
			for _, m := range regexp.MustCompile("`(examples/[^`]+|scripts/[^`]+)`").FindAllStringSubmatch(string(text), -1) {
				Expect(filepath.Join("..", m[1])).To(Or(BeAnExistingFile(), BeADirectory()), page)
			}
		})
	}
})

// beforeCommand is a command line without the command of a server.
func beforeCommand(text string) string {
	before, _, _ := strings.Cut(text, " -- ")
	return before
}

func (c command) run(page, dir, url string) {
	GinkgoHelper()
	cmd := exec.Command("bash", "-c", strings.NewReplacer("http://localhost:3000/mcp", url, "http://localhost:3000/", url+"/").Replace(c.text))
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HOME=" + dir, "XDG_CACHE_HOME=" + filepath.Join(dir, "cache")}
	var all bytes.Buffer
	cmd.Stdout, cmd.Stderr = &all, &all
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		Expect(err).NotTo(HaveOccurred())
	}
	Expect(c.codes).To(ContainElement(cmd.ProcessState.ExitCode()), "%s:%d: %s\n%s", page, c.at, c.text, all.String())
	rest := all.String()
	for _, line := range c.shows {
		at := find(rest, line)
		Expect(at).NotTo(BeNil(), "%s:%d: %s\ndoes not show %q; it printed\n%s", page, c.at, c.text, line, all.String())
		rest = rest[at[1]:]
	}
}

func find(text, line string) []int {
	parts := strings.Split(strings.TrimSpace(line), "…")
	for i := range parts {
		parts[i] = regexp.QuoteMeta(parts[i])
	}
	return regexp.MustCompile(strings.Join(parts, `[^\n]*`)).FindStringIndex(text)
}
