package ajv_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"testing"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/ajv"
)

type verdicts struct {
	CompileError *string `json:"compile_error"`
	Results      []struct {
		Valid  *bool   `json:"valid"`
		Text   string  `json:"text"`
		Thrown *string `json:"thrown"`
	} `json:"results"`
}

func TestProbes(t *testing.T) {
	f, err := os.Open(os.Getenv("CONFORM_SHARED") + "/corpus/validator-probes.jsonl.gz")
	if err != nil {
		t.Skip(err)
	}
	z, _ := gzip.NewReader(f)
	sc := bufio.NewScanner(z)
	sc.Buffer(nil, 1<<26)
	names := map[string]string{"ajv8-draft07-lax": "ts-sdk-1.32.2-ajv", "ajv8-dispatch": "ts-client-2.4.0-ajv", "ajv8-strict": "ajv-8.20.0-strict", "ajv6": "ajv-6.15.0"}
	total, bad := map[string]int{}, map[string]int{}
	for sc.Scan() {
		var line struct {
			ID        string
			Schema    string
			Instances []string
			Verdicts  map[string]verdicts
		}
		if err := json.Unmarshal(sc.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		for id, key := range names {
			if _, ok := validators.Lookup(id); !ok {
				continue
			}
			want := line.Verdicts[key]
			v, err := validators.Compile(id, schema.MustParse(line.Schema))
			total[id]++
			if err != nil || want.CompileError != nil {
				got := "<compiles>"
				if err != nil {
					got = err.Error()
				}
				exp := "<compiles>"
				if want.CompileError != nil {
					exp = *want.CompileError
				}
				if got != exp {
					bad[id]++
					t.Errorf("%s %s\n schema %s\n got  %s\n want %s", id, line.ID, line.Schema, got, exp)
				}
				continue
			}
			for i, inst := range line.Instances {
				r := v.Validate(schema.MustParse(inst))
				w := want.Results[i]
				exp := "invalid " + w.Text
				if w.Thrown != nil {
					exp = "thrown " + *w.Thrown
				} else if *w.Valid {
					exp = "valid "
				}
				if got := r.Outcome.String() + " " + r.Text; got != exp {
					bad[id]++
					t.Errorf("%s %s\n schema %s\n inst %s\n got  %s\n want %s", id, line.ID, line.Schema, inst, got, exp)
				}
			}
		}
	}
	t.Log(total, bad)
}
