// Command measure says for how many broken tools of a set of case files a verified
// fix is found, and why none is for the others.
//
//	go run ./rewrite/internal/measure [-v] FILE|GLOB...
//
// Every row of kind host is chosen.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/rewrite"

	_ "github.com/hostmatrix/conform/validators/all"
)

func main() {
	verbose := flag.Bool("v", false, "print every plan")
	flag.Parse()
	if err := run(flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// tally counts broken tools.
type tally struct{ broken, complete, partial, none, results, runs, lossy, mended int }

func run(patterns []string, verbose bool) error {
	table, err := capabilities.Builtin()
	if err != nil {
		return err
	}
	set, err := shape.Load(capabilities.Shapes())
	if err != nil {
		return err
	}
	var hosts []*capabilities.Resolved
	for _, h := range table.Hosts() {
		if h.Kind != "host" {
			continue
		}
		r, err := table.Resolve(h.ID)
		if err != nil {
			return err
		}
		hosts = append(hosts, r)
	}
	var t tally
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, file := range files {
			opened, err := recording.Open(recording.Limits{}, file)
			if err != nil {
				return err
			}
			for _, o := range opened {
				t.look(file, o.Capture, rewrite.Options{Hosts: hosts, Shapes: set}, verbose)
			}
		}
	}
	fmt.Printf("%d broken tools: %d with a fix verified in all %d hosts, %d with one for some of them, %d with none; %d are broken by their results; %d rewritten tools tried\n",
		t.broken, t.complete, len(hosts), t.partial, t.none, t.results, t.runs)
	fmt.Printf("%d tools do not reach the model whole in some host and break in none; with a verified rewrite %d do in every host\n", t.lossy, t.mended)
	return nil
}

// degraded counts a tool that breaks nowhere and loses something on the way to a model.
func (t *tally) degraded(file string, p rewrite.Plan, verbose bool) {
	if len(p.Broken) > 0 || len(p.Degraded) == 0 {
		return
	}
	t.lossy++
	if len(p.Lossy) == 0 {
		t.mended++
	}
	if verbose {
		fmt.Printf("%s %s: %d degraded, %d left, %s", filepath.Base(file), p.Tool, len(p.Degraded), len(p.Lossy), rewrite.Names(p.Steps))
		if len(p.Lossy) > 0 {
			fmt.Printf(" (%s: %s)", p.Lossy[0].Rule, p.Lossy[0].Text)
		}
		fmt.Println()
	}
}

func (t *tally) look(file string, c *recording.Capture, o rewrite.Options, verbose bool) {
	seen := map[string]bool{}
	for _, s := range c.Sessions {
		for _, tool := range s.Tools {
			if seen[tool.Name] || tool.Name == "" {
				continue
			}
			seen[tool.Name] = true
			p := rewrite.Fix(c, tool.Name, o)
			t.degraded(file, p, verbose)
			if len(p.Broken) == 0 {
				continue
			}
			t.broken++
			t.runs += p.Verified.Runs
			switch {
			case p.Complete:
				t.complete++
			case len(p.Steps) > 0:
				t.partial++
			default:
				t.none++
			}
			if p.Reason != "" {
				t.results++
			}
			if verbose {
				fmt.Printf("%s %s: %d broken, %d left, %s %s\n", filepath.Base(file), tool.Name, len(p.Broken), len(p.Remaining), rewrite.Names(p.Steps), p.Reason)
			}
		}
	}
}
