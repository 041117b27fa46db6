package validators

import (
	"context"
	"errors"
	"io"
	"runtime"

	"github.com/hostmatrix/conform/schema"
)

// bowtieDialects maps the dialects that the Bowtie harness may ask for to the
// profiles that answer for the specification itself.
var bowtieDialects = []struct{ uri, profile string }{
	{"https://json-schema.org/draft/2020-12/schema", "2020-12"},
	{"http://json-schema.org/draft-07/schema#", "draft-07"},
}

// ServeBowtie answers the Bowtie harness protocol, version 1: start, dialect, run
// and stop, one JSON object a line. Source: the protocol's schema in
// bowtie-json-schema/bowtie, bowtie/schemas/io-schema.json. A case with a
// registry of further schemas is skipped: the profiles load nothing. The error is
// that of reading, writing or ctx.
func ServeBowtie(ctx context.Context, in io.Reader, out io.Writer) error {
	b := bowtie{profile: bowtieDialects[0].profile}
	return serve(ctx, in, out, b.respond)
}

type bowtie struct{ profile string }

func (b *bowtie) respond(line []byte) []byte {
	v, err := schema.Parse(line, schema.Limits{Bytes: MaxLine})
	if err != nil {
		return errored(nil, err.Error())
	}
	command, _ := v.Get("cmd").IsString()
	switch command {
	case "start":
		return started(v)
	case "dialect":
		return b.dialect(v)
	case "run":
		return b.run(v)
	case "stop":
		return nil
	}
	return errored(v.Get("seq"), "there is no command "+schema.Quote(command)+"; the protocol has start, dialect, run and stop")
}

func started(v *schema.Value) []byte {
	if version := v.Get("version"); version == nil || version.Text != "1" {
		return errored(nil, "only version 1 of the protocol is known")
	}
	dialects := make([]*schema.Value, len(bowtieDialects))
	for i, d := range bowtieDialects {
		dialects[i] = schema.Str(d.uri)
	}
	const home = "https://github.com/hostmatrix/conform"
	return line(schema.Obj(
		schema.Member{Key: "version", Value: schema.Num(1)},
		schema.Member{Key: "implementation", Value: schema.Obj(
			schema.Member{Key: "language", Value: schema.Str("go")},
			schema.Member{Key: "language_version", Value: schema.Str(runtime.Version())},
			schema.Member{Key: "name", Value: schema.Str("conform")},
			schema.Member{Key: "homepage", Value: schema.Str(home)},
			schema.Member{Key: "issues", Value: schema.Str(home + "/issues")},
			schema.Member{Key: "source", Value: schema.Str(home)},
			schema.Member{Key: "dialects", Value: schema.List(dialects...)},
		)},
	))
}

func (b *bowtie) dialect(v *schema.Value) []byte {
	wanted, _ := v.Get("dialect").IsString()
	for _, d := range bowtieDialects {
		if d.uri == wanted {
			b.profile = d.profile
			return line(schema.Obj(schema.Member{Key: "ok", Value: schema.Flag(true)}))
		}
	}
	return line(schema.Obj(schema.Member{Key: "ok", Value: schema.Flag(false)}))
}

func (b *bowtie) run(v *schema.Value) []byte {
	seq, c := v.Get("seq"), v.Get("case")
	document, tests := c.Get("schema"), c.Get("tests")
	if document == nil || tests == nil || tests.Kind != schema.Array {
		return errored(seq, `"case" needs "schema" and an array "tests"`)
	}
	if registry := c.Get("registry"); registry != nil && len(registry.Members) > 0 {
		return skipped(seq, "the case brings schemas to refer to, and nothing is loaded")
	}
	validator, err := Compile(b.profile, document)
	var unknown *UnknownError
	switch {
	case errors.As(err, &unknown):
		return skipped(seq, unknown.Reason)
	case err != nil:
		return errored(seq, err.Error())
	}
	results := make([]*schema.Value, len(tests.Items))
	for i, test := range tests.Items {
		results[i] = bowtieResult(validator, test.Get("instance"))
	}
	return withSeq(seq, schema.Member{Key: "results", Value: schema.List(results...)})
}

func bowtieResult(validator Validator, instance *schema.Value) *schema.Value {
	if instance == nil {
		return erroredResult("the test has no instance")
	}
	switch r := validator.Validate(instance); r.Outcome {
	case Valid, Invalid:
		return schema.Obj(schema.Member{Key: "valid", Value: schema.Flag(r.Outcome == Valid)})
	case Unknown:
		return schema.Obj(
			schema.Member{Key: "skipped", Value: schema.Flag(true)},
			schema.Member{Key: "message", Value: schema.Str(r.Text)},
		)
	default:
		return erroredResult(r.Text)
	}
}

// erroredResult is an error as the protocol has it.
func erroredResult(message string) *schema.Value {
	return schema.Obj(
		schema.Member{Key: "errored", Value: schema.Flag(true)},
		schema.Member{Key: "context", Value: schema.Obj(schema.Member{Key: "message", Value: schema.Str(message)})},
	)
}

func errored(seq *schema.Value, message string) []byte {
	return withSeq(seq, erroredResult(message).Members...)
}

func skipped(seq *schema.Value, message string) []byte {
	return withSeq(seq,
		schema.Member{Key: "skipped", Value: schema.Flag(true)},
		schema.Member{Key: "message", Value: schema.Str(message)},
	)
}

func withSeq(seq *schema.Value, members ...schema.Member) []byte {
	if seq == nil {
		return line(schema.Obj(members...))
	}
	return line(schema.Obj(append([]schema.Member{{Key: "seq", Value: seq}}, members...)...))
}

func line(v *schema.Value) []byte { return schema.Append(nil, v, schema.Style{}) }
