package validators_test

import (
	"sync"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
)

// refuses rejects every instance and counts how often it was compiled.
type refuses struct{}

func (refuses) Validate(*schema.Value) validators.Result {
	return validators.Result{Outcome: validators.Invalid, Text: "refused"}
}

var compiled atomic.Int32

func init() {
	for id, common := range map[string]ground.Features{"test-common": ground.All, "test-no-formats": ground.All &^ ground.Format, "test-own": 0} {
		validators.Register(validators.Profile{ID: id, Ground: common, Exact: common, Compile: func(*schema.Value) (validators.Validator, error) {
			compiled.Add(1)
			return refuses{}, nil
		}})
	}
}

var _ = Describe("A schema on common ground", func() {
	document := func() *schema.Value {
		return schema.MustParse(`{"type":"object","properties":{"n":{"type":"integer"},"at":{"type":"string","format":"date"}}}`)
	}
	valid, invalid := schema.MustParse(`{"n":1,"at":"2026-01-15"}`), schema.MustParse(`{"n":"x"}`)
	BeforeEach(func() { compiled.Store(0) })

	It("is compiled for the first instance that is not plainly valid, and once", func() {
		v, err := validators.NewCache().Compile("test-common", document())
		Expect(err).NotTo(HaveOccurred())
		Expect(v.Validate(valid)).To(Equal(validators.Result{Outcome: validators.Valid}))
		Expect(compiled.Load()).To(BeZero())
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				defer GinkgoRecover()
				Expect(v.Validate(invalid).Text).To(Equal("refused"))
				Expect(v.Validate(valid).Outcome).To(Equal(validators.Valid))
			})
		}
		wait.Wait()
		Expect(compiled.Load()).To(BeEquivalentTo(1))
	})

	DescribeTable("goes to the engine of a profile that leaves the ground there",
		func(id string) {
			v, err := validators.Compile(id, document())
			Expect(err).NotTo(HaveOccurred())
			Expect(compiled.Load()).To(BeEquivalentTo(1))
			Expect(v.Validate(valid).Text).To(Equal("refused"))
		},
		Entry(nil, "test-no-formats"),
		Entry(nil, "test-own"),
	)

	It("is read alike by two profiles unless one leaves it", func() {
		Expect(validators.Alike(document(), "test-common", "test-common")).To(BeTrue())
		Expect(validators.Alike(document(), "test-common", "test-no-formats")).To(BeFalse())
		Expect(validators.Alike(document(), "test-common", "none")).To(BeFalse())
	})

	It("is surveyed again after it was forgotten", func() {
		cache, d := validators.NewCache(), document()
		for range 2 {
			v, err := cache.Compile("test-common", d)
			Expect(err).NotTo(HaveOccurred())
			Expect(v.Validate(valid).Outcome).To(Equal(validators.Valid))
			cache.Forget("test-common")
			cache.ForgetSurveys()
		}
		Expect(compiled.Load()).To(BeZero())
	})
})
