package docs_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// fronts are the pages outside of this folder; their blocks are for a reader's own
// server, so that their commands are parsed and not run.
var fronts = []string{"../README.md", "../CONTRIBUTING.md"}

var (
	inlineCode = regexp.MustCompile("`((?:go run \\./cmd/)?conform [^`]+)`")
	fenced     = regexp.MustCompile("(?ms)^```.*?^```$")
	fencedLine = regexp.MustCompile(`(?m)^(?:\$ )?((?:go run \./cmd/)?conform .*)$`)
)

// mentioned are the commands that a page names in a sentence or a table and, in
// front pages, in its blocks.
func mentioned(page string, blocks bool) []string {
	GinkgoHelper()
	data, err := os.ReadFile(page)
	Expect(err).NotTo(HaveOccurred())
	text := string(data)
	var out []string
	if blocks {
		for _, block := range fenced.FindAllString(text, -1) {
			for _, m := range fencedLine.FindAllStringSubmatch(block, -1) {
				out = append(out, m[1])
			}
		}
	}
	for _, m := range inlineCode.FindAllStringSubmatch(fenced.ReplaceAllString(text, ""), -1) {
		out = append(out, m[1])
	}
	return out
}

// parse asks conform for the help of a command line: its command and flags must
// exist. What stands for something of the reader's (FILE, …) is an argument.
func parse(line string) string {
	line = strings.Replace(line, "go run ./cmd/conform", "conform", 1)
	line, _, _ = strings.Cut(line, "  #")
	line, _, _ = strings.Cut(line, " | ")
	line = beforeCommand(line)
	var args []string
	for _, word := range strings.Fields(line)[1:] {
		if !strings.HasPrefix(word, "…") && word != "--" {
			args = append(args, strings.Trim(word, "'\""))
		}
	}
	cmd := exec.Command(filepath.Join(bin, "conform"), append(args, "--help")...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return out.String()
	}
	return ""
}

var _ = Describe("what pages say of commands", func() {
	for _, page := range append(pages(), fronts...) {
		if generated[page] {
			continue
		}
		It("is true in "+page, func() {
			front := strings.HasPrefix(page, "../")
			found := mentioned(page, front)
			for _, line := range found {
				Expect(parse(line)).To(BeEmpty(), "%s: %s", page, line)
			}
			if front {
				Expect(len(found)).To(BeNumerically(">", 5), "the search for commands has lost its grip")
			}
		})
	}

	It("is not believed blindly", func() {
		Expect(parse("conform run --no-such-flag")).To(ContainSubstring("unknown flag"))
		Expect(parse("conform nosuch x")).To(ContainSubstring("no command"))
		Expect(parse("go run ./cmd/conform run --demo --host cursor")).To(BeEmpty())
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
