package cases_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/cases"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/recording"
)

// generated are the cases of rules that no file of a sensible size can hold.
var generated = map[string]func(name string) []byte{
	"list-large-page/wrong": func(name string) []byte { return largePage(name, 1<<20, true) },
	"list-large-page/right": func(name string) []byte { return largePage(name, 1<<19, false) },
}

func largePage(name string, size int, reports bool) []byte {
	return fmt.Appendf(nil, `{"format": "conform-case/1", "id": %q, "protocol_version": "2025-11-25",
		"tools": [{"name": "t", "description": %q, "inputSchema": {"type": "object"}}],
		"rules": [{"rule": "list-large-page", "reports": %v}]}`, name, strings.Repeat("x", size), reports)
}

// ruleCase reads cases/rules/RULE/NAME.json, or generates it.
func ruleCase(rule, name string) *recording.Case {
	GinkgoHelper()
	id := rule + "/" + name
	var data []byte
	if made := generated[id]; made != nil {
		data = made(rule + "-" + name)
	} else {
		var err error
		data, err = os.ReadFile(filepath.Join("rules", rule, name+".json"))
		Expect(err).NotTo(HaveOccurred(), "every rule has a wrong.json and a right.json in cases/rules")
	}
	c, err := recording.ReadCase(id, data)
	Expect(err).NotTo(HaveOccurred())
	return c
}

// Each rule has a case about which it reports and a near one about which it does not.
var _ = Describe("The case of each rule", Label("rules"), func() {
	for _, r := range lint.Rules() {
		It("shows what is wrong and what is right: "+r.ID, func() {
			for name, reports := range map[string]bool{"wrong": true, "right": false} {
				c := ruleCase(r.ID, name)
				Expect(c.ID).To(Equal(r.ID + "-" + name))
				Expect(c.Rules).To(ContainElement(recording.RuleExpectation{Rule: r.ID, Reports: reports}))
				for _, result := range (cases.Runner{}).Compare(c) {
					Expect(result.Agrees).To(BeTrue(), result.String())
				}
			}
		})
	}

	It("has further ones beside it that agree", func() {
		files, err := filepath.Glob("rules/*/*.json")
		Expect(err).NotTo(HaveOccurred())
		further := 0
		for _, file := range files {
			rule, name := filepath.Base(filepath.Dir(file)), strings.TrimSuffix(filepath.Base(file), ".json")
			if name == "wrong" || name == "right" {
				continue
			}
			further++
			c := ruleCase(rule, name)
			Expect(c.ID).To(Equal(rule + "-" + name))
			for _, result := range (cases.Runner{}).Compare(c) {
				Expect(result.Agrees).To(BeTrue(), result.String())
			}
		}
		Expect(further).To(BeNumerically(">", 0))
	})

	It("is that of a rule that exists", func() {
		folders, err := os.ReadDir("rules")
		Expect(err).NotTo(HaveOccurred())
		for _, f := range folders {
			Expect(lint.Find(f.Name())).NotTo(BeNil(), "cases/rules/"+f.Name())
		}
	})

	It("tells a wrong expectation and a rule that does not exist", func() {
		c := ruleCase("tool-name", "wrong")
		c.Rules = []recording.RuleExpectation{{Rule: "tool-name"}, {Rule: "no-such-rule"}}
		results := (cases.Runner{}).Compare(c)
		Expect(results).To(HaveLen(2))
		Expect(results[0].String()).To(Equal("DIFF tool-name-wrong rule tool-name: expected silent; got reports; differs in verdict"))
		Expect(results[1].Got.Reason).To(Equal("no such rule"))
		Expect(cases.Sum(results)).To(And(HaveField("Disagree", 2), HaveField("ByHost", BeEmpty())))
	})

	It("may be a recording, which a replay reads as well", func() {
		c := ruleCase("message-envelope", "wrong")
		text, err := os.ReadFile(filepath.Join("rules", "message-envelope", "wrong.json"))
		Expect(err).NotTo(HaveOccurred())
		opened, err := recording.Detect("wrong.json", bytes.TrimSpace(text), recording.Limits{})
		Expect(err).NotTo(HaveOccurred())
		Expect(opened.Capture.Sessions[0].Messages).To(HaveLen(len(c.Capture().Sessions[0].Messages)))
	})
})
