package capabilities_test

import (
	"sync"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

var _ = Describe("a column that several goroutines ask at once", func() {
	It("answers them all alike", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		column, err := table.Resolve("cursor")
		Expect(err).NotTo(HaveOccurred())
		want, err := table.Resolve("cursor")
		Expect(err).NotTo(HaveOccurred())
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				defer GinkgoRecover()
				for _, key := range capabilities.ClaimKeys() {
					got, expected := column.Find(key), want.Find(key)
					Expect(got == nil).To(Equal(expected == nil), key)
				}
			})
		}
		wg.Wait()
	})
})
