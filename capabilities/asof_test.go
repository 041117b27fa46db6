package capabilities_test

import (
	"testing/fstest"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

var _ = Describe("AsOf", func() {
	table, err := capabilities.Load(fstest.MapFS{"a.json": &fstest.MapFile{Data: []byte(`{"format":"conform-host/1","id":"a","name":"A","kind":"host",
 "releases":{"1.0":{"date":"2026-01-01"},"2.0":{"date":"2026-06-01"}},
 "claims":{"view.surface":[{"value":{"prefers":"content"},"evidence":["old","new"]}],"view.apps":[{"value":{"shown":true},"evidence":["new"]}]},
 "modes":{"m":{"name":"M","claims":{"view.apps":[{"value":{"shown":false},"evidence":["undated"]}]}}},
 "evidence":{"old":{"basis":"reported","date":"2026-02-01"},"new":{"basis":"observed","date":"2026-06-02","version":"2.0"},"undated":{"basis":"inferred"}}}`)}})
	if err != nil {
		panic(err)
	}

	It("forgets what was learned later", func() {
		then, err := table.AsOf("2026-03-01").Resolve("a")
		Expect(err).NotTo(HaveOccurred())
		Expect(then.Version).To(Equal("1.0"))
		Expect(then.Find("view.apps")).To(BeNil())
		Expect(then.Find("view.surface").Basis).To(Equal(capabilities.Reported))
		mode, err := table.AsOf("2026-03-01").Resolve("a:m")
		Expect(err).NotTo(HaveOccurred())
		Expect(mode.Find("view.apps")).NotTo(BeNil(), "evidence without a date counts as known")
	})

	It("is the whole table on a later day, and leaves the table as it was", func() {
		now, err := table.AsOf("2026-06-02").Resolve("a")
		Expect(err).NotTo(HaveOccurred())
		Expect(now.Version).To(Equal("2.0"))
		Expect(now.Find("view.surface").Basis).To(Equal(capabilities.Observed))
		Expect(now.Find("view.apps")).NotTo(BeNil())
	})
})
