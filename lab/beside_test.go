package lab

import (
	"context"
	"errors"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/adapters"
)

var _ = Describe("Modes of one host", func() {
	modes := []adapters.Mode{{Name: "one"}, {Name: "quiet", Waits: true}, {Name: "two"}}
	batch := func(name string) []Batch { return []Batch{{Dir: name}} }

	It("go on while one waits, and come back in their order", func() {
		done := make(chan struct{})
		got, err := beside(context.Background(), modes, func(_ context.Context, m adapters.Mode) ([]Batch, error) {
			switch m.Name {
			case "quiet":
				<-done // only the last of the others lets it end
			case "two":
				close(done)
			}
			return batch(m.Name), nil
		})
		Expect(err).NotTo(HaveOccurred())
		Expect(got).To(Equal([]Batch{{Dir: "one"}, {Dir: "quiet"}, {Dir: "two"}}))
	})

	It("end with the first that can't be observed, the waiting one too", func() {
		broken := errors.New("broken")
		_, err := beside(context.Background(), modes, func(ctx context.Context, m adapters.Mode) ([]Batch, error) {
			switch m.Name {
			case "one":
				return nil, broken
			case "two":
				Fail("ran although one was broken")
			}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		Expect(err).To(MatchError(broken))
	})

	It("end when the run is interrupted", func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := beside(ctx, modes, func(ctx context.Context, _ adapters.Mode) ([]Batch, error) { return nil, ctx.Err() })
		Expect(err).To(MatchError(context.Canceled))
	})
})
