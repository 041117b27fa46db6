package cases_test

import (
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/cases"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/recording"
)

// A host that refused arrays without items until 2.0.
const mended = `{"format":"conform-host/1","id":"x","name":"X","kind":"host","claims":{"offer.precheck":[
	{"since":"1.0","until":"2.0","value":[{"check":{"op":"array-without-items"},"on_failure":"request"}],"evidence":["old"]},
	{"since":"2.0","value":[],"evidence":["new"]}]},
	"evidence":{"old":{"basis":"reported","version":"1.5"},"new":{"basis":"observed","version":"2.1"}}}`

var _ = DescribeTable("An expectation about a host that was mended",
	func(expectation, verdict, version string, agrees bool) {
		table, err := capabilities.Load(fstest.MapFS{"x.json": &fstest.MapFile{Data: []byte(mended)}})
		Expect(err).NotTo(HaveOccurred())
		shapes, err := shape.Load(capabilities.Shapes())
		Expect(err).NotTo(HaveOccurred())
		c, err := recording.ReadCase("c.json", []byte(`{"format":"conform-case/1","id":"c","protocol_version":"2025-06-18",
			"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}],"expect":[{"host":"x",`+expectation+`}]}`))
		Expect(err).NotTo(HaveOccurred())
		r := cases.Runner{Table: table, Shapes: shapes}.Compare(c)[0]
		Expect(r.Agrees).To(Equal(agrees), r.String())
		Expect(r.Got.Verdict).To(Equal(verdict))
		Expect(r.Earlier).To(Equal(version))
	},
	Entry("a report without a version disagrees, and the youngest version that did it is named",
		`"version":"","verdict":"breaks","blast":"request","basis":"reported"`, "works", "1.5", false),
	Entry("with another radius none did",
		`"version":"","verdict":"breaks","blast":"server","basis":"reported"`, "works", "", false),
	Entry("a report with a version is held to it",
		`"version":"2.0","verdict":"breaks","basis":"reported"`, "works", "", false),
	Entry("an observation without a version is held to the newest",
		`"version":"","verdict":"breaks","basis":"observed"`, "works", "", false),
	Entry("what the newest version meets is not looked for further",
		`"version":"","verdict":"works","basis":"reported"`, "works", "", true),
)
