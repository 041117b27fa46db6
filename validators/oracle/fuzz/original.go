package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/hostmatrix/conform/validators/oracle"
)

// original is the real library, started again when it hangs or dies.
type original struct {
	start   func() (*oracle.Process, error)
	process *oracle.Process
	skipped int // requests that the library did not answer
}

// ask returns an answer for each request, nil where the library gave none.
func (o *original) ask(requests []oracle.Request) ([]*oracle.Answer, error) {
	out := make([]*oracle.Answer, 0, len(requests))
	for len(out) < len(requests) {
		if o.process == nil {
			p, err := o.start()
			if err != nil {
				return nil, err
			}
			o.process = p
		}
		answers, err := o.process.AskAll(requests[len(out):])
		for i := range answers {
			out = append(out, &answers[i])
		}
		if err != nil {
			if errors.Is(err, oracle.ErrNotInstalled) {
				return nil, err
			}
			fmt.Fprintf(os.Stderr, "fuzz: no answer: %.400v\n", err)
			out = append(out, nil)
			o.skipped++
			o.close()
		}
	}
	return out, nil
}

func (o *original) close() {
	if o.process != nil {
		o.process.Close()
		o.process = nil
	}
}
