package reports_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"unicode/utf8"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/reports"
)

var update = flag.Bool("update", false, "rewrite testdata/golden with what the writers write")

// sample is a report with one of everything, hostile text included.
func sample() *verdict.Report {
	data, err := os.ReadFile("testdata/report.json")
	Expect(err).NotTo(HaveOccurred())
	r, err := reports.Read("testdata/report.json", data)
	Expect(err).NotTo(HaveOccurred())
	return r
}

func write(format string, r *verdict.Report, o reports.Options) []byte {
	f, err := reports.Lookup(format)
	Expect(err).NotTo(HaveOccurred())
	var b bytes.Buffer
	Expect(f.Write(&b, r, o)).To(Succeed())
	return b.Bytes()
}

func golden(file string, got []byte) {
	GinkgoHelper()
	file = filepath.Join("testdata", "golden", file)
	if *update {
		Expect(os.WriteFile(file, got, 0o644)).To(Succeed())
	}
	want, err := os.ReadFile(file)
	Expect(err).NotTo(HaveOccurred(), "run the tests with -update to write it")
	Expect(string(got)).To(Equal(string(want)), "if the change is right, run the tests with -update and read the difference")
}

var _ = Describe("writers", func() {
	DescribeTable("write what their golden holds", func(format, file string, o reports.Options) {
		out := write(format, sample(), o)
		if format == "sarif" { // the list of rules grows with other packages; consumers_test.go looks at it
			out = out[bytes.Index(out, []byte(`   "automationDetails"`)):]
			out = regexp.MustCompile(`"ruleIndex": \d+`).ReplaceAll(out, []byte(`"ruleIndex": 0`))
		}
		golden(file, out)
	},
		Entry("text", "text", "text.txt", reports.Options{}),
		Entry("text, everything", "text", "text-verbose.txt", reports.Options{Verbose: true}),
		Entry("text, findings only", "text", "text-quiet.txt", reports.Options{Quiet: true}),
		Entry("text, narrow and coloured", "text", "text-color.txt", reports.Options{Width: 72, Color: true}),
		Entry("jsonl", "jsonl", "report.jsonl", reports.Options{}),
		Entry("junit", "junit", "junit.xml", reports.Options{}),
		Entry("junit that fails on less", "junit", "junit-degraded.xml", reports.Options{FailOn: verdict.Degraded}),
		Entry("sarif", "sarif", "report.sarif", reports.Options{Manifest: "server manifest.json"}),
		Entry("markdown", "markdown", "report.md", reports.Options{}),
		Entry("tap", "tap", "report.tap", reports.Options{}),
		Entry("github", "github", "github.txt", reports.Options{Manifest: "a,b.json"}),
		Entry("gitlab", "gitlab", "gitlab.json", reports.Options{}),
		Entry("badge", "badge", "badge.svg", reports.Options{}),
		Entry("shields", "shields", "shields.json", reports.Options{}),
		Entry("waivers", "waivers", "waivers.yaml", reports.Options{}),
	)

	It("write the canonical report as it was read", func() {
		want, err := os.ReadFile("testdata/report.json")
		Expect(err).NotTo(HaveOccurred())
		Expect(string(write("json", sample(), reports.Options{}))).To(Equal(string(want)))
	})

	It("cover every format by a golden", func() {
		tested := []string{"text", "json", "jsonl", "junit", "sarif", "markdown", "tap", "github", "gitlab", "badge", "shields", "waivers"}
		for _, name := range reports.Names() {
			if name != "html" { // has its own suite, in a browser
				Expect(tested).To(ContainElement(name))
			}
		}
	})

	It("give the same bytes twice", func() {
		for _, f := range reports.Formats() {
			Expect(write(f.Name, sample(), reports.Options{})).To(Equal(write(f.Name, sample(), reports.Options{})), f.Name)
		}
	})

	DescribeTable("let nothing through that a terminal or a CI log would obey", func(format string) {
		out := string(write(format, sample(), reports.Options{Verbose: true}))
		Expect(utf8.ValidString(out)).To(BeTrue())
		Expect(out).NotTo(ContainSubstring("\x1b"))
		for _, line := range strings.Split(out, "\n") {
			if strings.HasPrefix(line, "::error ") || strings.HasPrefix(line, "::warning ") || strings.HasPrefix(line, "::notice ") {
				Expect(format).To(Equal("github"))
				Expect(strings.Count(line, "::")).To(BeNumerically(">=", 2))
				continue
			}
			Expect(strings.TrimLeft(line, " \t")).NotTo(HavePrefix("::"), "a line of %s is a workflow command", format)
		}
	},
		Entry(nil, "text"), Entry(nil, "markdown"), Entry(nil, "github"), Entry(nil, "tap"), Entry(nil, "junit"),
		Entry(nil, "gitlab"), Entry(nil, "sarif"), Entry(nil, "waivers"), Entry(nil, "jsonl"), Entry(nil, "json"))

	It("keep text within its width", func() {
		for _, width := range []int{60, 80, 100, 140} {
			for _, line := range strings.Split(string(write("text", sample(), reports.Options{Width: width, Verbose: true})), "\n") {
				Expect(utf8.RuneCountInString(line)).To(BeNumerically("<=", width+1), line) // one more for an escaped "::"
			}
		}
	})
})
