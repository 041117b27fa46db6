package main

import (
	"context"
	"fmt"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ground"
	"github.com/hostmatrix/conform/validators/oracle"
)

// maxShown bounds the wrong proofs that are printed per profile.
const maxShown = 12

// proofs draws schemas, keeps for each profile those of which the search would say
// "proven", and asks the real library about instances that fit and that do not: its
// verdict must be that of the schema's own dialect on each.
func proofs(seed, count uint64) error {
	drawn := make([]*schema.Value, count)
	for n := range drawn {
		drawn[n] = newDice(seed, uint64(n)).document()
	}
	fmt.Printf("proofs: %d schemas drawn with seed %d\n%-26s %8s %10s %8s %8s\n", count, seed, "profile", "proven", "instances", "refused", "wrong")
	wrong := 0
	for _, p := range validators.Profiles() {
		process, err := oracle.Start(context.Background(), p.ID)
		if err != nil {
			continue
		}
		t, err := proofsOf(p.ID, process, drawn, seed)
		process.Close()
		if err != nil {
			return fmt.Errorf("asking the library of %s: %w", p.ID, err)
		}
		wrong += t.wrong
		fmt.Printf("%-26s %8d %10d %8d %8d\n", p.ID, t.proven, t.instances, t.refused, t.wrong)
	}
	fmt.Printf("proofs: %d wrong\n", wrong)
	return nil
}

// proofTally counts one profile. refused are schemas that the real library does not
// compile, of which a proof says nothing and the search is never asked.
type proofTally struct{ proven, instances, refused, wrong int }

func proofsOf(profile string, process *oracle.Process, drawn []*schema.Value, seed uint64) (proofTally, error) {
	var t proofTally
	var requests []oracle.Request
	var wanted [][]validators.Outcome
	for n, document := range drawn {
		dialect, own := witness.Dialect(validators.NewCache(), document)
		if own == nil {
			continue
		}
		if _, ok := witness.Equivalent(document, dialect, profile); !ok {
			continue
		}
		request := oracle.Request{Schema: document.Compact()}
		var outcomes []validators.Outcome
		made := witness.New(nil, witness.Options{Budget: 30, Seed: seed}).Generated(document)
		for _, v := range append(made, newDice(seed, uint64(n)).instances(30)...) {
			if ground.Assumed(v) {
				request.Instances = append(request.Instances, v.Compact())
				outcomes = append(outcomes, own.Validate(v).Outcome)
			}
		}
		requests, wanted = append(requests, request), append(wanted, outcomes)
	}
	t.proven = len(requests)
	answers, err := process.AskAll(requests)
	if err != nil {
		return t, err
	}
	for i, a := range answers {
		if a.CompileError != nil {
			t.refused++
			continue
		}
		for k, r := range a.Results {
			t.instances++
			if r.Outcome == wanted[i][k] {
				continue
			}
			if t.wrong++; t.wrong <= maxShown {
				fmt.Printf("  WRONG PROOF by %s: %s is %s for the dialect, %s for the library: %s\n", profile, requests[i].Instances[k], wanted[i][k], r.Outcome, requests[i].Schema)
			}
		}
	}
	return t, nil
}
