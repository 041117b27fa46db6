package shape_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("the shape files", func() {
	It("follow their JSON Schema", func() {
		compiler := jsonschema.NewCompiler()
		compiled, err := compiler.Compile(filepath.Join(shapeDir, "shape.schema.json"))
		Expect(err).NotTo(HaveOccurred())
		files, err := filepath.Glob(filepath.Join(shapeDir, "*.json"))
		Expect(err).NotTo(HaveOccurred())
		Expect(len(files)).To(BeNumerically(">", 25))
		for _, file := range files {
			if strings.HasSuffix(file, ".schema.json") {
				continue
			}
			text, err := os.ReadFile(file)
			Expect(err).NotTo(HaveOccurred())
			value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
			Expect(err).NotTo(HaveOccurred(), file)
			Expect(compiled.Validate(value)).To(Succeed(), file)
		}
	})
	It("say where they come from", func() {
		set := load()
		for _, id := range set.IDs() {
			sh, _ := set.Lookup(id)
			Expect(sh.Source.Library).NotTo(BeEmpty(), id)
			Expect(sh.Source.Evidence).NotTo(BeEmpty(), id)
		}
	})
})

// one loads a folder with a single file a.json.
func one(text string) (*shape.Set, error) {
	return shape.Load(fstest.MapFS{"a.json": {Data: []byte(text)}})
}

const head = `"format":"conform-shape/1","id":"a","words":"plain","source":{"library":"l","basis":"observed","evidence":"e"}`

var _ = DescribeTable("a file that is wrong",
	func(text, want string) {
		_, err := one(text)
		Expect(err).To(MatchError(ContainSubstring(want)))
		Expect(err.Error()).To(ContainSubstring("a.json"))
	},
	Entry("not JSON", `{`, "not JSON"),
	Entry("unknown key", `{`+head+`,"lists":"any"}`, `unknown key "lists"; nearest known: "list"`),
	Entry("another format", `{"format":"x"}`, `must be "conform-shape/1"`),
	Entry("id of another file", `{"format":"conform-shape/1","id":"b"}`, "must be the file's name"),
	Entry("no source", `{"format":"conform-shape/1","id":"a"}`, `at "/source"`),
	Entry("unknown basis", `{"format":"conform-shape/1","id":"a","source":{"library":"l","basis":"seen","evidence":"e"}}`, `"seen" is none of`),
	Entry("unknown words", strings.Replace(`{`+head+`}`, "plain", "zod5", 1), `words "zod5" is unknown; nearest: "zod3"`),
	Entry("unknown node", `{`+head+`,"list":"strin"}`, `unknown node "strin"; nearest: "string"`),
	Entry("unknown type", `{`+head+`,"types":{"Tool":"any"},"list":"@Tol[]"}`, `no type "Tol"; nearest: "Tool"`),
	Entry("two kinds", `{`+head+`,"list":{"array":"any","record":"any"}}`, "a node has one kind"),
	Entry("no kind", `{`+head+`,"list":{"optional":true}}`, "none of the kind keys"),
	Entry("a check of another kind", `{`+head+`,"list":{"array":"any","minimum":1}}`, `unknown key "minimum"`),
	Entry("a deep place", `{`+head+`,"list":{"object":{"tools":{"array":{"object":{"name":5}}}}}}`, `at "/list/object/tools/array/object/name"`),
	Entry("unknown placeholder", `{`+head+`,"text":{"list":"{lins}"}}`, "{lins} is no placeholder; nearest: {lines}"),
	Entry("text of an unknown part", `{`+head+`,"text":{"lits":"x"}}`, `unknown part "lits"; nearest: "list"`),
	Entry("a guard without a rule", `{`+head+`,"guards":[{"text":"x"}]}`, "needs one of must, refuse, pass"),
	Entry("a guard with two rules", `{`+head+`,"guards":[{"must":"any","refuse":"any","text":"x"}]}`, "a guard has one rule"),
	Entry("a shape that nobody has", `{`+head+`,"extends":"b"}`, `extends "b", which no file has`),
	Entry("a shape of its own", `{`+head+`,"extends":"a"}`, "extends itself"),
	Entry("a type that is only itself", `{`+head+`,"types":{"A":"@A"},"list":"@A"}`, `type "A" is only a name for itself`),
)

var _ = Describe("inheritance", func() {
	It("takes what the child does not say", func() {
		set, err := shape.Load(fstest.MapFS{
			"a.json": {Data: []byte(`{` + head + `,"types":{"N":"string"},"list":{"object":{"n":"@N"}},"result":"any"}`)},
			"b.json": {Data: []byte(`{"format":"conform-shape/1","id":"b","extends":"a","source":{"library":"l","basis":"inferred","evidence":"e"},"types":{"N":"number"}}`)},
		})
		Expect(err).NotTo(HaveOccurred())
		a, _ := set.Lookup("a")
		b, _ := set.Lookup("b")
		number := schema.MustParse(`{"n":1}`)
		Expect(a.Check("list", number)).To(HaveLen(1))
		Expect(b.Check("list", number)).To(BeNil())
		Expect(b.Models("result")).To(BeTrue())
		Expect(b.Models("discover")).To(BeFalse())
		Expect(b.Check("discover", number)).To(BeNil())
	})
})

var _ = Describe("a type that holds itself", func() {
	It("follows the value and ends", func() {
		set, err := one(`{` + head + `,"types":{"V":{"union":["string","@V[]"]}},"list":"@V"}`)
		Expect(err).NotTo(HaveOccurred())
		sh, _ := set.Lookup("a")
		Expect(sh.Check("list", schema.MustParse(strings.Repeat("[", 200)+`"x"`+strings.Repeat("]", 200)))).To(BeNil())
		Expect(sh.Check("list", schema.MustParse(`[[[1]]]`))).NotTo(BeNil())
	})
})

var _ = Describe("hostile values", func() {
	It("keeps at most a thousand issues", func() {
		sh, _ := load().Lookup("ts-sdk-1.23")
		list := schema.MustParse(`{"tools":[` + strings.Repeat(`{},`, 5000) + `{}]}`)
		Expect(sh.Check("list", list)).To(HaveLen(1000))
	})
	It("prints at most a few megabytes", func() {
		set := load()
		result := schema.MustParse(`{"content":[{"type":` + strings.Repeat(`[`, 290) + strings.Repeat("1,", 20000) + `1` + strings.Repeat(`]`, 290) + `}]}`)
		for _, id := range set.IDs() {
			sh, _ := set.Lookup(id)
			Expect(len(sh.Text("result", sh.Check("result", result)))).To(BeNumerically("<=", 4<<20), id)
		}
	})
	It("survives depth in every shape", func() {
		set := load()
		deep := schema.MustParse(strings.Repeat(`{"properties":{"a":`, 3000) + "5" + strings.Repeat("}}", 3000))
		list := schema.Obj(schema.Member{Key: "tools", Value: schema.List(schema.Obj(
			schema.Member{Key: "name", Value: schema.Str("t")},
			schema.Member{Key: "inputSchema", Value: deep.With("type", schema.Str("object"))}))})
		for _, id := range set.IDs() {
			sh, _ := set.Lookup(id)
			issues := sh.Check("list", list)
			Expect(len(sh.Text("list", issues))).To(BeNumerically("<=", 4<<20), id)
		}
	})
})

var _ = Describe("what the parser makes of a value", func() {
	It("drops what zod strips, fills defaults and keeps the order of the type", func() {
		sh, _ := load().Lookup("ts-sdk-1.23")
		list := schema.MustParse(`{"zz":1,"tools":[{"zz":1,"inputSchema":{"additionalProperties":false,"type":"object","__proto__":{}},"name":"a"}]}`)
		Expect(sh.Output("list", list).Compact()).To(Equal(`{"tools":[{"name":"a","inputSchema":{"type":"object","additionalProperties":false}}],"zz":1}`))
		Expect(sh.Output("result", schema.MustParse(`{"structuredContent":{"a":1}}`)).Compact()).To(Equal(`{"content":[],"structuredContent":{"a":1}}`))
	})
	It("loses the definitions of a schema in 1.22.0 and only there", func() {
		set := load()
		list := schema.MustParse(`{"tools":[{"name":"a","inputSchema":{"type":"object","properties":{"x":{"$ref":"#/$defs/X"}},"$defs":{"X":{}}}}]}`)
		old, _ := set.Lookup("ts-sdk-1.22")
		Expect(old.Output("list", list).Compact()).NotTo(ContainSubstring(`"$defs"`))
		for _, id := range []string{"ts-sdk-1.19", "ts-sdk-1.23.0", "ts-sdk-1.23"} {
			sh, _ := set.Lookup(id)
			Expect(sh.Output("list", list).Compact()).To(ContainSubstring(`"$defs":{"X":{}}`), id)
		}
	})
})
