package spec

import (
	"cmp"
	"errors"
	"slices"
	"sort"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

type validator struct {
	schema *jsonschema.Schema
	meter  *meter
}

// Validate implements [validators.Validator].
func (v *validator) Validate(instance *schema.Value) validators.Result {
	if reason := v.meter.tooDear(instance); reason != "" {
		return unknown(reason)
	}
	doc, ok := toAny(instance)
	if !ok {
		return unknown("a number has an exponent beyond ±5000 or more than 20000 digits")
	}
	v.meter.mu.Lock()
	defer v.meter.mu.Unlock()
	v.meter.steps = 0
	err := guarded(func() error { return v.schema.Validate(doc) })
	return resultOf(err)
}

func unknown(reason string) validators.Result {
	return validators.Result{Outcome: validators.Unknown, Text: reason}
}

func resultOf(err error) validators.Result {
	var limit *limitError
	var failed *jsonschema.ValidationError
	switch {
	case err == nil:
		return validators.Result{Outcome: validators.Valid}
	case errors.As(err, &limit):
		return unknown(limit.reason)
	case !errors.As(err, &failed):
		return unknown(err.Error())
	}
	violations, cyclic := flatten(failed)
	if cyclic {
		return unknown("the schema refers to itself without consuming any data")
	}
	return validators.Result{Outcome: validators.Invalid, Text: joined(violations), Violations: violations}
}

var printer = message.NewPrinter(language.English)

// maxViolations bounds the leaves that are told of one validation; they are the first
// by place.
const maxViolations = 1_000

// leaf is an error without causes, with its place as text to sort by.
type leaf struct {
	instance, schema string
	err              *jsonschema.ValidationError
}

// compareLeaves orders leaves by place, those of one place by keyword.
func compareLeaves(a, b leaf) int {
	if a.instance != b.instance || a.schema != b.schema {
		return cmp.Or(strings.Compare(a.instance, b.instance), strings.Compare(a.schema, b.schema))
	}
	return slices.Compare(a.err.ErrorKind.KeywordPath(), b.err.ErrorKind.KeywordPath())
}

// flatten lists the leaves of the error tree by place. cyclic says that one of
// them is a reference cycle, for which the specification has no verdict.
func flatten(root *jsonschema.ValidationError) (violations []validators.Violation, cyclic bool) {
	var leaves []leaf
	var visit func(e *jsonschema.ValidationError)
	visit = func(e *jsonschema.ValidationError) {
		if _, ok := e.ErrorKind.(*kind.RefCycle); ok {
			cyclic = true
		}
		if len(e.Causes) == 0 {
			leaves = append(leaves, leaf{err: e})
			return
		}
		for _, cause := range e.Causes {
			visit(cause)
		}
	}
	visit(root)
	if len(leaves) > maxViolations {
		for i := range leaves {
			leaves[i].instance, leaves[i].schema = schema.Pointer(leaves[i].err.InstanceLocation).String(), leaves[i].err.SchemaURL
		}
		slices.SortFunc(leaves, compareLeaves)
		leaves = leaves[:maxViolations]
	}
	for _, l := range leaves {
		violations = append(violations, violationOf(l.err))
	}
	sort.SliceStable(violations, func(i, j int) bool {
		a, b := &violations[i], &violations[j]
		if x, y := a.Instance.String(), b.Instance.String(); x != y {
			return x < y
		}
		if x, y := a.Schema.String(), b.Schema.String(); x != y {
			return x < y
		}
		return a.Message < b.Message
	})
	return violations, cyclic
}

func violationOf(e *jsonschema.ValidationError) validators.Violation {
	path := e.ErrorKind.KeywordPath()
	if extra, ok := e.ErrorKind.(*kind.AdditionalProperties); ok {
		sort.Strings(extra.Properties) // they come in the order of a Go map
	}
	keyword := ""
	if len(path) > 0 {
		keyword = path[0]
	}
	if _, ok := e.ErrorKind.(*kind.FalseSchema); ok {
		keyword = "false schema"
	}
	return validators.Violation{
		Message:  e.ErrorKind.LocalizedString(printer),
		Keyword:  keyword,
		Schema:   pointerOf(e.SchemaURL).Append(path...),
		Instance: append(schema.Pointer(nil), e.InstanceLocation...),
	}
}

// pointerOf returns the JSON Pointer in the fragment of a schema URL.
func pointerOf(schemaURL string) schema.Pointer {
	_, fragment, _ := strings.Cut(schemaURL, "#")
	p, _ := schema.ParsePointer(unescapeFragment(fragment))
	return p
}

// joined renders violations in one line: "/a/0: got number, want string, …".
func joined(violations []validators.Violation) string {
	var b strings.Builder
	for i, v := range violations {
		if i > 0 {
			b.WriteString("; ")
		}
		if at := v.Instance.String(); at != "" {
			b.WriteString(at + ": ")
		}
		b.WriteString(v.Message)
	}
	return b.String()
}
