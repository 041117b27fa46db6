package main

import (
	"bytes"
	"context"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// completions is what a shell is told for a command line whose last word is being
// typed.
func completions(words ...string) []string {
	GinkgoHelper()
	var out, errs bytes.Buffer
	Expect(execute(context.Background(), append([]string{cobra.ShellCompRequestCmd}, words...), strings.NewReader(""), &out, &errs)).To(BeZero(), errs.String())
	var found []string
	for _, line := range strings.Split(out.String(), "\n") {
		if word, _, _ := strings.Cut(line, "\t"); word != "" && !strings.HasPrefix(word, ":") {
			found = append(found, word)
		}
	}
	return found
}

var _ = Describe("completion", func() {
	DescribeTable("knows the words", func(want string, words ...string) {
		Expect(completions(words...)).To(ContainElement(want))
	},
		Entry(nil, "degraded", "run", "--fail-on", ""),
		Entry(nil, "observed", "run", "--min-basis", ""),
		Entry(nil, "2026-07-28", "record", "--protocol", ""),
		Entry(nil, "markdown", "diff", "--format", ""),
		Entry(nil, "json", "caps", "stats", "--format", ""),
		Entry(nil, "patch", "fix", "--format", ""),
		Entry(nil, "unknown", "baseline", "write", "--fail-on", ""),
		Entry(nil, "one-of-each", "fixture", "--set", ""),
		Entry(nil, "cursor", "run", "--from", ""),
		Entry(nil, "codex,cursor", "cases", "--host", "codex,"),
		Entry(nil, "t@codex", "run", "--show-offered", "t@"),
		Entry(nil, "baseline", "help", ""),
		Entry(nil, "prune", "help", "baseline", ""),
	)

	It("takes the tools of a recording for --show-offered", func() {
		Expect(completions("run", "--replay", "../../cases/corpus/witness/app-only.json", "--show-offered", "")).To(And(Not(BeEmpty()), HaveEach(HaveSuffix("@"))))
	})

	It("has the words of every flag whose help lists them", func() {
		a := &app{}
		listed := 0
		var walk func(cmd *cobra.Command)
		walk = func(cmd *cobra.Command) {
			for _, sub := range cmd.Commands() {
				walk(sub)
			}
			cmd.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
				Expect(f.Usage).NotTo(ContainSubstring("`"), "%s --%s: the help shows what stands between them as the kind of value", cmd.CommandPath(), f.Name)
				for _, word := range []string{" or json", "breaks, degraded", "reported, "} {
					if strings.Contains(f.Usage, word) {
						_, done := cmd.GetFlagCompletionFunc(f.Name)
						Expect(done).To(BeTrue(), "%s --%s", cmd.CommandPath(), f.Name)
						listed++
					}
				}
			})
		}
		walk(a.root())
		Expect(listed).To(BeNumerically(">", 15))
	})
})
