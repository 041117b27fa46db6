package validators

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/hostmatrix/conform/schema"
)

// ServeLines answers the line protocol of `conform validate` until in ends: each
// line holds {"schema": …, "instances": [ … ]} and gets one line back, in order:
//
//	{"results":[{"valid":true},{"valid":false,"text":"…"},{"thrown":"…"},{"unknown":"…"}]}
//	{"compile_error":"…"}
//	{"error":"…"}            the line is no request
//
// Literals are kept as written: 1.0, 1e400 and duplicate keys reach the
// validator. Blank lines get no answer. The error is that of reading, writing or
// ctx, or says that there is no such profile.
func ServeLines(ctx context.Context, profileID string, in io.Reader, out io.Writer) error {
	profile, ok := Lookup(profileID)
	if !ok {
		return fmt.Errorf("no validator profile %q; `conform validate --list` prints the known ones", profileID)
	}
	return serve(ctx, in, out, func(line []byte) []byte {
		request, err := parseRequest(line)
		if err != nil {
			return member("error", err.Error())
		}
		return request.answer(profile)
	})
}

// serve calls respond for each line and writes what it returns as a line. A nil
// answer ends.
func serve(ctx context.Context, in io.Reader, out io.Writer, respond func(line []byte) []byte) error {
	lines, w := newLineReader(in), bufio.NewWriter(out)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		line, err := lines.next()
		var answer []byte
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case errors.Is(err, errLineTooLong):
			answer = member("error", err.Error())
		case err != nil:
			return fmt.Errorf("reading a request: %w", err)
		default:
			if answer = respond(line); answer == nil {
				return nil
			}
		}
		if _, err := w.Write(append(answer, '\n')); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
		if err := w.Flush(); err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
	}
}

// request is one line, parsed.
type request struct {
	schema    *schema.Value
	instances []*schema.Value
}

func parseRequest(line []byte) (request, error) {
	v, err := schema.Parse(line, schema.Limits{Bytes: MaxLine})
	if err != nil {
		return request{}, err
	}
	document, instances := v.Get("schema"), v.Get("instances")
	switch {
	case v.Kind != schema.Object:
		return request{}, errors.New(`a request is an object with "schema" and "instances"`)
	case document == nil:
		return request{}, errors.New(`the request has no "schema"`)
	case instances == nil || instances.Kind != schema.Array:
		return request{}, errors.New(`the request has no array "instances"`)
	}
	return request{document, instances.Items}, nil
}

func (r request) answer(profile Profile) []byte {
	validator, err := profile.compile(r.schema)
	var refused *CompileError
	if errors.As(err, &refused) {
		return member("compile_error", refused.Text)
	}
	out := []byte(`{"results":[`)
	for i, instance := range r.instances {
		if i > 0 {
			out = append(out, ',')
		}
		if err != nil {
			out = append(out, member("unknown", reasonOf(err))...)
		} else {
			out = append(out, resultLine(validator.Validate(instance))...)
		}
	}
	return append(out, `]}`...)
}

func reasonOf(err error) string {
	var unknown *UnknownError
	if errors.As(err, &unknown) {
		return unknown.Reason
	}
	return err.Error()
}

func resultLine(r Result) []byte {
	switch r.Outcome {
	case Valid:
		return []byte(`{"valid":true}`)
	case Invalid:
		return append([]byte(`{"valid":false,`), member("text", r.Text)[1:]...)
	}
	return member(r.Outcome.String(), r.Text)
}

// member is a JSON object with one string. Lone surrogates come out escaped.
func member(name, text string) []byte {
	out := append([]byte(`{"`), name...)
	out = append(out, `":`...)
	return append(schema.AppendQuoted(out, text), '}')
}
