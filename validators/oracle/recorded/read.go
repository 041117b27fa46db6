package main

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

// probeNames maps the library names of the probe file to profiles.
var probeNames = map[string]string{
	"ts-sdk-1.32.2-ajv":        "ajv8-draft07-lax",
	"ts-client-2.4.0-ajv":      "ajv8-dispatch",
	"ts-client-2.4.0-cfworker": "cfworker-dispatch",
	"ajv-6.15.0":               "ajv6",
	"ajv-8.20.0-strict":        "ajv8-strict",
	"py-jsonschema-4.26.0":     "python-jsonschema",
}

// suiteNames maps the column names of the suite's verdicts to profiles. The
// "ajv2020" column was made by an Ajv2020 without the SDK's dialect rule, so it
// holds for ajv8-2020-only where no other $schema is declared at the root.
var suiteNames = map[string]string{
	"ajv7":     "ajv8-draft07-lax",
	"ajv2020":  "ajv8-2020-only",
	"cfworker": "cfworker-2020",
}

func probes(shared string) (map[string][]check, error) {
	text, err := readGzip(filepath.Join(shared, "corpus", "validator-probes.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	out := map[string][]check{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		v, err := schema.Parse(line, schema.Limits{})
		if err != nil {
			return nil, fmt.Errorf("validator-probes.jsonl.gz: %w", err)
		}
		request := oracle.Request{Schema: v.Get("schema").Text}
		for _, instance := range v.Get("instances").Items {
			request.Instances = append(request.Instances, instance.Text)
		}
		for _, m := range v.Get("verdicts").Members {
			profile, ok := probeNames[m.Key]
			if !ok {
				continue
			}
			want, err := oracle.ParseAnswer([]byte(m.Value.Compact()))
			if err != nil {
				return nil, fmt.Errorf("probe %s: %w", v.Get("id").Text, err)
			}
			out[profile] = append(out[profile], check{v.Get("id").Text, request, func(got oracle.Answer) string {
				if got.Line() == want.Line() {
					return ""
				}
				return fmt.Sprintf("recorded %s, now %s", want.Line(), got.Line())
			}})
		}
	}
	return out, nil
}

func officialSuite(shared string) (map[string][]check, error) {
	text, err := readGzip(filepath.Join(shared, "corpus", "json-schema-test-suite.verdicts.json.gz"))
	if err != nil {
		return nil, err
	}
	verdicts, err := schema.Parse(text, schema.Limits{})
	if err != nil {
		return nil, fmt.Errorf("suite verdicts: %w", err)
	}
	archive, err := readGzip(filepath.Join(shared, "corpus", "json-schema-test-suite.tar.gz"))
	if err != nil {
		return nil, err
	}
	out := map[string][]check{}
	r := tar.NewReader(bytes.NewReader(archive))
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		draft, file, ok := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(h.Name, "./"), "tests/"), "/")
		if !ok || !strings.HasSuffix(file, ".json") || strings.HasPrefix(draft, "remotes") {
			continue
		}
		text, err := io.ReadAll(r)
		if err != nil {
			return nil, err
		}
		if err := suiteFile(out, verdicts, draft, file, text); err != nil {
			return nil, fmt.Errorf("%s: %w", h.Name, err)
		}
	}
}

func suiteFile(out map[string][]check, verdicts *schema.Value, draft, file string, text []byte) error {
	groups, err := schema.Parse(text, schema.Limits{})
	if err != nil {
		return err
	}
	for g, group := range groups.Items {
		document := group.Get("schema")
		request := oracle.Request{Schema: string(text[document.Start:document.End])}
		columns := map[string][]string{}
		for t, test := range group.Get("tests").Items {
			data := test.Get("data")
			request.Instances = append(request.Instances, string(text[data.Start:data.End]))
			recorded := verdicts.Get(fmt.Sprintf("%s|%s|%d|%d", draft, file, g, t))
			for column := range suiteNames {
				verdict, _ := recorded.Get(column).IsString()
				columns[column] = append(columns[column], verdict)
			}
		}
		for column, want := range columns {
			profile := suiteNames[column]
			if column == "ajv2020" && !dialect2020(document) {
				continue
			}
			id := fmt.Sprintf("%s|%s|%d", draft, file, g)
			out[profile] = append(out[profile], check{id, request, func(got oracle.Answer) string { return compareSuite(want, got) }})
		}
	}
	return nil
}

// dialect2020 reports whether the SDK's dialect rule lets a schema through to Ajv2020.
func dialect2020(document *schema.Value) bool {
	declared, ok := document.Get("$schema").IsString()
	return document.Kind == schema.Object && (!ok || declared == "https://json-schema.org/draft/2020-12/schema")
}

// recordedWidth is the length at which the record of the suite cuts texts off.
const recordedWidth = 100

// compareSuite compares words such as "valid" or "compile-error: …" per test.
func compareSuite(want []string, got oracle.Answer) string {
	for i, w := range want {
		word := ""
		if got.CompileError != nil {
			word = "compile-error: " + *got.CompileError
		} else {
			word = got.Results[i].Outcome.String()
			if got.Results[i].Outcome == validators.Thrown {
				word = "throw: " + got.Results[i].Text
			}
		}
		if w != word && !(len([]rune(w)) >= recordedWidth && strings.HasPrefix(word, w)) {
			return fmt.Sprintf("test %d: recorded %q, now %q", i, w, word)
		}
	}
	return ""
}

func readGzip(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, err := gzip.NewReader(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return io.ReadAll(r)
}
