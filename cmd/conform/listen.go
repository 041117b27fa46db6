package main

import (
	"context"
	"errors"
	"sync"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/wire"
)

// listener waits for live servers to announce that their tools changed; nil when no
// server of the run is live.
func (a *app) listener(o *runOptions) listener {
	if o.target.count() != 1 || len(o.target.replay) > 0 {
		return nil
	}
	known := map[string]string{} // list by server, as it was when it last changed
	var mu sync.Mutex
	return func(ctx context.Context, tell func(string)) {
		targets, options, closing, err := a.listened(o)
		if err != nil {
			return // the run said why
		}
		defer closing()
		var all sync.WaitGroup
		for _, target := range targets {
			all.Go(func() {
				mu.Lock()
				before := known[target.Name]
				mu.Unlock()
				list, err := wire.AwaitChange(ctx, target, options, before)
				switch {
				case err == nil:
					mu.Lock()
					known[target.Name] = list
					mu.Unlock()
					tell("the list of tools that " + wire.Printable([]byte(target.String()), 120) + " has")
				case ctx.Err() == nil && !errors.Is(err, wire.ErrUnannounced) && a.verbose:
					a.warn("no longer waiting for the server to announce changes: %v", err)
				}
			})
		}
		all.Wait()
	}
}

// listened are the live servers of a run and the way to connect to them.
func (a *app) listened(o *runOptions) (targets []wire.Target, options wire.Options, closing func(), err error) {
	own := *o
	if own.target.config.given() {
		if targets, err = own.target.config.targets(func(string, ...any) {}); err != nil {
			return nil, options, nil, err
		}
		own.target.live = &targets[0]
	}
	target, options, closing, err := a.live(&own)
	if err != nil {
		return nil, options, nil, err
	}
	if len(targets) == 0 {
		targets = []wire.Target{target}
	}
	table, err := a.table()
	if err == nil {
		var columns []*capabilities.Resolved
		columns, _, err = splitSelection(o.select_).resolve(table)
		if err == nil {
			options.Handshakes, err = handshakes(columns, o.protocol, target)
		}
	}
	if err != nil {
		closing()
		return nil, options, nil, err
	}
	return targets, options, closing, nil
}
