package rewrite_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/rewrite"
	"github.com/hostmatrix/conform/schema"
)

// What --format patch prints must be taken by the programs that people use, and give
// the definition that was verified.
var _ = DescribeTable("a patch is taken", func(program string, arguments ...string) {
	if _, err := exec.LookPath(program); err != nil {
		Skip(program + " is not installed")
	}
	applied := 0
	for n, document := range everything() {
		before := schema.MustParse(toolWith(`{}`)).With("outputSchema", document).With("description", schema.Str("an \"odd\" \\ text,\r\nwith lines é\u2028\u0001"))
		for _, r := range rewrite.Rewrites() {
			part := r.Part
			if part == "" {
				part = rewrite.Output
			}
			steps := []rewrite.Step{{Rewrite: r.Name, Part: part}}
			after, changed := rewrite.Apply(before, steps)
			if !changed || (n+applied)%9 != 0 && applied > 40 { // a program runs for each
				continue
			}
			plan := rewrite.Plan{Tool: "t", Before: before, After: after, Steps: steps}
			dir := GinkgoT().TempDir()
			file := filepath.Join(dir, "tools", "t.json")
			Expect(os.MkdirAll(filepath.Dir(file), 0o755)).To(Succeed())
			Expect(os.WriteFile(file, schema.Append(nil, before, schema.Style{Indent: "  "}), 0o644)).To(Succeed())
			data, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			if !strings.HasSuffix(string(data), "\n") { // as jq writes it
				Expect(os.WriteFile(file, append(data, '\n'), 0o644)).To(Succeed())
			}
			cmd := exec.Command(program, arguments...)
			cmd.Dir, cmd.Stdin = dir, strings.NewReader(plan.Patch())
			out, err := cmd.CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), "%s of %s: %s\n%s", r.Name, document.Compact(), out, plan.Patch())
			data, err = os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			got, err := schema.ParseString(string(data))
			Expect(err).NotTo(HaveOccurred())
			Expect(got.Compact()).To(Equal(after.Compact()))
			applied++
		}
	}
	Expect(applied).To(BeNumerically(">", 40))
},
	Entry("by git apply", "git", "apply", "-"),
	Entry("by patch", "patch", "-p1", "--silent"),
)
