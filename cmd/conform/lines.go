package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// maxLine bounds one line of `conform validate`, in bytes.
const maxLine = 64 << 20

// serveLines answers the line protocol: a schema with instances per line in, one
// answer per line out, in order.
func serveLines(in io.Reader, out io.Writer, profile string) error {
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 1<<20), maxLine)
	w := bufio.NewWriter(out)
	for n := 1; scanner.Scan(); n++ {
		v, err := schema.Parse(append([]byte(nil), scanner.Bytes()...), schema.Limits{})
		if err != nil {
			return usage("line %d: not JSON: %w", n, err)
		}
		document := v.Get("schema")
		if document == nil {
			return usage("line %d: needs {\"schema\": …, \"instances\": […]}", n)
		}
		fmt.Fprintln(w, answer(profile, document, v.Get("instances")).Compact())
		if err := w.Flush(); err != nil {
			return err
		}
	}
	return scanner.Err()
}

func answer(profile string, document, instances *schema.Value) *schema.Value {
	one := func(key string, v *schema.Value) *schema.Value { return schema.Obj(schema.Member{Key: key, Value: v}) }
	validator, err := validators.Compile(profile, document)
	var refused *validators.CompileError
	switch {
	case errors.As(err, &refused):
		return one("compile_error", schema.Str(refused.Text))
	case err != nil:
		return one("unknown", schema.Str(err.Error()))
	}
	results := []*schema.Value{}
	if instances != nil {
		for _, instance := range instances.Items {
			r := validator.Validate(instance)
			switch r.Outcome {
			case validators.Valid:
				results = append(results, one("valid", schema.Flag(true)))
			case validators.Invalid:
				results = append(results, one("valid", schema.Flag(false)).With("text", schema.Str(r.Text)))
			case validators.Thrown:
				results = append(results, one("thrown", schema.Str(r.Text)))
			default:
				results = append(results, one("unknown", schema.Str(r.Text)))
			}
		}
	}
	return one("results", schema.List(results...))
}
