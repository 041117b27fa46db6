// Package agreement measures a profile against recorded verdicts of the library
// that it follows. The recordings are not part of this module: the environment
// variable CONFORM_SHARED, or a folder "shared" beside the module, holds them.
package agreement

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Answer is what a library made of one instance, or of the schema.
type Answer struct {
	Outcome string // valid, invalid, thrown, compile error
	Text    string
	// HasText says that the text was recorded, too; Cut, that its end was not.
	HasText, Cut bool
}

// Case is one schema with its instances and the recorded answer to each.
type Case struct {
	ID        string
	Schema    string
	Instances []string
	Want      []Answer // one per instance, or a single compile error
}

// Dir is the folder of recordings, "" when there is none.
func Dir() string {
	if dir := os.Getenv("CONFORM_SHARED"); dir != "" {
		return dir
	}
	_, file, _, _ := runtime.Caller(0)
	root := filepath.Dir(filepath.Dir(filepath.Dir(filepath.Dir(file))))
	dir := filepath.Join(filepath.Dir(root), "shared")
	if _, err := os.Stat(filepath.Join(dir, "corpus")); err != nil {
		return ""
	}
	return dir
}

type recorded struct {
	CompileError *string `json:"compile_error"`
	Results      []struct {
		Valid  *bool   `json:"valid"`
		Text   string  `json:"text"`
		Thrown *string `json:"thrown"`
	} `json:"results"`
}

func (r recorded) answers() (out []Answer) {
	if r.CompileError != nil {
		return []Answer{{"compile error", *r.CompileError, true, false}}
	}
	for _, one := range r.Results {
		switch {
		case one.Thrown != nil:
			out = append(out, Answer{"thrown", *one.Thrown, true, false})
		case *one.Valid:
			out = append(out, Answer{"valid", "", true, false})
		default:
			out = append(out, Answer{"invalid", one.Text, true, false})
		}
	}
	return out
}

// Probes reads the minimal schemas with the verdicts of one column.
func Probes(dir, column string) ([]Case, error) {
	data, err := unzipped(filepath.Join(dir, "corpus", "validator-probes.jsonl.gz"))
	if err != nil {
		return nil, err
	}
	var out []Case
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row struct {
			ID, Schema string
			Instances  []string
			Verdicts   map[string]recorded
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		if v, ok := row.Verdicts[column]; ok {
			out = append(out, Case{row.ID, row.Schema, row.Instances, v.answers()})
		}
	}
	return out, lines.Err()
}

// Suite reads the official test suite with the verdicts of one column. Its key
// is draft|file|group|test.
func Suite(dir, column string) ([]Case, error) {
	verdictText, err := unzipped(filepath.Join(dir, "corpus", "json-schema-test-suite.verdicts.json.gz"))
	if err != nil {
		return nil, err
	}
	var verdicts map[string]map[string]string
	if err := json.Unmarshal(verdictText, &verdicts); err != nil {
		return nil, err
	}
	archive, err := unzipped(filepath.Join(dir, "corpus", "json-schema-test-suite.tar.gz"))
	if err != nil {
		return nil, err
	}
	var out []Case
	for files := tar.NewReader(bytes.NewReader(archive)); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		name, ok := strings.CutPrefix(path.Clean(header.Name), "tests/")
		if !ok || !strings.HasSuffix(name, ".json") {
			continue
		}
		var groups []suiteGroup
		if err := json.NewDecoder(files).Decode(&groups); err != nil {
			return nil, err
		}
		draft, file, _ := strings.Cut(name, "/")
		for g, group := range groups {
			if c, ok := group.caseOf(draft, file, g, column, verdicts); ok {
				out = append(out, c)
			}
		}
	}
}

type suiteGroup struct {
	Schema json.RawMessage
	Tests  []struct{ Data json.RawMessage }
}

func unzipped(file string) ([]byte, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
