// Command fuzz looks for schemas and instances on which a Go profile and the real
// library it follows part, in outcome or in words.
//
//	go run ./validators/oracle/fuzz -n 10000 -seed S [-profile ID,…] [-shrink N]
//	go run ./validators/oracle/fuzz -from CONSTRUCTS -each
//
// Schemas are drawn in the style of real generators, as soups of keywords that
// mean to meet each other, and by changing golden constructs (-from); the same
// seed draws the same pairs from the same constructs. Each disagreement
// is shrunk; what is printed is a line for goldens/constructs.jsonl (-append FILE
// puts it there), with what the original and the emulation say. Exit codes: 0 all agree, 1 some do not, 2
// usage, 3 no real library is installed for a profile that was named.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
	"github.com/hostmatrix/conform/validators/oracle"
)

// settings are the flags.
type settings struct {
	pairs     int    // schema and instance pairs per profile
	seed      uint64 // of all chance
	instances int    // per schema
	shrink    int    // findings shrunk and printed per profile
	words     bool   // words count, not only outcomes
	from      mutants
	each      bool   // every construct of from as it is
	keep      string // file to which shrunk findings are appended as constructs
}

func main() {
	var set settings
	var profiles, from string
	flag.IntVar(&set.pairs, "n", 10000, "schema and instance pairs per profile")
	flag.Uint64Var(&set.seed, "seed", 1, "seed of all chance")
	flag.IntVar(&set.instances, "instances", 4, "instances per schema")
	flag.IntVar(&set.shrink, "shrink", 10, "disagreements to shrink and print per profile")
	flag.BoolVar(&set.words, "words", true, "compare words too, not only outcomes")
	flag.StringVar(&from, "from", "validators/oracle/goldens/constructs.jsonl", "constructs to change in half of the draws; empty for none")
	flag.BoolVar(&set.each, "each", false, "draw no schemas: take every construct of -from as it is, with drawn instances")
	flag.StringVar(&set.keep, "append", "", "append the shrunk disagreements to this file of constructs (then run regen)")
	flag.StringVar(&profiles, "profile", "", "profiles, separated by commas (default: all with both sides)")
	flag.Parse()
	if flag.NArg() > 0 || set.pairs < 1 || set.instances < 1 {
		flag.Usage()
		os.Exit(2)
	}
	if from != "" {
		var err error
		if set.from, err = readMutants(from); err != nil {
			fmt.Fprintln(os.Stderr, "fuzz:", err)
			os.Exit(2)
		}
	}
	chosen := oracle.Profiles()
	if profiles != "" {
		chosen = strings.Split(profiles, ",")
	}
	disagreed := false
	for _, profile := range chosen {
		total, err := run(profile, set)
		switch {
		case errors.Is(err, oracle.ErrNotInstalled) && profiles == "":
			fmt.Fprintln(os.Stderr, "fuzz: skipped:", err)
			continue
		case errors.Is(err, oracle.ErrNotInstalled):
			fmt.Fprintln(os.Stderr, "fuzz:", err)
			os.Exit(3)
		case err != nil:
			fmt.Fprintln(os.Stderr, "fuzz:", err)
			os.Exit(2)
		}
		disagreed = disagreed || total > 0
	}
	if disagreed {
		os.Exit(1)
	}
}

func readMutants(name string) (mutants, error) {
	constructs, err := oracle.ReadConstructs(name)
	if err != nil {
		return nil, err
	}
	return newMutants(constructs)
}

// batch is how many schemas go to the original in one round trip.
const batch = 200

// run fuzzes one profile and returns how many disagreements there were.
func run(profile string, set settings) (int, error) {
	if _, ok := validators.Lookup(profile); !ok {
		return 0, fmt.Errorf("no Go profile %q is registered", profile)
	}
	o := &original{start: func() (*oracle.Process, error) {
		p, err := oracle.Start(context.Background(), profile)
		if err == nil {
			p.Patience = 20 * time.Second
		}
		return p, err
	}}
	defer o.close()
	sides := pair{o.ask, func(r oracle.Request) (oracle.Answer, error) { return emulate(profile, r) }}
	count := newTally()
	book := newBook(set.shrink)
	began := time.Now()
	for number := uint64(0); count.pairs < set.pairs; {
		cases := make([]drawn, 0, batch)
		for range min(batch, (set.pairs-count.pairs+set.instances-1)/set.instances) {
			cases = append(cases, draw(set, number))
			number++
		}
		if err := judge(profile, set, sides, cases, count, book); err != nil {
			return 0, err
		}
	}
	fmt.Printf("%s: seed %d, %s; no answer of the original %d; %.0f pairs/s\n",
		profile, set.seed, count.String(), o.skipped, float64(count.pairs)/time.Since(began).Seconds())
	found, err := book.print(sides)
	if err == nil && set.keep != "" {
		err = keep(set.keep, found)
	}
	if err != nil {
		return 0, err
	}
	return count.by[outcome] + count.by[words] + count.by[crash], nil
}
