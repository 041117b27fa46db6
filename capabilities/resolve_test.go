package capabilities_test

import (
	"fmt"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

// row builds a capability file with evidence "seen" (observed), "read" (source)
// and "said" (reported).
func row(id, rest string) *fstest.MapFile {
	return &fstest.MapFile{Data: []byte(fmt.Sprintf(`{"format":"conform-host/1","id":%q,"name":"N","kind":"host",%s,
		"evidence":{"seen":{"basis":"observed","version":"2.0","date":"2026-11-30"},
		"read":{"basis":"source","version":"1.5"},"said":{"basis":"reported"}}}`, id, rest))}
}

func load(files fstest.MapFS) *capabilities.Table {
	GinkgoHelper()
	t, err := capabilities.Load(files)
	Expect(err).NotTo(HaveOccurred())
	return t
}

func resolve(t *capabilities.Table, spec string) *capabilities.Resolved {
	GinkgoHelper()
	r, err := t.Resolve(spec)
	Expect(err).NotTo(HaveOccurred())
	return r
}

const surfaces = `"claims":{"view.surface":[
	{"since":"1.0","until":"2.0","value":{"prefers":"content"},"evidence":["read"]},
	{"since":"2.0","value":{"prefers":"structured"},"evidence":["seen","said"]}]}`

var _ = Describe("Resolving a host", func() {
	It("takes the newest version that any evidence names", func() {
		r := resolve(load(fstest.MapFS{"a.json": row("a", surfaces)}), "a")
		Expect(r.Version).To(Equal("2.0"))
		v, f := capabilities.Get[capabilities.Surface](r, "view.surface")
		Expect(v.Prefers).To(Equal("structured"))
		Expect(f.Basis).To(Equal(capabilities.Observed), "the strongest piece of evidence counts")
	})

	It("picks the claim whose half-open range holds the version", func() {
		t := load(fstest.MapFS{"a.json": row("a", surfaces)})
		for spec, want := range map[string]string{"a@1.0": "content", "a@1.9.9": "content", "a@2.0": "structured", "a@7": "structured"} {
			v, _ := capabilities.Get[capabilities.Surface](resolve(t, spec), "view.surface")
			Expect(v.Prefers).To(Equal(want), spec)
		}
	})

	It("lowers the basis of an open range for a version newer than every known one, and says so", func() {
		r := resolve(load(fstest.MapFS{"a.json": row("a", surfaces)}), "a@7")
		v, f := capabilities.Get[capabilities.Surface](r, "view.surface")
		Expect(v.Prefers).To(Equal("structured"))
		Expect(f.Basis).To(Equal(capabilities.Inferred))
		Expect(f.Note).To(Equal("a 7 is newer than every version the table knows; what 2.0 does is taken"))
	})

	It("gives the nearest claim with lowered basis and a note outside every range", func() {
		r := resolve(load(fstest.MapFS{"a.json": row("a", surfaces)}), "a@0.5")
		v, f := capabilities.Get[capabilities.Surface](r, "view.surface")
		Expect(v.Prefers).To(Equal("content"))
		Expect(f.Basis).To(Equal(capabilities.Inferred))
		Expect(f.Note).To(ContainSubstring("no claim covers a 0.5"))
	})

	It("keeps contradicting claims side by side", func() {
		r := resolve(load(fstest.MapFS{"a.json": row("a", `"claims":{"view.surface":[
			{"value":{"prefers":"content"},"evidence":["read"]},{"value":{"prefers":"structured"},"evidence":["said"]}]}`)}), "a")
		_, f := capabilities.Get[capabilities.Surface](r, "view.surface")
		Expect(f.Conflict).NotTo(BeNil())
	})

	It("asks the layers for what the host does not claim, and caps the basis by what shows the layer", func() {
		files := fstest.MapFS{
			"base.json":  row("base", surfaces),
			"shown.json": row("shown", `"layers":["base"],"claims":{"layers":[{"value":["base"],"evidence":["said"]}]}`),
			"bare.json":  row("bare", `"layers":["base@1.0"],"claims":{}`),
		}
		t := load(files)
		v, f := capabilities.Get[capabilities.Surface](resolve(t, "shown"), "view.surface")
		Expect(v.Prefers).To(Equal("structured"))
		Expect(f.Basis).To(Equal(capabilities.Reported))
		Expect(f.From.ID).To(Equal("base"))
		v, f = capabilities.Get[capabilities.Surface](resolve(t, "bare"), "view.surface")
		Expect(v.Prefers).To(Equal("content"), "the layer is pinned at 1.0")
		Expect(f.Basis).To(Equal(capabilities.Inferred))
	})

	It("lets a mode override the host", func() {
		t := load(fstest.MapFS{"a.json": row("a", surfaces+`,"modes":{"code":{"name":"M","claims":{"view.surface":[{"value":{"prefers":"raw"},"evidence":["seen"]}]}}}`)})
		r := resolve(t, "a:code")
		v, _ := capabilities.Get[capabilities.Surface](r, "view.surface")
		Expect(v.Prefers).To(Equal("raw"))
		Expect(r.ID).To(Equal("a:code"))
		_, err := t.Resolve("a:cod")
		Expect(err).To(MatchError(ContainSubstring("it has code")))
	})

	It("names the nearest host for a slip", func() {
		_, err := load(fstest.MapFS{"gadget.json": row("gadget", surfaces)}).Resolve("gadgt")
		Expect(err).To(MatchError(ContainSubstring(`did you mean "gadget"?`)))
	})

	It("says nothing about what nobody claims", func() {
		r := resolve(load(fstest.MapFS{"a.json": row("a", surfaces)}), "a")
		Expect(r.Find("result.validator")).To(BeNil())
		Expect(r.Modelled()).To(Equal([]string{"view"}))
	})
})

var _ = DescribeTable("refusing a faulty file",
	func(file, message string) {
		_, err := capabilities.Decode("a.json", []byte(file))
		Expect(err).To(MatchError(ContainSubstring(message)))
	},
	Entry("unknown key", `{"format":"conform-host/1","id":"a","nme":"x","claims":{},"evidence":{}}`, `unknown key "nme"; did you mean "name"?`),
	Entry("unknown claim", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surfac":[]},"evidence":{}}`, `did you mean "view.surface"?`),
	Entry("unknown key in a value", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surface":[{"value":{"prefer":"raw"},"evidence":["e"]}]},"evidence":{"e":{"basis":"observed"}}}`, `did you mean "prefers"?`),
	Entry("no evidence", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surface":[{"value":{"prefers":"raw"},"evidence":[]}]},"evidence":{}}`, "no evidence"),
	Entry("evidence that is not listed", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surface":[{"value":{"prefers":"raw"},"evidence":["e"]}]},"evidence":{}}`, `"e" is not listed`),
	Entry("a basis that is none", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{},"evidence":{"e":{"basis":"seen"}}}`, `basis "seen" is none of`),
	Entry("a basis near to one", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{},"evidence":{"e":{"basis":"observd"}}}`, `line 1: evidence "e": basis "observd" is none of observed, source, documented, reported, inferred; did you mean "observed"?`),
	Entry("a kind near to one", `{"format":"conform-host/1","id":"a","name":"x","kind":"hoste","claims":{},"evidence":{}}`, `did you mean "host"?`),
	Entry("an empty range", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surface":[{"since":"≤2.0","until":"2.0","value":{"prefers":"raw"},"evidence":["e"]}]},"evidence":{"e":{"basis":"observed"}}}`, "the range ≤2.0 to before 2.0 is empty"),
	Entry("a bound that is no version", `{"format":"conform-host/1","id":"a","name":"x","kind":"host","claims":{"view.surface":[{"since":"latest","value":{"prefers":"raw"},"evidence":["e"]}]},"evidence":{"e":{"basis":"observed"}}}`, `since: "latest" is no version`),
	Entry("another format", `{"format":"conform-host/2","id":"a","name":"x","kind":"host","claims":{},"evidence":{}}`, `format is "conform-host/2"`),
	Entry("an id that differs from the file's name", `{"format":"conform-host/1","id":"b","name":"x","kind":"host","claims":{},"evidence":{}}`, "differs from the file's name"),
)

var _ = Describe("The built-in table", func() {
	It("loads, and every claim names its evidence", func() {
		t, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		Expect(len(t.Hosts())).To(BeNumerically(">=", 14))
	})

	It("refuses layers that form a cycle", func() {
		_, err := capabilities.Load(fstest.MapFS{
			"a.json": row("a", `"layers":["b"],"claims":{}`), "b.json": row("b", `"layers":["a"],"claims":{}`)})
		Expect(err).To(MatchError(ContainSubstring("cycle")))
	})

	It("reports all faulty files at once", func() {
		_, err := capabilities.Load(fstest.MapFS{"a.json": {Data: []byte("{")}, "b.json": {Data: []byte("[]")}})
		Expect(strings.Count(err.Error(), ".json:")).To(Equal(2))
	})
})
