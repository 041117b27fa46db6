//go:build integration && linux

package integration

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// maxHostileCPU is the bar for a run on one hostile schema in every host of the table:
// the dearest one of the list took 6.1 s on 2026-12-01, most under three. It leaves room for
// a slow machine, and none for a column that pays a validator's limits by itself.
const maxHostileCPU = 10 * time.Second

// listed joins n texts by commas.
func listed(n int, text func(i int) string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(text(i))
	}
	return b.String()
}

// fan is a schema of n levels, each of which asks the next one twice.
func fan(n int, keyword string) string {
	return fmt.Sprintf(`{"$ref":"#/$defs/d0"}},"$defs":{%s,"d%d":{"type":"string"}}}`, listed(n, func(i int) string {
		return fmt.Sprintf(`"d%d":{"%s":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]}`, i, keyword, i+1, i+1)
	}), n)
}

var _ = Describe("A server with a hostile outputSchema", func() {
	runaway := `"` + strings.Repeat("a", 60) + `!"`
	// schema is what stands for the member a and what follows it, to the end.
	DescribeTable("is looked at in every host within bounds, and its good tool with it",
		func(ctx SpecContext, schema, instance string) {
			if !strings.Contains(schema, `"$defs"`) {
				schema += "}}"
			}
			file := filepath.Join(GinkgoT().TempDir(), "case.json")
			report := filepath.Join(GinkgoT().TempDir(), "report.json")
			text := `{"format":"conform-case/1","id":"hostile","family":"result","title":"t","protocol_version":"2025-11-25","server":{"name":"s","version":"1"},"tools":[` +
				`{"name":"bad","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":` + schema + `},` +
				`{"name":"good","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}],"results":[` +
				`{"tool":"bad","arguments":{},"result":{"content":[],"structuredContent":{"a":` + instance + `}}},` +
				`{"tool":"good","arguments":{},"result":{"content":[{"type":"text","text":"{\"n\":1}"}],"structuredContent":{"n":1}}}],"expect":[]}`
			Expect(os.WriteFile(file, []byte(text), 0o600)).To(Succeed())
			limited, cancel := context.WithTimeout(ctx, 10*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(limited, binary, "run", "--replay", file, "--host", "all", "--format", "json="+report)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			_ = cmd.Run()
			Expect(cmd.ProcessState.ExitCode()).To(BeElementOf(0, 1, 3), stderr.String())
			used := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
			resident := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
			GinkgoWriter.Printf("%v CPU, %d MB\n", used, resident>>20)
			Expect(used).To(BeNumerically("<", maxHostileCPU))
			Expect(resident).To(BeNumerically("<", maxResident))
			var r verdict.Report
			written, err := os.ReadFile(report)
			Expect(err).NotTo(HaveOccurred())
			Expect(json.Unmarshal(written, &r)).To(Succeed())
			for _, c := range r.Cells {
				if c.Tool == "good" && c.Verdict == verdict.Unknown {
					Expect(c.Findings).NotTo(ContainElement(HaveField("Rule", "result-undecided")), c.Host)
				}
			}
		},
		Entry("a pattern that runs away", `{"type":"string","pattern":"^(a+)+$"}`, runaway),
		Entry("one with vast counts", `{"type":"string","pattern":"^((a{0,1000}){0,1000}){0,1000}$"}`, runaway),
		Entry("one in a thousand items", `{"items":{"type":"string","pattern":"^(a+)+$"}}`, "["+listed(1000, func(int) string { return runaway })+"]"),
		Entry("one for the names of members", `{"propertyNames":{"pattern":"^(a+)+$"}}`, `{`+runaway+`:1}`),
		Entry("one that names members", `{"patternProperties":{"^(a+)+$":{"type":"string"}}}`, `{`+runaway+`:1}`),
		Entry("a fan of allOf", fan(40, "allOf"), `"x"`),
		Entry("a fan of anyOf", fan(40, "anyOf"), `1`),
		Entry("unions that all fail, level by level", `{"$ref":"#/$defs/t"}},"$defs":{"t":{"anyOf":[`+
			listed(3, func(i int) string {
				return fmt.Sprintf(`{"type":"object","properties":{"c":{"$ref":"#/$defs/t"},"k":{"const":%d}},"required":["k"]}`, i)
			})+`]}}}`,
			strings.Repeat(`{"k":9,"c":`, 60)+"1"+strings.Repeat("}", 60)),
		Entry("20,000 objects that must be unique", `{"uniqueItems":true}`, "["+listed(20_000, func(i int) string { return fmt.Sprintf(`{"a":[%d,2],"b":{"c":%d}}`, i, i) })+"]"),
		Entry("thousands of enumerated objects", `{"items":{"enum":[`+listed(5000, func(i int) string { return fmt.Sprintf(`{"k":%d}`, i) })+`]}}`, "["+listed(2000, func(i int) string { return fmt.Sprintf(`{"k":-%d}`, i+1) })+"]"),
		Entry("numbers of a million digits", `{"type":"integer","multipleOf":`+strings.Repeat("3", 1_000_000)+`}`, strings.Repeat("7", 1_000_000)),
		Entry("3,000 members under 3,000 patterns", `{"patternProperties":{`+listed(3000, func(i int) string { return fmt.Sprintf(`"^k%d.*$":{"type":"string"}`, i) })+`}}`,
			`{`+listed(3000, func(i int) string { return fmt.Sprintf(`"q%d":1`, i) })+`}`),
		Entry("a text of 10 MB", `{"type":"string","maxLength":5,"format":"date-time"}`, `"`+strings.Repeat("x", 10<<20)+`"`),
		Entry("50,000 items that are none", `{"items":{"anyOf":[{"type":"string"},{"const":3.5}]}}`, "["+listed(50_000, func(i int) string { return fmt.Sprint(i) })+"]"),
		Entry("a chain of 5,000 definitions", `{"$ref":"#/$defs/d0"}},"$defs":{`+listed(5000, func(i int) string { return fmt.Sprintf(`"d%d":{"$ref":"#/$defs/d%d"}`, i, i+1) })+`,"d5000":{"type":"string"}}}`, "1"),
		Entry("a nest of 60 unevaluatedItems", strings.Repeat(`{"unevaluatedItems":false,"anyOf":[`, 60)+`{"prefixItems":[{"type":"integer"}]}`+strings.Repeat(`]}`, 60), "["+listed(200, func(i int) string { return fmt.Sprint(i) })+"]"),
		Entry("100,000 required members", `{"required":[`+listed(100_000, func(i int) string { return fmt.Sprintf(`"r%d"`, i) })+`]}`, `{}`),
		Entry("a reference of a million steps", `{"$ref":"#`+strings.Repeat("/a", 1_000_000)+`"}`, `1`),
		Entry("numbers beyond a double", `{"type":"integer","multipleOf":7,"maximum":1e999999999}`, "1e999999999"),
	)
})
