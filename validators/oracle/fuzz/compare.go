package main

import (
	"fmt"
	"time"

	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

// kind says how the emulation and the original part over one instance, from
// harmless to grave. A schema that one of them refuses counts as one instance.
type kind uint8

const (
	same    kind = iota
	unknown      // the emulation says that it cannot tell
	words        // the same outcome, other words
	outcome      // another outcome
	crash        // the emulation panicked, hung or would not read the text
)

func (k kind) String() string {
	return [...]string{"same", "unknown", "words", "outcome", "crash"}[k]
}

// goPatience is how long the emulation may take over one request.
const goPatience = 20 * time.Second

// emulate is oracle.Emulate with a time limit.
func emulate(profile string, r oracle.Request) (oracle.Answer, error) {
	type reply struct {
		answer oracle.Answer
		err    error
	}
	done := make(chan reply, 1)
	go func() {
		answer, err := oracle.Emulate(profile, r)
		done <- reply{answer, err}
	}()
	timer := time.NewTimer(goPatience)
	defer timer.Stop()
	select {
	case r := <-done:
		return r.answer, r.err
	case <-timer.C:
		return oracle.Answer{}, fmt.Errorf("no answer from the emulation within %v", goPatience)
	}
}

// difference is what is found on one instance, or on the schema (instance -1).
type difference struct {
	kind     kind
	instance int
	original string // outcome and words of the real library
	emulated string
}

// compare lists how the two answers to a request part. Texts are compared as
// goldens hold them.
func compare(profile string, r oracle.Request, original, emulated oracle.Answer, err error) []difference {
	original = original.Messages(profile)
	emulated = emulated.Messages(profile)
	if err != nil {
		return []difference{{crash, -1, original.Line(), err.Error()}}
	}
	if original.CompileError != nil && emulated.CompileError != nil {
		if *original.CompileError == *emulated.CompileError {
			return nil
		}
		return []difference{{words, -1, *original.CompileError, *emulated.CompileError}}
	}
	var out []difference
	for i := range r.Instances {
		k, a, b := part(original, emulated, i)
		if k == same {
			continue
		}
		if original.CompileError != nil || emulated.CompileError != nil {
			return []difference{{k, -1, a, b}}
		}
		out = append(out, difference{k, i, a, b})
	}
	return out
}

func part(original, emulated oracle.Answer, i int) (kind, string, string) {
	a, b := said(original, i), said(emulated, i)
	switch {
	case a == b:
		return same, a, b
	case emulated.CompileError == nil && emulated.Results[i].Outcome == validators.Unknown:
		return unknown, a, b
	case original.CompileError == nil && emulated.CompileError == nil && original.Results[i].Outcome == emulated.Results[i].Outcome:
		return words, a, b
	}
	return outcome, a, b
}

// said is the outcome and the words in one string.
func said(answer oracle.Answer, i int) string {
	if answer.CompileError != nil {
		return "compile error: " + *answer.CompileError
	}
	r := answer.Results[i]
	if r.Outcome == validators.Valid {
		return "valid"
	}
	return r.Outcome.String() + ": " + r.Text
}
