package rewrite

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/hostmatrix/conform/rewrite/witness"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"

	_ "github.com/hostmatrix/conform/validators/all"
)

// generated is one change in a source that the real generator was given; see
// validators/oracle/generators/hints/run.sh, which makes testdata/generators.jsonl.
type generated struct {
	Generator, Version, Rewrite, Change string
	Before, After                       json.RawMessage
}

// readings are those in which what a hint leads to must be as good as the rewrite.
var readings = []string{"ajv8-draft07-lax", "ajv8-dispatch", "ajv6", "cfworker-dispatch", "python-jsonschema", "networknt-2020"}

// narrower are changes that promise less than the rewrite: the data change with them.
var narrower = map[string]bool{
	"a slice of one type with MinItems and MaxItems":           true,
	`#[schemars(with = "serde_json::Map<String, Value>")]`:     true,
	"Types set to nil and Type to array on the slice's schema": true,
}

func TestHintsWithTheRealGenerators(t *testing.T) {
	f, err := os.Open("testdata/generators.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	proven := map[[2]string]bool{}
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var g generated
		if err := json.Unmarshal(lines.Bytes(), &g); err != nil {
			t.Fatal(err)
		}
		proven[[2]string{g.Generator, g.Rewrite}] = true
		t.Run(g.Version+" "+g.Rewrite+": "+g.Change, func(t *testing.T) { g.check(t) })
	}
	for name, texts := range sourceHints {
		for generator := range texts {
			if !proven[[2]string{generator, name}] && generator != untried {
				t.Errorf("the hint of %s for %s was never tried with the real generator", generator, name)
			}
		}
	}
}

func (g generated) check(t *testing.T) {
	before, after := schema.MustParse(string(g.Before)), schema.MustParse(string(g.After))
	r, err := Find(g.Rewrite)
	if err != nil {
		t.Fatal(err)
	}
	rewritten, changed := r.Apply(before)
	if !changed {
		t.Fatalf("the rewrite does not apply to what the generator writes: %s", before.Compact())
	}
	if out, still := r.Apply(after); still {
		t.Errorf("the rewrite still applies after the change: %s\n-> %s", after.Compact(), out.Compact())
	}
	if r.Reshape != nil {
		return // the data change with it
	}
	if !before.Has("$schema") {
		after = after.Without("$schema") // the hint says so
	}
	for _, reading := range readings {
		was, err := validators.Compile(reading, rewritten)
		if err != nil {
			continue
		}
		now, err := validators.Compile(reading, after)
		if err != nil {
			t.Errorf("%s does not compile: %v", reading, err)
			continue
		}
		for _, v := range append(witness.Generate(rewritten, witness.Options{Budget: 40}), witness.Generate(after, witness.Options{Budget: 40})...) {
			if was.Validate(v).Outcome == validators.Valid && now.Validate(v).Outcome == validators.Invalid && !narrower[g.Change] {
				t.Errorf("%s takes %s after the rewrite and not after the change:\n%s\n%s", reading, v.Compact(), rewritten.Compact(), after.Compact())
				return
			}
		}
	}
}
