package main

import (
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/probe"
)

func TestDraw(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "draw")
}

var _ = Describe("A drawn catalogue", func() {
	It("is the same for the same seed, and another for another", func() {
		Expect(catalogue(4)).To(Equal(catalogue(4)))
		Expect(catalogue(5)).NotTo(Equal(catalogue(4)))
	})

	It("can be read, whatever the seed, and holds what it promises", func() {
		for seed := range uint64(300) {
			c, err := probe.Parse([]byte(catalogue(seed)))
			Expect(err).NotTo(HaveOccurred(), "seed %d", seed)
			n := 0
			for _, s := range c.Servers {
				n += len(s.Probes)
			}
			Expect(n).To(Equal(goodResults + wrongResults + longTexts + outputs + inputs + alone))
		}
	})
})
