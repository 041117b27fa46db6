package oracle

import (
	"errors"
	"fmt"
	"runtime/debug"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// Emulate asks the Go profile what [Process.Ask] asks the original. Where the
// emulation cannot tell about the schema, every result is Unknown. An error
// means that there is no such profile, that a text is not JSON, or that the
// emulation panicked (the error then holds the stack).
//
// The caller must have registered the profiles (import validators/all).
func Emulate(profile string, r Request) (answer Answer, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the emulation of %s panicked: %v\n%s", profile, p, debug.Stack())
		}
	}()
	document, err := schema.ParseString(r.Schema)
	if err != nil {
		return Answer{}, fmt.Errorf("schema: %w", err)
	}
	validator, err := validators.Compile(profile, document)
	var refused *validators.CompileError
	var unknown *validators.UnknownError
	switch {
	case errors.As(err, &refused):
		return Answer{CompileError: &refused.Text}, nil
	case errors.As(err, &unknown):
		for range r.Instances {
			answer.Results = append(answer.Results, validators.Result{Outcome: validators.Unknown, Text: unknown.Reason})
		}
		return answer, nil
	case err != nil:
		return Answer{}, err
	}
	for _, text := range r.Instances {
		instance, err := schema.ParseString(text)
		if err != nil {
			return Answer{}, fmt.Errorf("instance: %w", err)
		}
		result := validator.Validate(instance)
		answer.Results = append(answer.Results, validators.Result{Outcome: result.Outcome, Text: result.Text})
	}
	return answer, nil
}
