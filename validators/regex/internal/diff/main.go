// Command diff compares this module's regular-expression engines with the real
// ones on random patterns, and re-makes the goldens:
//
//	go run ./validators/regex/internal/diff -dialect ecma-u -n 100000 -seed 1
//	go run ./validators/regex/internal/diff -dialect ecma-u -cases FILE
//	go run ./validators/regex/internal/diff -golden [-update]
//
// FILE has lines like {"p":"pattern","s":["string", …]}.
//
// It needs node, python3 or java on the path.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/validators/regex"
	"github.com/hostmatrix/conform/validators/regex/internal/oracle"
)

func main() {
	dialect := flag.String("dialect", "ecma-u", "ecma-u, ecma, python or java")
	n := flag.Int("n", 20000, "number of random patterns")
	seed := flag.Uint64("seed", 1, "seed of the generator")
	file := flag.String("cases", "", "compare on the patterns and strings of this file instead of random ones")
	show := flag.Int("show", 20, "disagreements to print")
	scripts := flag.String("scripts", "validators/regex/testdata", "folder with the oracle scripts and goldens")
	golden := flag.Bool("golden", false, "compare the goldens with the real engines")
	update := flag.Bool("update", false, "with -golden: write what the engines say now")
	flag.Parse()
	run := func() error {
		source := randomCases(*dialect, *n, *seed)
		if *file != "" {
			source = fileCases(*file)
		}
		return agree(*dialect, *scripts, source, *show)
	}
	if *golden {
		run = func() error { return goldens(*scripts, *update) }
	}
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "diff:", err)
		os.Exit(1)
	}
}

// source yields batches of cases, none at the end.
type source func() ([]oracle.Case, error)

const batch = 500

// randomCases makes n random cases.
func randomCases(dialect string, n int, seed uint64) source {
	g := &generator{r: rand.New(rand.NewPCG(seed, 0)), dialect: oracle.Dialects[dialect]}
	return func() ([]oracle.Case, error) {
		cases := make([]oracle.Case, min(batch, n))
		n -= len(cases)
		for i := range cases {
			cases[i] = g.next()
		}
		return cases, nil
	}
}

// fileCases reads all cases of a file.
func fileCases(name string) source {
	done := false
	return func() ([]oracle.Case, error) {
		if done {
			return nil, nil
		}
		done = true
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		defer file.Close()
		return oracle.ReadCases(file)
	}
}

// agree compares our engine with the real one on all cases of a source.
func agree(dialect, scripts string, next source, show int) error {
	d, ok := oracle.Dialects[dialect]
	if !ok {
		return fmt.Errorf("no dialect %q", dialect)
	}
	engine, err := oracle.Start(dialect, scripts)
	if err != nil {
		return err
	}
	tally := map[string]int{}
	for {
		cases, err := next()
		if err != nil {
			return err
		}
		if len(cases) == 0 {
			break
		}
		for i := range cases {
			tally["runaway"] += dropRunaways(d, &cases[i])
		}
		if err := engine.Ask(cases); err != nil {
			return err
		}
		for _, c := range cases {
			count(tally, c)
			text, kind := compare(d, c)
			if kind != "" {
				tally[kind]++
			}
			if text != "" && tally["shown"] < show {
				tally["shown"]++
				fmt.Println(text)
			}
		}
	}
	fmt.Printf("%s: %d patterns (%d refused by the engine), %d strings (%d matched): %d disagree, %d unsupported, %d strings left out because matching runs away\n",
		dialect, tally["patterns"], tally["refused"], tally["strings"], tally["matched"], tally["disagree"], tally["unsupported"], tally["runaway"])
	if err := engine.Close(); err != nil {
		return err
	}
	if tally["disagree"] > 0 {
		return errors.New("engines disagree")
	}
	return nil
}

// count tallies what the engine answered.
func count(tally map[string]int, c oracle.Case) {
	tally["patterns"]++
	tally["strings"] += len(c.Matches)
	if c.Error != "" {
		tally["refused"]++
	}
	for _, m := range c.Matches {
		if m {
			tally["matched"]++
		}
	}
}

// dropRunaways removes the strings on which the real engine, which has no
// budget, might hang. It returns how many.
func dropRunaways(d regex.Dialect, c *oracle.Case) int {
	re, err := regex.Compile(d, c.Pattern)
	if err != nil {
		return 0
	}
	before := len(c.Strings)
	c.Strings = slices.DeleteFunc(c.Strings, func(s string) bool {
		var spent *regex.BudgetError
		_, err := re.MatchBudget(s, 300_000)
		return errors.As(err, &spent)
	})
	return before - len(c.Strings)
}

// compare checks a case against our engine. text describes a disagreement.
func compare(d regex.Dialect, c oracle.Case) (text, kind string) {
	re, err := regex.Compile(d, c.Pattern)
	var unsupported *regex.UnsupportedError
	if errors.As(err, &unsupported) {
		return "", "unsupported"
	}
	got := ""
	if err != nil {
		got = err.Error()
	}
	if plain(got) != plain(c.Error) {
		return fmt.Sprintf("pattern %s\n  real %q\n  ours %q", oracle.Quote(c.Pattern), c.Error, got), "disagree"
	}
	for i, m := range c.Matches {
		ours, err := re.MatchString(c.Strings[i])
		if errors.As(err, &unsupported) {
			return "", "unsupported"
		}
		if err != nil {
			return fmt.Sprintf("pattern %s\n  on %s: %v", oracle.Quote(c.Pattern), oracle.Quote(c.Strings[i]), err), "disagree"
		}
		if ours != m {
			return fmt.Sprintf("pattern %s\n  on %s real %v ours %v", oracle.Quote(c.Pattern), oracle.Quote(c.Strings[i]), m, ours), "disagree"
		}
	}
	return "", ""
}

// plain makes messages comparable that carry lone surrogates.
func plain(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// goldens asks the engines about the patterns and strings of every golden.
func goldens(folder string, update bool) error {
	var wrong []string
	for dialect := range oracle.Dialects {
		file := filepath.Join(folder, dialect+".jsonl")
		old, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		cases, err := oracle.ReadCases(bytes.NewReader(old))
		if err != nil {
			return fmt.Errorf("%s: %w", file, err)
		}
		engine, err := oracle.Start(dialect, folder)
		if err != nil {
			return err
		}
		if err := engine.Ask(cases); err != nil {
			return err
		}
		if err := engine.Close(); err != nil {
			return err
		}
		var b bytes.Buffer
		for _, c := range cases {
			line, err := c.MarshalJSON()
			if err != nil {
				return err
			}
			b.Write(append(line, '\n'))
		}
		if bytes.Equal(b.Bytes(), old) {
			continue
		}
		if !update {
			wrong = append(wrong, file)
			continue
		}
		if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
			return err
		}
	}
	if len(wrong) > 0 {
		slices.Sort(wrong)
		return fmt.Errorf("the engines no longer say what %s says; look at the difference with -update", strings.Join(wrong, ", "))
	}
	return nil
}
