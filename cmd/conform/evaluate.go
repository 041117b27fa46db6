package main

import (
	"sync"
	"time"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix"
	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/reports"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"

	_ "github.com/hostmatrix/conform/validators/all" // profiles
)

// evaluate runs the matrix and builds the canonical report.
func evaluate(table *capabilities.Table, columns []*capabilities.Resolved, capture *recording.Capture) (*verdict.Report, error) {
	evaluated, err := columnsOf(columns, capture)
	if err != nil {
		return nil, err
	}
	return reports.Build(reports.Input{
		Capture: capture, Columns: evaluated, Table: table, Digest: digest(table),
		Version: version(), Now: time.Now(),
	}), nil
}

func columnsOf(columns []*capabilities.Resolved, capture *recording.Capture) ([]matrix.Column, error) {
	set, err := shapes()
	if err != nil {
		return nil, err
	}
	made := &instances{kept: map[*schema.Value][]*schema.Value{}}
	return matrix.Evaluate(matrix.Input{Capture: capture, Hosts: columns, Shapes: set, Synthesize: made.of}), nil
}

// instances makes values that an outputSchema describes, for tools without a real
// result: each schema once, however many hosts ask.
type instances struct {
	mu   sync.Mutex
	kept map[*schema.Value][]*schema.Value
}

// of returns only values that are proven valid by the dialect that the schema
// itself declares: a host that rejects one then differs from the specification,
// and not from a bad guess of ours.
func (i *instances) of(output *schema.Value) []*schema.Value {
	i.mu.Lock()
	defer i.mu.Unlock()
	if values, done := i.kept[output]; done {
		return values
	}
	var values []*schema.Value
	if validator, err := validators.Compile("spec-dispatch", output); err == nil {
		for _, v := range recording.Synthesize(output) {
			if validator.Validate(v).Outcome == validators.Valid {
				values = append(values, v)
			}
		}
	}
	i.kept[output] = values
	return values
}
