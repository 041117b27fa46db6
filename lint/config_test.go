package lint_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
)

var _ = Describe("the section lint of conform.yaml", func() {
	read := func(text string) *lint.Config {
		GinkgoHelper()
		c, err := lint.ReadConfig([]byte(text))
		Expect(err).NotTo(HaveOccurred())
		return c
	}
	undescribed := list(d, tool(`"title":"T"`))

	It("may be absent", func() {
		Expect(read("")).To(Equal(&lint.Config{}))
		Expect(read("hosts: [a]\n")).To(Equal(&lint.Config{}))
		Expect(read("lint:\n")).To(Equal(&lint.Config{}))
	})

	It("switches rules off and sets severities", func() {
		Expect(reported(undescribed, lint.Input{})).To(ContainElement("tool-description"))
		Expect(reported(undescribed, lint.Input{Config: read("lint:\n  rules:\n    tool-description: off\n")})).NotTo(ContainElement("tool-description"))
		advice := lint.Run(undescribed, lint.Input{Config: read("lint:\n  rules:\n    tool-description: error\n")}).Advice
		Expect(advice).To(ContainElement(HaveField("Severity", verdict.Error)))
	})

	It("lets a rule be silent about tools", func() {
		Expect(reported(undescribed, lint.Input{Config: read("lint:\n  allow:\n    tool-description: [\"t*\"]\n")})).NotTo(ContainElement("tool-description"))
		Expect(reported(undescribed, lint.Input{Config: read("lint:\n  allow:\n    tool-description: [u]\n")})).To(ContainElement("tool-description"))
	})

	It("chooses strict portability, or one strict rule", func() {
		Expect(reported(undescribed, lint.Input{})).NotTo(ContainElement("portable-dialect-tag"))
		Expect(reported(undescribed, lint.Input{Config: read("lint:\n  portability: strict\n")})).To(ContainElement("portable-dialect-tag"))
		Expect(reported(undescribed, lint.Input{Config: read("lint:\n  rules: {portable-dialect-tag: on}\n")})).To(ContainElement("portable-dialect-tag"))
	})

	It("names the formats that pass", func() {
		uri := list(d, input(`"properties":{"x":{"type":"string","description":"X.","format":"uri"}}`))
		Expect(reported(uri, lint.Input{})).To(ContainElement("portable-format"))
		Expect(reported(uri, lint.Input{Config: read("lint:\n  formats: [uri]\n")})).NotTo(ContainElement("portable-format"))
	})

	DescribeTable("refuses what it does not know, with the nearest that it does", func(text, message string) {
		_, err := lint.ReadConfig([]byte(text))
		Expect(err).To(MatchError(message))
	},
		Entry("a key", "lint:\n  portabilty: strict\n", `line 2: lint: unknown key "portabilty"; did you mean "portability"?`),
		Entry("a rule", "lint:\n  rules:\n    tool-nam: off\n", `line 3: lint: unknown rule "tool-nam"; did you mean "tool-name"?`),
		Entry("a rule that is allowed", "lint:\n  allow:\n    capped-lists: [x]\n", `line 3: lint: unknown rule "capped-lists"; did you mean "capped-list"?`),
		Entry("a setting", "lint:\n  rules:\n    tool-name: warn\n", `line 3: lint: unknown setting "warn"; did you mean "warning"?`),
		Entry("a setting that is like none", "lint:\n  rules:\n    tool-name: loud\n", `line 3: lint: unknown setting "loud"; there are on, off, error, warning, info`),
		Entry("a mode", "lint:\n  portability: strickt\n", `line 2: lint: unknown portability "strickt"; did you mean "strict"?`),
		Entry("a pattern", "lint:\n  allow:\n    tool-name: [\"[\"]\n", `line 3: lint: "[" is no pattern: syntax error in pattern`),
		Entry("formats that are no list", "lint:\n  formats: uri\n", `line 2: lint: formats is a list, as in formats: [date-time, uri]`),
		Entry("a format with a letter too many", "lint:\n  formats: [date-time, urii]\n", `line 2: lint: unknown format "urii"; did you mean "uri"?`),
		Entry("a format with other separators", "lint:\n  formats: [date_time]\n", `line 2: lint: unknown format "date_time"; did you mean "date-time"?`),
		Entry("a rule that is set to a list", "lint:\n  rules:\n    tool-name: [off]\n", `line 3: lint: rules: tool-name is one word; there are on, off, error, warning, info`),
		Entry("rules in a list", "lint:\n  rules: [tool-name]\n", `line 2: lint: rules is a mapping whose keys are ids of rules`),
		Entry("a tool that is allowed without a list", "lint:\n  allow:\n    tool-name: t\n", `line 3: lint: allow: tool-name is a list of tools or patterns, as in tool-name: [list_*]`),
		Entry("a mode that is a list", "lint:\n  portability: [strict]\n", `line 2: lint: portability is one word: default or strict`),
		Entry("a list", "lint: [x]\n", `line 1: lint: is no mapping of portability, rules, allow and formats`),
	)

	It("takes formats that somebody invented", func() {
		Expect(read("lint:\n  formats: [uri, x-yard-bay]\n").Formats).To(Equal([]string{"uri", "x-yard-bay"}))
	})

	It("tells entries of the allow-lists that are about no tool", func() {
		c := read("lint:\n  allow:\n    tool-name: [haul_list, \"list_*\"]\n    capped-list: [haul_lst]\n")
		Expect(c.Unmatched([]string{"haul_list"})).To(ConsistOf(
			`lint: allow: tool-name: "list_*" is no tool of this server`,
			`lint: allow: capped-list: "haul_lst" is no tool of this server; did you mean "haul_list"?`))
		Expect((*lint.Config)(nil).Unmatched(nil)).To(BeEmpty())
	})

	It("names the hosts of the run that a portability rule stands for, and is silent without one", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		uri := list(d, input(`"properties":{"x":{"type":"string","description":"X.","format":"uri"}}`))
		var hit, missed []*capabilities.Resolved
		for _, h := range table.Hosts() {
			r, err := table.Resolve(h.ID)
			Expect(err).NotTo(HaveOccurred())
			if lint.Find("portable-format").Stands(r) {
				hit = append(hit, r)
			} else {
				missed = append(missed, r)
			}
		}
		Expect(hit).NotTo(BeEmpty())
		Expect(reported(uri, lint.Input{Hosts: missed})).NotTo(ContainElement("portable-format"))
		Expect(lint.Run(uri, lint.Input{Hosts: hit[:1]}).Advice).To(ContainElement(HaveField("Message", HaveSuffix("("+hit[0].ID+")"))))
	})
})

var _ = Describe("a refused batch", func() {
	refused := func(asked string) *recording.Capture {
		s := said(b, `>[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, `<{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"Invalid Request"}}`)
		s.Requested = asked
		return capture(s)
	}
	severity := func(asked string, config *lint.Config) verdict.Severity {
		for _, a := range lint.Run(refused(asked), lint.Input{Config: config}).Advice {
			if a.Rule == "message-batch-refused" {
				return a.Severity
			}
		}
		return ""
	}

	DescribeTable("weighs", func(asked string, config *lint.Config, want verdict.Severity) {
		Expect(severity(asked, config)).To(Equal(want))
	},
		Entry("nothing where 2025-03-26 was asked for: clients ask for the newest", b, nil, verdict.Info),
		Entry("as the MUST that it is where a server answers with 2025-03-26 to a newer one", d, nil, verdict.Error),
		Entry("as the MUST that it is in strict mode", b, &lint.Config{Portability: lint.PortabilityStrict}, verdict.Error),
	)
})
