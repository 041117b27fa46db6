// Command measure says how many known differences between schemas' dialects and
// hosts' validators the search finds by itself, with the recorded samples put
// away, and whether the real libraries confirm every witness.
//
//	go run ./rewrite/witness/internal/measure [-shared DIR] [-only SET] [-budget N] [-oracle] [-v]
//
// A known difference is a schema, a profile and a recorded result that the
// schema's own dialect accepts and the profile rejects. The folder holds the
// corpus (corpus/sdk-constructs.jsonl, corpus/catalogs); without -shared it is
// taken from CONFORM_SHARED. The set "hard" needs no folder: it is made of this
// package's own schemas, each at eleven places of a document (hard.go).
//
//	go run ./rewrite/witness/internal/measure -proofs N [-seed S]
//
// draws N schemas and asks the real libraries whether what is proven of them holds.
//
// Of each profile it prints the known differences and how many were found, the
// schemas proven, wrong proofs (a known difference that the proof denies), the
// witnesses and refusals to compile that were found, how many of these the real
// library was asked about, and how many it confirmed. The specification's rows and
// jsonschema-go have no process to ask: the former are no library, the latter is
// itself what runs here.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/oracle"

	_ "github.com/hostmatrix/conform/validators/all"
)

func main() {
	shared := flag.String("shared", os.Getenv("CONFORM_SHARED"), "folder that holds corpus/")
	budget := flag.Int("budget", witness.DefaultBudget, "instances per schema")
	confirm := flag.Bool("oracle", false, "ask the real libraries about every witness")
	only := flag.String("only", "", "one of constructs, catalogs, grafted, hard, unseen, fresh")
	drawn := flag.Uint64("proofs", 0, "draw so many schemas and ask the real libraries about what is proven of them, and nothing else")
	seed := flag.Uint64("seed", 1, "of what is drawn")
	verbose := flag.Bool("v", false, "print what was missed")
	flag.Parse()
	if *drawn > 0 {
		if err := proofs(*seed, *drawn); err != nil {
			fmt.Fprintln(os.Stderr, "measure:", err)
			os.Exit(1)
		}
		return
	}
	if err := run(*shared, *only, *budget, *confirm, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "measure:", err)
		os.Exit(1)
	}
}

// tally counts one profile. at counts differences that show only when a result is
// validated: the schema compiles. beyond are those missed by a proof that does not speak
// of such an instance (1e400).
type tally struct{ known, found, at, atFound, beyond, witnesses, asked, confirmed, proven, provenWrong int }

func run(shared, only string, budget int, confirm, verbose bool) error {
	sets := []struct {
		name string
		read func() ([]item, error)
	}{
		{"constructs", func() ([]item, error) { return readConstructs(filepath.Join(shared, "corpus", "sdk-constructs.jsonl")) }},
		{"catalogs", func() ([]item, error) { return readCatalogs(filepath.Join(shared, "corpus", "catalogs")) }},
		{"grafted", func() ([]item, error) {
			real, err := readCatalogs(filepath.Join(shared, "corpus", "catalogs"))
			return grafted(real, slices.Concat(bases, unseen)), err
		}},
		{"hard", func() ([]item, error) { return placed(bases), nil }},
		{"unseen", func() ([]item, error) { return placed(unseen), nil }},
		{"fresh", func() ([]item, error) { return placed(fresh), nil }},
	}
	for _, set := range sets {
		if only != "" && only != set.name {
			continue
		}
		items, err := set.read()
		if err != nil {
			return err
		}
		if err := measure(set.name, items, budget, confirm, verbose); err != nil {
			return err
		}
	}
	return nil
}

func measure(name string, items []item, budget int, confirm, verbose bool) error {
	cache := validators.NewCache()
	search := witness.New(cache, witness.Options{Budget: budget, AnyRoot: true})
	var total tally
	fmt.Printf("%s: %d schemas\n%-26s %8s %8s %8s %8s %8s %8s %8s\n", name, len(items), "profile", "known", "found", "proven", "wrong", "witness", "asked", "confirm")
	for _, p := range validators.Profiles() {
		var t tally
		var process *oracle.Process
		if confirm {
			var err error
			if process, err = oracle.Start(context.Background(), p.ID); err != nil {
				process = nil
			}
		}
		for _, it := range items {
			one(it, p.ID, cache, search, &t, process, verbose)
		}
		if process != nil {
			process.Close()
		}
		if t.known+t.witnesses+t.proven > 0 {
			fmt.Printf("%-26s %8d %8d %8d %8d %8d %8d %8d\n", p.ID, t.known, t.found, t.proven, t.provenWrong, t.witnesses, t.asked, t.confirmed)
		}
		total.known += t.known
		total.found += t.found
		total.at += t.at
		total.atFound += t.atFound
		total.beyond += t.beyond
		total.provenWrong += t.provenWrong
		total.witnesses += t.witnesses
		total.asked += t.asked
		total.confirmed += t.confirmed
	}
	share := 100.0
	if total.known > 0 {
		share = 100 * float64(total.found) / float64(total.known)
	}
	fmt.Printf("%s: %d of %d known differences found (%.1f %%), of those at validation %d of %d; %d of the missed are beyond what a proof speaks of; %d wrong proofs; %d witnesses and refusals; %d of %d asked of the real library confirmed\n\n",
		name, total.found, total.known, share, total.atFound, total.at, total.beyond, total.provenWrong, total.witnesses, total.confirmed, total.asked)
	return nil
}

func one(it item, profile string, cache *validators.Cache, search *witness.Searcher, t *tally, process *oracle.Process, verbose bool) {
	answer := search.Search(it.schema, it.schema, profile)
	found := len(answer.Witnesses) > 0 || answer.Kind == witness.Uncompilable
	if answer.Kind == witness.Proven {
		t.proven++
	}
	if why := knownDifference(it, profile, cache); why != "" {
		t.known++
		validating := !strings.HasPrefix(why, "compile: ")
		if validating {
			t.at++
		}
		if found {
			t.found++
			if validating {
				t.atFound++
			}
		} else if answer.Kind == witness.Proven && !assumedSample(it) {
			t.beyond++
		} else if verbose {
			fmt.Printf("  missed %s in %s: %s\n", it.id, profile, why)
		}
		if answer.Kind == witness.Proven && assumedSample(it) {
			t.provenWrong++
			fmt.Printf("  WRONG PROOF %s in %s: %s\n", it.id, profile, why)
		}
	}
	if answer.Kind == witness.Uncompilable {
		t.ask(process, it, profile, "", func(a oracle.Answer) bool { return a.CompileError != nil })
	}
	for _, w := range answer.Witnesses {
		t.ask(process, it, profile, w.Instance.Compact(), func(a oracle.Answer) bool {
			return a.CompileError == nil && len(a.Results) == 1 && a.Results[0].Outcome == w.Outcome
		})
	}
}

// ask counts what was found and whether the real library says the same.
func (t *tally) ask(process *oracle.Process, it item, profile, instance string, agrees func(oracle.Answer) bool) {
	t.witnesses++
	if process == nil {
		return
	}
	t.asked++
	var instances []string
	if instance != "" {
		instances = append(instances, instance)
	}
	a, err := process.Ask(it.schema.Compact(), instances)
	if err == nil && agrees(a) {
		t.confirmed++
		return
	}
	fmt.Printf("  NOT CONFIRMED %s in %s: %s: %v %v\n", it.id, profile, instance, a, err)
}

// knownDifference says why the profile rejects the recorded sample although the
// schema's dialect accepts it; "" when it does not.
func knownDifference(it item, profile string, cache *validators.Cache) string {
	_, own := witness.Dialect(cache, it.schema)
	if own == nil {
		return ""
	}
	host, err := cache.Compile(profile, it.schema)
	if err != nil {
		if _, ok := err.(*validators.CompileError); ok {
			return "compile: " + err.Error()
		}
		return ""
	}
	for _, sample := range it.samples {
		if own.Validate(sample).Outcome != validators.Valid {
			continue
		}
		if r := host.Validate(sample); r.Outcome == validators.Invalid || r.Outcome == validators.Thrown {
			return r.Text + " for " + cut(sample)
		}
	}
	return ""
}

func assumedSample(it item) bool {
	for _, s := range it.samples {
		if !ground.Assumed(s) {
			return false
		}
	}
	return true
}

func cut(v *schema.Value) string {
	text := v.Compact()
	return text[:min(len(text), 200)]
}
