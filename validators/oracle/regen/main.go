// Command regen asks the installed real libraries about every golden construct
// and writes their verdicts to goldens/PROFILE.jsonl.
//
//	go run ./validators/oracle/regen [-check] [-goldens DIR] [PROFILE…]
//
// With -check it writes nothing, lists each difference from the goldens and ends
// with exit code 1 when there is one. A profile whose library is not installed
// (see install.sh) is named on standard error and skipped; when that is so for
// all of them the exit code is 3.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostmatrix/conform/validators/oracle"
)

func main() {
	check := flag.Bool("check", false, "only compare; exit 1 on any difference")
	dir := flag.String("goldens", "validators/oracle/goldens", "folder of constructs.jsonl and PROFILE.jsonl")
	flag.Parse()
	profiles := flag.Args()
	if len(profiles) == 0 {
		profiles = oracle.Profiles()
	}
	constructs, err := oracle.ReadConstructs(filepath.Join(*dir, "constructs.jsonl"))
	if err != nil {
		fail(2, err)
	}
	asked, differences := 0, 0
	for _, profile := range profiles {
		if err := oracle.Available(profile); err != nil {
			fmt.Fprintln(os.Stderr, "regen: skipped:", err)
			continue
		}
		asked++
		answers, err := ask(profile, constructs)
		if err != nil {
			fail(2, err)
		}
		name := filepath.Join(*dir, profile+".jsonl")
		n, err := compare(name, profile, constructs, answers)
		if err != nil {
			fail(2, err)
		}
		differences += n
		if !*check {
			if err := write(name, constructs, answers); err != nil {
				fail(2, err)
			}
		}
		fmt.Printf("%s: %d constructs, %d differ from the goldens\n", profile, len(constructs), n)
	}
	switch {
	case asked == 0:
		fail(3, fmt.Errorf("no real library is installed; run validators/oracle/install.sh"))
	case *check && differences > 0:
		os.Exit(1)
	}
}

func fail(code int, err error) {
	fmt.Fprintln(os.Stderr, "regen:", err)
	os.Exit(code)
}

// ask returns the real library's answers, texts cut as in the goldens.
func ask(profile string, constructs []oracle.Construct) ([]oracle.Answer, error) {
	p, err := oracle.Start(context.Background(), profile)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	requests := make([]oracle.Request, len(constructs))
	for i, c := range constructs {
		requests[i] = c.Request
	}
	answers, err := p.AskAll(requests)
	if err != nil {
		return nil, err
	}
	for i := range answers {
		answers[i] = answers[i].Messages(profile)
	}
	return answers, nil
}

// compare prints what changed and returns how many constructs did. A golden file
// that does not exist yet differs nowhere.
func compare(name, profile string, constructs []oracle.Construct, answers []oracle.Answer) (int, error) {
	goldens, err := oracle.ReadGoldens(name)
	if os.IsNotExist(err) {
		return 0, nil
	} else if err != nil {
		return 0, err
	}
	differences := 0
	for i, c := range constructs {
		golden, known := goldens[c.ID]
		delete(goldens, c.ID)
		switch {
		case !known:
			fmt.Printf("%s %s: no golden; the library says %s\n", profile, c.ID, answers[i].Line())
		case golden.Line() != answers[i].Line():
			fmt.Printf("%s %s: golden %s\n\tlibrary %s\n", profile, c.ID, golden.Line(), answers[i].Line())
		default:
			continue
		}
		differences++
	}
	for id := range goldens {
		fmt.Printf("%s %s: golden without a construct\n", profile, id)
		differences++
	}
	return differences, nil
}

func write(name string, constructs []oracle.Construct, answers []oracle.Answer) error {
	var b strings.Builder
	for i, c := range constructs {
		b.WriteString(oracle.GoldenLine(c.ID, answers[i]))
		b.WriteByte('\n')
	}
	return os.WriteFile(name, []byte(b.String()), 0o644)
}
