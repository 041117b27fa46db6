package all_test

import (
	"flag"
	"fmt"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/internal/agreement"
	"github.com/hostmatrix/conform/validators/internal/fuzzing"
)

var (
	drawnDocuments = flag.Uint64("drawn", 1_500, "schemas to draw")
	drawnSeed      = flag.Uint64("drawn-seed", 11, "seed of the drawn schemas")
)

// instancesEach is how many instances are drawn for a schema.
const instancesEach = 6

var _ = Describe("An answer from common ground", func() {
	It("is that of every engine, on drawn pairs", func() {
		answered := 0
		for number := range *drawnDocuments {
			document, instances := drawn(*drawnSeed, number)
			difference, n := fuzzing.Shortcut(document, instances...)
			Expect(difference).To(BeEmpty(), "number %d", number)
			answered += n
		}
		AddReportEntry("answers from common ground", answered)
		Expect(answered).To(BeNumerically(">", *drawnDocuments), "too few to say anything")
	})

	It("is that of every engine, on drawn patterns and formats", func() {
		answered := 0
		for number := range *drawnDocuments {
			document, instances := fuzzing.NewDrawer(*drawnSeed, number).Forms(instancesEach)
			difference, n := fuzzing.Shortcut(document, instances...)
			Expect(difference).To(BeEmpty(), "number %d", number)
			answered += n
		}
		AddReportEntry("answers from common ground", answered)
		Expect(answered).To(BeNumerically(">", *drawnDocuments), "too few to say anything")
	})

	It("is that of every engine, at the limits of the ground", func() {
		deep := `{"leaf":1}`
		for range 36 {
			deep = `{"next":` + deep + `}`
		}
		wide := schema.MustParse(`{"rows":` + fuzzing.Listed(8_000, func(i int) string { return fmt.Sprintf(`{"id":%d,"name":"n%d","tags":["a","b"]}`, i, i) }) + `}`)
		chain := `{"type":"object"}`
		for range 18 {
			chain = `{"allOf":[` + chain + `],"properties":{"next":` + chain + `}}`
			if len(chain) > 50_000 {
				break
			}
		}
		for _, pair := range [][2]*schema.Value{
			{schema.MustParse(`{"$ref":"#/$defs/n","$defs":{"n":{"type":"object","properties":{"next":{"anyOf":[{"$ref":"#/$defs/n"},{"type":"null"}]},"leaf":{"type":"integer"}}}}}`), schema.MustParse(deep)},
			{schema.MustParse(`{"type":"object","properties":{"next":{"$ref":"#"}}}`), schema.MustParse(deep)},
			{schema.MustParse(`{"properties":{"rows":{"items":{"type":"object","properties":{"id":{"type":"integer"},"name":{"minLength":1},"tags":{"items":{"type":"string"}}},"additionalProperties":false}}}}`), wide},
			{schema.MustParse(chain), schema.MustParse(deep)},
		} {
			difference, answered := fuzzing.Shortcut(pair[0], pair[1])
			Expect(difference).To(BeEmpty())
			Expect(answered).To(BeNumerically(">", 10), "%.100s", pair[0].Compact())
		}
	})

	It("is that of every engine, on the goldens", func() {
		answered := 0
		for _, p := range validators.Profiles() {
			cases, err := agreement.Goldens(p.ID)
			if err != nil {
				continue // no library to ask
			}
			answered += compareAll(cases)
			break // all profiles are asked about each
		}
		AddReportEntry("answers from common ground", answered)
		Expect(answered).To(BeNumerically(">", 200))
	})

	It("is that of every engine, on the shared corpora", func() {
		dir := agreement.Dir()
		if dir == "" {
			Skip("no shared corpus: set CONFORM_SHARED to its folder")
		}
		answered := 0
		for _, read := range []func() ([]agreement.Case, error){
			func() ([]agreement.Case, error) { return agreement.Suite(dir, "ajv7") },
			func() ([]agreement.Case, error) { return agreement.SDK(dir, "ts-1.32.2") },
			func() ([]agreement.Case, error) { return agreement.Probes(dir, "ajv8-draft07-lax") },
		} {
			cases, err := read()
			Expect(err).NotTo(HaveOccurred())
			answered += compareAll(cases)
		}
		AddReportEntry("answers from common ground", answered)
	})
})

func drawn(seed, number uint64) (document *schema.Value, instances []*schema.Value) {
	d := fuzzing.NewDrawer(seed, number)
	document = d.Document()
	for range instancesEach {
		instances = append(instances, d.Instance(document))
	}
	return document, instances
}

// compareAll returns how many answers came from common ground.
func compareAll(cases []agreement.Case) (answered int) {
	for _, c := range cases {
		document, err := schema.ParseString(c.Schema)
		if err != nil {
			continue
		}
		var instances []*schema.Value
		for _, text := range c.Instances {
			if v, err := schema.ParseString(text); err == nil {
				instances = append(instances, v)
			}
		}
		difference, n := fuzzing.Shortcut(document, instances...)
		Expect(difference).To(BeEmpty(), c.ID)
		answered += n
	}
	return answered
}

// FuzzGround looks for a schema and an instance that are found plainly valid and are
// not so for every engine.
func FuzzGround(f *testing.F) {
	for number := range uint64(100) {
		document, instances := drawn(1, number)
		f.Add(document.Compact(), instances[0].Compact())
	}
	f.Fuzz(func(t *testing.T, schemaText, instanceText string) {
		document, err := schema.ParseString(schemaText)
		if err != nil {
			return
		}
		instance, err := schema.ParseString(instanceText)
		if err != nil {
			return
		}
		if difference, _ := fuzzing.Shortcut(document, instance); difference != "" {
			t.Error(difference)
		}
	})
}
