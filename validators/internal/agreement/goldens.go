package agreement

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
)

// Goldens reads the module's own constructs with the recorded answers of one
// profile: validators/oracle/goldens.
func Goldens(profile string) ([]Case, error) {
	_, file, _, _ := runtime.Caller(0)
	dir := filepath.Join(filepath.Dir(file), "..", "..", "oracle", "goldens")
	answers := map[string][]Answer{}
	err := eachLine(filepath.Join(dir, profile+".jsonl"), func(line []byte) error {
		var row struct {
			ID string
			recorded
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		answers[row.ID] = row.recorded.answers()
		return nil
	})
	if err != nil {
		return nil, err
	}
	var out []Case
	err = eachLine(filepath.Join(dir, "constructs.jsonl"), func(line []byte) error {
		var row struct {
			ID        string
			Schema    json.RawMessage
			Instances []json.RawMessage
		}
		if err := json.Unmarshal(line, &row); err != nil {
			return err
		}
		c := Case{ID: row.ID, Schema: string(row.Schema), Want: answers[row.ID]}
		for _, instance := range row.Instances {
			c.Instances = append(c.Instances, string(instance))
		}
		if len(c.Want) > 0 {
			out = append(out, c)
		}
		return nil
	})
	return out, err
}

// eachLine calls f with every line of a file of JSON lines.
func eachLine(name string, f func(line []byte) error) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		if err := f(lines.Bytes()); err != nil {
			return err
		}
	}
	return lines.Err()
}
