package matrix

import (
	"cmp"
	"runtime"
	"slices"
	"sync"

	"github.com/hostmatrix/conform/matrix/stage"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/validators"
)

// Evaluate runs every column; the result is in the order of in.Hosts, cells in
// the order of the server's list, and does not depend on Workers.
//
// After in.Stop it returns at once. What is still being evaluated then, the check of
// one hostile schema may take seconds, goes on in the background and is thrown away.
func Evaluate(in Input) []Column {
	if in.Validators == nil {
		in.Validators = validators.NewCache()
	}
	run := &run{Input: in, columns: make([]Column, len(in.Hosts)), reached: make([]reached, len(in.Hosts))}
	for _, together := range run.groups() {
		if !run.together(together) {
			return run.stopped()
		}
	}
	for i := range run.columns {
		c := &run.columns[i]
		c.found(string(c.State.Basis()))
		if !in.KeepViews { // the columns outlive the evaluation; what was compiled for them must not
			c.State.Validators, c.State.Witness = nil, nil
		}
	}
	return run.columns
}

// groups are the columns in the order in which they are evaluated, as many at a time as
// a server with so many tools allows.
func (r *run) groups() [][]int {
	most := 1
	for _, s := range r.Capture.Sessions {
		most = max(most, len(s.Tools))
	}
	return slices.Collect(slices.Chunk(byProfile(r.Hosts), max(r.workers(), cmp.Or(r.Together, togetherCells)/most)))
}

// together evaluates some columns; false when it was stopped.
func (r *run) together(columns []int) bool {
	if !r.eachColumn(columns, r.begin) {
		return false
	}
	most := 0
	for _, i := range columns {
		most = max(most, len(r.columns[i].State.Tools))
	}
	for from := 0; from == 0 || from < most; from += partSize {
		if !r.eachColumn(columns, func(i int) { r.finish(i, from) }) {
			return false
		}
		if r.Forget != nil {
			r.Forget()
		}
	}
	return true
}

func (r *run) workers() int {
	if r.Workers > 0 {
		return r.Workers
	}
	return runtime.NumCPU()
}

// run is one evaluation. A worker takes a column out, changes it and puts it back
// after each tool, so that at a stop all that is finished is there.
type run struct {
	Input
	mu      sync.Mutex
	columns []Column
	reached []reached
	left    bool // nobody waits for the workers any more
}

// reached is what a stop needs to know of a column that a worker is still changing.
type reached struct {
	basis string // of the claims consulted so far
	whole bool   // the first cell is about the whole server
}

func (r *run) begin(i int) { r.put(i, begin(r.Input, r.Hosts[i])) }

func (r *run) finish(i, from int) {
	r.mu.Lock()
	c := r.columns[i]
	r.mu.Unlock()
	c.finish(from, r.KeepViews, func(now Column) bool { return r.put(i, now) })
	r.put(i, c)
}

// put keeps how far a column is; false when nobody waits for it any more.
func (r *run) put(i int, c Column) bool {
	var so reached
	if r.Stop != nil {
		so = reached{string(c.State.Basis()), len(c.Cells) > 0 && aboutServer(c.State)}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.left {
		return false
	}
	r.columns[i], r.reached[i] = c, so
	return true
}

// eachColumn does a piece of work for some columns, in their order, and drops each
// validator's schemas with the last of them. It is false when the run was stopped before
// all was done.
func (r *run) eachColumn(columns []int, do func(i int)) bool {
	uses := usersOf(r.Hosts, columns)
	next, done := make(chan int, len(columns)), make(chan struct{})
	for _, i := range columns {
		next <- i
	}
	close(next)
	var wg sync.WaitGroup
	for range min(r.workers(), len(columns)) {
		wg.Go(func() {
			for i := range next {
				if r.wasLeft() {
					return
				}
				do(i)
				uses.done(r.Hosts[i], r.Validators)
			}
		})
	}
	go func() { wg.Wait(); close(done) }()
	select {
	case <-done:
		return true
	case <-r.Stop:
		return false
	}
}

func (r *run) wasLeft() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.left
}

// stopped is what was established when the run was stopped; the rest is unknown.
func (r *run) stopped() []Column {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left = true
	out := make([]Column, len(r.columns))
	for i, host := range r.Hosts {
		// A worker may still be changing the column's own state, though nothing of what
		// a tool was offered as.
		state := stage.New(stage.Env{Host: host, Target: r.Capture.Target, Session: stage.Choose(host, r.Capture)})
		if was := r.columns[i].State; was != nil {
			state.Tools = was.Tools
		}
		c := Column{Host: host, State: state, Cells: slices.Clone(r.columns[i].Cells)}
		c.found(r.reached[i].basis)
		c.unreached(r.reached[i].whole, r.Why)
		out[i] = c
	}
	return out
}

// unreached adds a cell for every tool that has none.
func (c *Column) unreached(whole bool, why string) {
	tools, done := c.State.Tools, len(c.Cells)
	if whole {
		done--
	}
	modelled := c.Host.Modelled()
	add := func(tool string) {
		c.Cells = append(c.Cells, verdict.Cell{Tool: tool, Host: c.Host.ID, HostVersion: c.Host.Version, Modelled: modelled, Verdict: verdict.Unknown,
			Findings: []verdict.Finding{{Rule: "not-evaluated", Severity: verdict.Undecided, Message: why}}})
	}
	if len(tools) == 0 && len(c.Cells) == 0 {
		add("")
	}
	for _, t := range tools[done:] {
		add(t.Name)
	}
}
