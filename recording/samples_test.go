package recording_test

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// sessionOf makes a session of tools/list entries.
func sessionOf(tools ...string) *recording.Session {
	s := &recording.Session{}
	s.AddPage(recording.Page{Result: schema.MustParse(`{"tools":[` + strings.Join(tools, ",") + `]}`)})
	return s
}

// readOnly is a read-only tool with an inputSchema.
func readOnly(input string) string {
	return `{"name":"t","inputSchema":` + input + `,"annotations":{"readOnlyHint":true}}`
}

func samples(text string) *recording.SamplesFile {
	GinkgoHelper()
	f, err := recording.ReadSamples("s.yaml", []byte(text))
	Expect(err).NotTo(HaveOccurred())
	return f
}

func called(plan recording.CallPlan) (out []string) {
	for _, c := range plan.Calls {
		out = append(out, c.Tool+" "+c.Arguments.Compact())
	}
	return out
}

var _ = Describe("the plan of calls", func() {
	DescribeTable("calls a tool only with leave",
		func(tool, file string, allow []string, reason string) {
			plan := recording.Plan(sessionOf(tool), samples(file), recording.PlanOptions{AllowCalls: allow})
			Expect(plan.Tools).To(HaveLen(1))
			Expect(plan.Tools[0].Reason).To(Equal(reason))
			Expect(plan.Tools[0].Called).To(Equal(strings.HasPrefix(reason, "called")))
			Expect(len(plan.Calls) > 0).To(Equal(plan.Tools[0].Called))
		},
		Entry("read-only", readOnly(`{"type":"object"}`), "", nil, "called: readOnlyHint is true"),
		Entry("no annotation", `{"name":"t","inputSchema":{}}`, "", nil, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("not read-only", `{"name":"t","annotations":{"readOnlyHint":false}}`, "", nil, "not called: readOnlyHint is false; name it in the samples file or with --allow-calls"),
		Entry("a hint that is no boolean", `{"name":"t","annotations":{"readOnlyHint":"true"}}`, "", nil, "not called: readOnlyHint is string and no boolean; name it in the samples file or with --allow-calls"),
		Entry("allowed by pattern", `{"name":"t_get","inputSchema":{}}`, "", []string{"x*", "t_*"}, "called: --allow-calls matches it"),
		Entry("destructive and allowed by pattern", `{"name":"t","annotations":{"destructiveHint":true}}`, "", []string{"*"}, "not called: destructiveHint is true; only its name in the samples file allows it"),
		Entry("destructive and said to be read-only", `{"name":"t","annotations":{"destructiveHint":true,"readOnlyHint":true}}`, "", nil, "not called: destructiveHint is true; only its name in the samples file allows it"),
		Entry("destructive in another type", `{"name":"t","annotations":{"destructiveHint":"true","readOnlyHint":true}}`, "", []string{"*"}, "not called: destructiveHint is string and no boolean; only its name in the samples file allows it"),
		Entry("destructive as a number", `{"name":"t","annotations":{"destructiveHint":1,"readOnlyHint":true}}`, "", nil, "not called: destructiveHint is number and no boolean; only its name in the samples file allows it"),
		Entry("hints of nothing", `{"name":"t","annotations":{"destructiveHint":null,"readOnlyHint":true}}`, "", nil, "called: readOnlyHint is true"),
		Entry("destructive twice, true first", `{"name":"t","annotations":{"destructiveHint":true,"destructiveHint":false,"readOnlyHint":true}}`, "", nil, "not called: destructiveHint is true; only its name in the samples file allows it"),
		Entry("destructive twice, true last", `{"name":"t","annotations":{"destructiveHint":false,"destructiveHint":true,"readOnlyHint":true}}`, "", nil, "not called: destructiveHint is true; only its name in the samples file allows it"),
		Entry("read-only twice", `{"name":"t","annotations":{"readOnlyHint":false,"readOnlyHint":true}}`, "", nil, "not called: readOnlyHint is false; name it in the samples file or with --allow-calls"),
		Entry("annotations twice", `{"name":"t","annotations":{"destructiveHint":true},"annotations":{"readOnlyHint":true}}`, "", nil, "not called: destructiveHint is true; only its name in the samples file allows it"),
		Entry("annotations that are a list", `{"name":"t","annotations":[{"readOnlyHint":true}]}`, "", nil, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("hints beside the annotations", `{"name":"t","readOnlyHint":true}`, "", nil, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("hints in another case of letters", `{"name":"t","annotations":{"readonlyhint":true}}`, "", nil, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("a name with slashes, allowed by pattern", `{"name":"a/b/c"}`, "", []string{"a/*"}, "called: --allow-calls matches it"),
		Entry("a name with slashes, all allowed", `{"name":"a/b/c"}`, "", []string{"*"}, "called: --allow-calls matches it"),
		Entry("a pattern with another case of letters", `{"name":"Get"}`, "", []string{"get"}, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("destructive and named", `{"name":"t","annotations":{"destructiveHint":true}}`, "samples: [{tool: t}]", nil, "called: the samples file names it"),
		Entry("no annotation and named", `{"name":"t"}`, "samples: [{tool: t}]", nil, "called: the samples file names it"),
		Entry("another one named", `{"name":"t"}`, "samples: [{tool: T}]", nil, "not called: nothing marks it as read-only; name it in the samples file or with --allow-calls"),
		Entry("read-only and skipped", readOnly(`{}`), "skip: [{tool: t, reason: costs money}]", nil, "not called: the samples file skips it: costs money"),
		Entry("a task only", `{"name":"t","execution":{"taskSupport":"required"},"annotations":{"readOnlyHint":true}}`, "", nil, "not called: it can be called as a task only (execution.taskSupport)"),
		Entry("nameless", `{"inputSchema":{},"annotations":{"readOnlyHint":true}}`, "", nil, "not called: it has no name"),
		Entry("with a name that nobody can hold", `{"name":"`+strings.Repeat("n", 1<<20)+`","inputSchema":{},"annotations":{"readOnlyHint":true}}`, "", nil, "not called: its name has 1048576 bytes"),
		Entry("not even an object", `5`, "", []string{"*"}, "not called: it has no name"),
		Entry("arguments missing", readOnly(`{"properties":{"id":{"type":"string"}},"required":["id"]}`), "", nil, "not called: the required argument id has no example, default, const or enum; give it in the samples file"),
	)

	DescribeTable("makes arguments from what the schema offers, and from nothing else",
		func(input, arguments string) {
			plan := recording.Plan(sessionOf(readOnly(input)), nil, recording.PlanOptions{})
			if arguments == "" {
				Expect(plan.Calls).To(BeEmpty())
				return
			}
			Expect(called(plan)).To(Equal([]string{"t " + arguments}))
		},
		Entry("nothing required", `{"type":"object","properties":{"a":{"type":"string","default":"x"}}}`, `{}`),
		Entry("an example before a default", `{"properties":{"a":{"default":"d","examples":["e"]}},"required":["a"]}`, `{"a":"e"}`),
		Entry("default, const and enum", `{"properties":{"a":{"default":1.0},"b":{"const":"c"},"c":{"enum":[null,"x"]}},"required":["c","a","b"]}`, `{"c":"x","a":1.0,"b":"c"}`),
		Entry("an example of another type", `{"properties":{"a":{"type":"integer","examples":["many",7]}},"required":["a"]}`, `{"a":7}`),
		Entry("a default of another type", `{"properties":{"a":{"type":"string","default":null}},"required":["a"]}`, ``),
		Entry("whole examples", `{"type":"object","examples":[{"q":"x"}],"required":["q"]}`, `{"q":"x"}`),
		Entry("a reference", `{"properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"enum":["x"]}}}`, `{"a":"x"}`),
		Entry("a default beside a reference", `{"properties":{"a":{"$ref":"#/$defs/A","default":"d"}},"required":["a"],"$defs":{"A":{"type":"string"}}}`, `{"a":"d"}`),
		Entry("a circle", `{"properties":{"a":{"$ref":"#/properties/a"}},"required":["a"]}`, ``),
		Entry("a reference to elsewhere", `{"properties":{"a":{"$ref":"https://example.com/x"}},"required":["a"]}`, ``),
		Entry("a union", `{"properties":{"a":{"anyOf":[{"type":"string"},{"const":5}]}},"required":["a"]}`, `{"a":5}`),
		Entry("an object", `{"properties":{"a":{"type":"object","properties":{"b":{"enum":[1]}},"required":["b"]}},"required":["a"]}`, `{"a":{"b":1}}`),
		Entry("an object of which nothing is said", `{"properties":{"a":{"type":"object"}},"required":["a"]}`, ``),
		Entry("required by a schema in allOf", `{"properties":{"a":{"const":1}},"allOf":[{"required":["a","b"],"properties":{"b":{"default":"x"}}}]}`, `{"a":1,"b":"x"}`),
		Entry("required by a schema in allOf, and not offered", `{"properties":{"a":{"type":"string"}},"allOf":[{"required":["a"]}]}`, ``),
		Entry("an allOf that holds itself", `{"allOf":[{"$ref":"#"}],"required":["a"],"properties":{"a":{"const":1}}}`, `{"a":1}`),
		Entry("a required argument without a schema", `{"required":["a"]}`, ``),
		Entry("a schema that is none", `[1]`, `{}`),
		Entry("branches of branches", `{"properties":{"a":{"$ref":"#/$defs/A"}},"required":["a"],"$defs":{"A":{"anyOf":[`+strings.TrimSuffix(strings.Repeat(`{"$ref":"#/$defs/A"},`, 40), ",")+`]}}}`, ``),
	)

	It("sends no arguments that the inputSchema refuses", func() {
		refusal := func(_, arguments *schema.Value) string {
			if arguments.Compact() == `{"a":"x"}` {
				return "a is too short"
			}
			return ""
		}
		plan := recording.Plan(sessionOf(readOnly(`{"properties":{"a":{"default":"x"}},"required":["a"]}`)), nil, recording.PlanOptions{Refusal: refusal})
		Expect(plan.Calls).To(BeEmpty())
		Expect(plan.Tools[0].Reason).To(Equal(`not called: the inputSchema refuses the arguments that it offers, {"a":"x"}: a is too short; give others in the samples file`))
		plan = recording.Plan(sessionOf(readOnly(`{"properties":{"a":{"default":"yy"}},"required":["a"]}`)), nil, recording.PlanOptions{Refusal: refusal})
		Expect(called(plan)).To(Equal([]string{`t {"a":"yy"}`}))
	})

	It("takes several examples when asked", func() {
		tool := readOnly(`{"properties":{"a":{"enum":["x","y","z"]}},"required":["a"]}`)
		Expect(called(recording.Plan(sessionOf(tool), nil, recording.PlanOptions{PerTool: 2}))).To(Equal([]string{`t {"a":"x"}`, `t {"a":"y"}`}))
		Expect(called(recording.Plan(sessionOf(tool), nil, recording.PlanOptions{PerTool: 9}))).To(HaveLen(3))
	})

	It("samples errors of read-only tools only", func() {
		input := `{"properties":{"a":{"type":"boolean"}}}`
		options := recording.PlanOptions{SampleErrors: true, AllowCalls: []string{"*"}}
		Expect(called(recording.Plan(sessionOf(readOnly(input)), nil, options))).To(Equal([]string{`t {}`, `t {"a":{"conform":"invalid on purpose"}}`}))
		Expect(called(recording.Plan(sessionOf(`{"name":"t","inputSchema":`+input+`}`), nil, options))).To(Equal([]string{`t {}`}))
		Expect(called(recording.Plan(sessionOf(readOnly(`{}`)), nil, options))).To(Equal([]string{`t {}`}))
	})

	DescribeTable("calls none of two tools of one name of which one may not be called", func(other string, allow []string, file string, called bool) {
		for _, tools := range []string{readOnly(`{}`) + "," + other, other + "," + readOnly(`{}`)} {
			var samples *recording.SamplesFile
			if file != "" {
				var err error
				samples, err = recording.ReadSamples("s.yaml", []byte("format: conform-samples/1\n"+file))
				Expect(err).NotTo(HaveOccurred())
			}
			s := &recording.Session{}
			for _, v := range schema.MustParse("[" + tools + "]").Items {
				s.Tools = append(s.Tools, recording.NewTool(v, 0, 0))
			}
			Expect(len(recording.Plan(s, samples, recording.PlanOptions{AllowCalls: allow}).Calls) > 0).To(Equal(called))
		}
	},
		Entry("destructive", `{"name":"t","annotations":{"destructiveHint":true}}`, []string{"*"}, "", false),
		Entry("without annotations", `{"name":"t"}`, nil, "", false),
		Entry("without annotations and allowed", `{"name":"t"}`, []string{"t"}, "", true),
		Entry("destructive and named", `{"name":"t","annotations":{"destructiveHint":true}}`, nil, "samples: [{tool: t}]", true),
		Entry("read-only as well", `{"name":"t","annotations":{"readOnlyHint":true}}`, nil, "", true),
	)

	It("calls the second of two tools of one name not at all", func() {
		plan := recording.Plan(sessionOf(readOnly(`{}`), readOnly(`{}`)), nil, recording.PlanOptions{})
		Expect(plan.Calls).To(HaveLen(1))
		Expect(plan.Tools[1].Reason).To(Equal("not called: another tool before it has the same name"))
	})

	It("calls every tool of the fixture", func() {
		s := liveFixture("one-of-each", "2025-11-25").Sessions[0]
		plan := recording.Plan(s, nil, recording.PlanOptions{})
		Expect(plan.Calls).To(HaveLen(len(s.Tools)))
		Expect(plan.Requests()[0].Tool).To(Equal("hauler_status"))
	})
})

var _ = Describe("a samples file", func() {
	It("holds several calls of a tool, with arguments as they are written", func() {
		f := samples(`
format: conform-samples/1
samples:
  - tool: get
    arguments: {n: 1.0, big: 9007199254740993, s: "1", hex: 0x10, nothing: ~, when: 2026-11-30, list: [yes, true]}
    is_error: false
  - {tool: get, is_error: true}
`)
		plan := recording.Plan(sessionOf(`{"name":"get"}`), f, recording.PlanOptions{})
		Expect(called(plan)).To(Equal([]string{`get {"n":1.0,"big":9007199254740993,"s":"1","hex":16,"nothing":null,"when":"2026-11-30","list":["yes",true]}`, `get {}`}))
		Expect(*plan.Calls[0].ExpectError).To(BeFalse())
		Expect(*plan.Calls[1].ExpectError).To(BeTrue())
	})

	It("says which of its tools the server does not have", func() {
		f := samples("samples: [{tool: get_hous}, {tool: get_hous}]\nskip: [{tool: zzz}]")
		Expect(f.Unknown(sessionOf(`{"name":"get_house"}`))).To(Equal([]string{
			`the samples file names the tool "get_hous", which the server does not have (did you mean "get_house"?)`,
			`the samples file names the tool "zzz", which the server does not have`}))
	})

	DescribeTable("says what is wrong, and where",
		func(text, message string) {
			_, err := recording.ReadSamples("s.yaml", []byte(text))
			Expect(err).To(MatchError(message))
		},
		Entry(nil, "smaples: []", `s.yaml: unknown key "smaples" (did you mean "samples"?)`),
		Entry(nil, "samples: [{tool: a, args: {}}]", `s.yaml: /samples/0: unknown key "args" (known: tool, arguments, is_error)`),
		Entry(nil, "samples: [{tool: a, argument: {}}]", `s.yaml: /samples/0: unknown key "argument" (did you mean "arguments"?)`),
		Entry(nil, "samples: [{arguments: {}}]", `s.yaml: /samples/0/tool: is required and must not be empty`),
		Entry(nil, "samples: [{tool: a, arguments: []}]", `s.yaml: /samples/0/arguments: must be a mapping, is array`),
		Entry(nil, "samples: [{tool: a, is_error: maybe}]", `s.yaml: /samples/0/is_error: must be true or false, is string`),
		Entry(nil, "format: conform-samples/9", `s.yaml: /format: is "conform-samples/9", this version of conform reads "conform-samples/1"`),
		Entry(nil, "samples: [{tool: a, tool: b}]", `s.yaml: line 1: the key "tool" appears twice`),
		Entry(nil, "samples: [{tool: a, arguments: {x: .inf}}]", `s.yaml: line 1: ".inf" has no place in JSON; write it in quotes if it is a text`),
		Entry(nil, "a: [", `s.yaml: not YAML: yaml: line 1: did not find expected node content`),
		Entry("aliases that unfold to billions", "a: &a [x,x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e,*e]",
			`s.yaml: is too large once its aliases are unfolded, or nests deeper than 100 levels`),
	)

	It("is written with every tool, and reads back", func() {
		s := sessionOf(
			`{"name":"status","inputSchema":{"properties":{"a":{"enum":["x\u007fy"]}},"required":["a"]},"annotations":{"readOnlyHint":true}}`,
			`{"name":"find: it","inputSchema":{"properties":{"q # r":{"type":"string","description":"What\nto \u001b[31mfind\u001b[0m"},"n":{"type":["integer","null"]}},"required":["q # r"]},"annotations":{"readOnlyHint":true}}`,
			`{"name":"wipe","annotations":{"destructiveHint":true}}`,
			`{}`)
		text := string(recording.InitSamples(s))
		Expect(text).To(HaveSuffix(`format: conform-samples/1
samples:

  # called: readOnlyHint is true
  - tool: status
    arguments: {"a":"x\u007fy"}

  # not called: the required argument q # r has no example, default, const or enum; give it in the samples file
  # - tool: "find: it"
  #   arguments:
  #     "q # r": # string, required: What to ` + "\uFFFD[31mfind\uFFFD[0m" + `
  #     "n": # integer or null

  # not called: destructiveHint is true; only its name in the samples file allows it
  # - tool: wipe
  #   arguments: {}

  # not called: it has no name
`))
		f := samples(text)
		Expect(f.Samples).To(HaveLen(1))
		Expect(f.Samples[0].Arguments.Get("a").Text).To(Equal("x\x7fy"))
		uncommented := strings.NewReplacer("\n  # - ", "\n  - ", "\n  #   ", "\n    ").Replace(text)
		f = samples(uncommented)
		Expect(f.Samples).To(HaveLen(3))
		Expect(f.Samples[1].Tool).To(Equal("find: it"))
	})
})
