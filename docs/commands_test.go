package docs_test

import (
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// fronts are the pages outside of this folder.
var fronts = []string{"../README.md", "../CONTRIBUTING.md"}

// notRun are the commands of all pages that this test does not run, and why not. What
// they name (a script, packages, a command of conform with its flags) must exist all
// the same. Every other command is run.
var notRun = map[string]string{
	"go test ./...":                 "it is what runs this test",
	"bash .ci/run":                  "it runs this test",
	"go test ./reports/... -update": "it rewrites the golden files",
	"go test -bench . -run '^$' ./matrix ./validators/... ./wire":             "it measures for minutes",
	"go test -run '^$' -bench . -benchmem ./matrix":                           "it measures for minutes",
	"go test ./wire -run xxx -bench Capture":                                  "it measures for minutes",
	"go test ./cases":                                                         "go test ./... runs it",
	"go test ./examples":                                                      "go test ./... runs it",
	"go test ./validators/... -v":                                             "go test ./... runs it",
	"go test ./validators/all":                                                "go test ./... runs it",
	"go test -tags integration ./integration -ginkgo.focus 2,900":             "it needs the further corpus and minutes",
	"go test -tags integration ./integration -ginkgo.focus hostile":           "it needs npm and minutes",
	"scripts/integration.sh":                                                  "it needs npm and PyPI; .ci/run runs it",
	"scripts/lint-ci.sh":                                                      "it needs PyPI and the Go proxy; .ci/run runs it",
	"validators/oracle/speed.sh":                                              "it needs npm and measures for minutes",
	"validators/oracle/install.sh && go run ./validators/oracle/regen":        "it needs npm, PyPI and Maven; .ci/run runs it",
	"validators/oracle/install.sh && go run ./validators/oracle/regen -check": "it needs npm, PyPI and Maven; .ci/run runs it",
	"go run ./validators/oracle/fuzz -n 10000 -seed 1":                        "it needs the real libraries",
	"conform cases ../shared/corpus/cases":                                    "it needs the further corpus",
	"scripts/browser.sh":                                                      "it needs Chromium; the workflow ci.yml runs it",
	"scripts/consumers.sh":                                                    "it needs npm and PyPI; .ci/run runs it",
	"scripts/lab-twice.sh":                                                    "it needs npm and hours",
	"scripts/lab-nightly.sh":                                                  "it needs npm and hours; the workflow nightly.yml runs it",
	"go test ./docs":                                                          "it is this test",
	"conform lab install …":                                                   "it needs npm; scripts/lab-ci.sh does it",
	"conform lab run …":                                                       "it needs npm, or the host's own program; scripts/lab-ci.sh does it",
	"conform record --proxy":                                                  "it names a mode, which the blocks of the page run",
	"validators/oracle/generators/hints/run.sh":                               "it needs npm and PyPI",
	"go run ./rewrite/witness/internal/measure -oracle":                       "it needs the real libraries and the further corpus",
	"go run ./rewrite/internal/measure":                                       "it needs the further corpus",
}

// excepted is the entry of notRun that a command falls under, "" for none.
func excepted(line string) string {
	if notRun[line] != "" {
		return line
	}
	for entry := range notRun {
		if start, any := strings.CutSuffix(entry, "…"); any && strings.HasPrefix(line, start) {
			return entry
		}
	}
	return ""
}

// endless are the beginnings of commands that only Ctrl-C ends, and what they print once they do
// what they are for.
var endless = map[string]string{
	"conform run --watch":             "watching",
	"conform record --proxy --listen": "127.0.0.1:",
	"conform lab serve":               "open http://",
}

// logins are commands that a person with a browser ends.
func login(page, line string) bool {
	return page == "oauth.md" && (strings.HasSuffix(line, "https://example.com/mcp") && !strings.HasPrefix(line, "conform record") || strings.Contains(line, "--redirect-port"))
}

var (
	commandStart = `(?:go (?:run|test|install) |bash |conform |scripts/[a-z-]+\.sh|validators/oracle/[a-z/]+\.sh)`
	inlineCode   = regexp.MustCompile("`(" + commandStart + "[^`]*)`")
	fenced       = regexp.MustCompile("(?ms)^```.*?^```$")
	fencedLine   = regexp.MustCompile(`(?m)^(?:\$ )?(` + commandStart + `.*)$`)
	// nameOnly is a command that a sentence speaks of, without anything to run it on.
	nameOnly = regexp.MustCompile(`^conform( [a-z]+)+$`)
)

// commandsNamed are the commands of a page outside of the console blocks that
// docs_test.go runs: in sentences and tables, in blocks marked norun and, of front
// pages, in all blocks but those that show output.
func commandsNamed(page string) []string {
	GinkgoHelper()
	data, err := os.ReadFile(page)
	Expect(err).NotTo(HaveOccurred())
	text := string(data)
	var out []string
	add := func(line string) {
		line = strings.TrimSpace(regexp.MustCompile(`  +#.*$`).ReplaceAllString(strings.ReplaceAll(line, "\n", " "), ""))
		if !slices.Contains(out, line) {
			out = append(out, line)
		}
	}
	for _, block := range fenced.FindAllString(text, -1) {
		front := strings.HasPrefix(page, "../") && (strings.HasPrefix(block, "```sh") || strings.HasPrefix(block, "```bash"))
		if front || strings.HasPrefix(block, "```console norun") {
			for _, m := range fencedLine.FindAllStringSubmatch(block, -1) {
				add(m[1])
			}
		}
	}
	for _, m := range inlineCode.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		add(m[1])
	}
	return out
}

// exists says what of a command that is not run does not exist; "" when all does.
func exists(line string) string {
	words := strings.Fields(line)
	switch {
	case words[0] == "conform":
		return parse(line)
	case words[0] == "go":
		for _, word := range words[2:] {
			if strings.HasPrefix(word, "./") {
				if out, err := exec.Command("go", "list", "-tags", "integration", "../"+word).CombinedOutput(); err != nil {
					return string(out)
				}
			}
		}
		return ""
	}
	for _, word := range words {
		if strings.HasSuffix(word, ".sh") || word == ".ci/run" {
			if _, err := os.Stat(filepath.Join("..", word)); err != nil {
				return err.Error()
			}
		}
	}
	return ""
}

// parse asks conform for the help of a command line: its command and flags must exist.
func parse(line string) string {
	var args []string
	for _, word := range strings.Fields(beforeCommand(line))[1:] {
		args = append(args, strings.Trim(word, "'\""))
	}
	out, err := exec.Command(filepath.Join(bin, "conform"), append(args, "--help")...).CombinedOutput()
	if err != nil {
		return string(out)
	}
	return ""
}

// everyPage is all pages with commands for readers.
func everyPage() []string {
	return slices.DeleteFunc(append(pages(), fronts...), func(page string) bool { return generated[page] })
}

var _ = Describe("what pages say of commands", func() {
	for _, page := range everyPage() {
		It("is true in "+page, func() {
			found := commandsNamed(page)
			if strings.HasPrefix(page, "../") {
				Expect(len(found)).To(BeNumerically(">", 5), "the search for commands has lost its grip")
			}
			if len(found) == 0 {
				return
			}
			s := newScene()
			for _, line := range found {
				if nameOnly.MatchString(line) || excepted(line) != "" {
					Expect(exists(line)).To(BeEmpty(), "%s: %s", page, line)
					continue
				}
				code, out := s.try(page, line)
				Expect([]int{0, 1, 130}).To(ContainElement(code), "%s: %s\nran as %s\n%s", page, line, s.fill(page, line), out)
				if code == 1 {
					Expect(out).NotTo(ContainSubstring("panic"), line)
				}
			}
		})
	}

	It("leaves out nothing that no page names", func() {
		named := map[string]bool{}
		for _, page := range everyPage() {
			for _, line := range commandsNamed(page) {
				named[excepted(line)] = true
			}
		}
		for _, line := range slices.Sorted(maps.Keys(notRun)) {
			Expect(named).To(HaveKey(line), "no page names it any more")
		}
	})

	It("claims of .ci/run only what it does", func() {
		ci, err := os.ReadFile("../.ci/run")
		Expect(err).NotTo(HaveOccurred())
		for line, why := range notRun {
			script := strings.Fields(line)[0]
			if strings.Contains(why, ".ci/run runs it") {
				Expect(string(ci)).To(ContainSubstring(script), line)
			}
		}
	})

	It("is not believed blindly", func() {
		Expect(parse("conform run --no-such-flag")).To(ContainSubstring("unknown flag"))
		Expect(parse("conform nosuch x")).To(ContainSubstring("no command"))
		Expect(exists("go test ./nosuch")).NotTo(BeEmpty())
		Expect(exists("scripts/nosuch.sh")).NotTo(BeEmpty())
	})

	It("is what the demo shows, where the README shows it", func() {
		for _, b := range blocksOf("../README.md") {
			if len(b.lines) == 0 || !strings.HasPrefix(b.lines[0], "$ ") {
				continue
			}
			for _, c := range commandsOf(b) {
				c.text = strings.Replace(c.text, "go run ./cmd/conform", "conform", 1)
				c.run("../README.md", GinkgoT().TempDir(), "")
				Expect(c.shows).NotTo(BeEmpty())
			}
		}
	})
})

// try runs a line as its page means it.
func (s *scene) try(page, line string) (int, string) {
	GinkgoHelper()
	filled := s.fill(page, line)
	if line == "conform run --quiet" { // what the hook runs, in a repository that is set up
		filled = "mkdir hook && cd hook && conform init -- node server.js && conform run --quiet"
	}
	if login(page, line) {
		return s.runLogin(filled)
	}
	for start, text := range endless {
		if strings.HasPrefix(line, start) {
			return s.runUntil(filled, text)
		}
	}
	return s.run(filled)
}
