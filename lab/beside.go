package lab

import (
	"context"
	"slices"
	"sync"

	"github.com/hostmatrix/conform/lab/adapters"
)

// beside runs modes one after another, and at the same time those that wait: a host
// that waits five minutes for servers that never answer needs no machine of its own.
// The first error ends what is under way.
func beside(ctx context.Context, modes []adapters.Mode, observe func(context.Context, adapters.Mode) ([]Batch, error)) ([]Batch, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	batches := make([][]Batch, len(modes))
	run := func(waits bool) {
		for i, mode := range modes {
			if mode.Waits != waits || ctx.Err() != nil {
				continue
			}
			var err error
			if batches[i], err = observe(ctx, mode); err != nil {
				cancel(err)
			}
		}
	}
	var waiting sync.WaitGroup
	waiting.Go(func() { run(true) })
	run(false)
	waiting.Wait()
	return slices.Concat(batches...), context.Cause(ctx)
}
