package lab

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/probe"
)

// maxStuck bounds how often a host is started again without the calls that it did
// not get over.
const maxStuck = 6

// watch ends a host that does not get over a call: some answers make a client wait
// for ten minutes, or for ever, and the other calls would never be made. The second
// value says, after the host ended, which probe it was. Servers that never answer
// are there to be waited for.
func (j Job) watch(ctx context.Context, fake *model.Server, servers []probe.Server) (context.Context, func() string) {
	if slices.ContainsFunc(servers, func(s probe.Server) bool { return s.Silent != "" }) {
		return ctx, func() string { return "" }
	}
	ctx, cancel := context.WithCancel(ctx)
	found, done := make(chan string, 1), make(chan struct{})
	go func() {
		tick := time.NewTicker(max(j.Patience/20, time.Millisecond))
		defer tick.Stop()
		for {
			select {
			case <-done:
				found <- ""
				return
			case <-tick.C:
				if id, waited := fake.Pending(); id != "" && waited > j.Patience {
					found <- id
					cancel()
					return
				}
			}
		}
	}()
	return ctx, func() string {
		close(done)
		cancel()
		return <-found
	}
}

// past starts the host again, for as long as it is stuck, without the calls that it
// did not get over, and returns what the last start showed, with those calls noted.
func (l Lab) past(ctx context.Context, a adapters.Adapter, installed adapters.Installed, version string, mode adapters.Mode, first Batch, ask []string, c *probe.Catalogue) (Batch, error) {
	var skip []string
	called := map[string]int{} // what the server counted, by wire name
	last := first
	for {
		if last.Stuck != "" {
			s, p, _ := c.Find(last.Stuck)
			skip = append(skip, last.Stuck)
			if t := last.Run.Traffic[s.Name]; t != nil {
				called[last.Stuck] = t.Calls[p.Name()]
			}
			l.Progress(fmt.Sprintf("%s did not get over the call of %s within %s", a.ID, last.Stuck, l.patience()))
		}
		l.Progress(fmt.Sprintf("asking once more for what is missing of %d probe servers", len(ask)))
		next, err := l.once(ctx, a, installed, version, mode, ask, skip, c)
		if err != nil {
			return Batch{}, err
		}
		last = next
		if last.Stuck == "" || len(skip) == maxStuck {
			break
		}
	}
	for _, id := range skip {
		s, p, _ := c.Find(id)
		if t := last.Run.Traffic[s.Name]; t != nil && called[id] > 0 {
			t.Calls[p.Name()] = called[id]
		}
	}
	last.Run.Stuck = skip
	return last, nil
}

// patience is how long one call may take.
func (l Lab) patience() time.Duration {
	if l.Patience > 0 {
		return l.Patience
	}
	return DefaultPatience
}
