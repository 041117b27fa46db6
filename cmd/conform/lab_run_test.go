package main

import (
	"context"
	"errors"
	"sync/atomic"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = Describe("Hosts that are observed at once", func() {
	specs := []string{"a", "b", "c", "d", "e"}

	It("are no more than asked for, and each is told of alone", func() {
		var now, most, telling atomic.Int32
		var told []string
		err := eachHost(context.Background(), specs, 2, func(_ context.Context, spec string) (string, error) {
			n := now.Add(1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			defer now.Add(-1)
			return spec + ".jsonl", nil
		}, func(spec, path string, err error) error {
			Expect(telling.Add(1)).To(BeEquivalentTo(1))
			defer telling.Add(-1)
			Expect(path).To(Equal(spec + ".jsonl"))
			told = append(told, spec)
			return err
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(told).To(ConsistOf(specs))
		Expect(most.Load()).To(BeNumerically("<=", 2))
	})

	It("end with the first error that is not passed over", func() {
		broken := errors.New("broken")
		started := 0
		err := eachHost(context.Background(), specs, 1, func(_ context.Context, spec string) (string, error) {
			started++
			return "", broken
		}, func(spec, _ string, err error) error {
			if spec == "a" {
				return nil
			}
			return err
		})
		Expect(err).To(MatchError(broken))
		Expect(started).To(Equal(2))
	})
})
