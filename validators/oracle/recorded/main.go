// Command recorded shows that the oracles reproduce verdicts that were recorded
// earlier, elsewhere: it asks the installed libraries about every probe, every test
// of the official suite and every construct for which $CONFORM_SHARED (default
// ../shared) holds a recorded verdict, and prints each difference. Exit code 1 when there is one.
//
//	CONFORM_SHARED=DIR go run ./validators/oracle/recorded
package main

import (
	"context"
	"fmt"
	"os"

	"github.com/hostmatrix/conform/validators/oracle"
)

// check is one request with what was recorded for it.
type check struct {
	id      string
	request oracle.Request
	// same compares an answer with the record; it returns "" or the difference.
	same func(oracle.Answer) string
}

func main() {
	shared := os.Getenv("CONFORM_SHARED")
	if shared == "" {
		shared = "../shared"
	}
	differences, err := run(shared)
	if err != nil {
		fmt.Fprintln(os.Stderr, "recorded:", err)
		os.Exit(2)
	}
	if differences > 0 {
		os.Exit(1)
	}
}

func run(shared string) (int, error) {
	byProfile, err := probes(shared)
	if err != nil {
		return 0, err
	}
	suite, err := officialSuite(shared)
	if err != nil {
		return 0, err
	}
	whole, err := clients(shared)
	if err != nil {
		return 0, err
	}
	for _, profile := range oracle.Profiles() {
		byProfile[profile] = append(append(byProfile[profile], suite[profile]...), whole[profile]...)
	}
	total := 0
	for _, profile := range oracle.Profiles() {
		checks := byProfile[profile]
		if len(checks) == 0 {
			continue
		}
		n, err := compare(profile, checks)
		if err != nil {
			return total, err
		}
		fmt.Printf("%s: %d requests, %d differ from the record\n", profile, len(checks), n)
		total += n
	}
	return total, nil
}

// compare asks the oracle of one profile everything and prints the differences.
func compare(profile string, checks []check) (int, error) {
	p, err := oracle.Start(context.Background(), profile)
	if err != nil {
		return 0, err
	}
	defer p.Close()
	requests := make([]oracle.Request, len(checks))
	for i, c := range checks {
		requests[i] = c.request
	}
	answers, err := p.AskAll(requests)
	if err != nil {
		return 0, err
	}
	differ := 0
	for i, c := range checks {
		if d := c.same(answers[i]); d != "" {
			differ++
			fmt.Printf("%s %s: %s\n", profile, c.id, d)
		}
	}
	return differ, nil
}
