package agreement

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// sdkPrefixes is what the SDKs print before the validator's own words.
var sdkPrefixes = []struct{ prefix, outcome string }{
	{"Structured content does not match the tool's output schema: ", "invalid"},
	{"Failed to validate structured content: ", "thrown"},
	{"Tool 't' has an invalid outputSchema: ", "compile error"},
	{"Invalid structured content returned by tool t: ", "invalid"},
	{"Invalid schema for tool t: ", "compile error"},
}

// SDK reads the constructs that real SDK clients were given, with the answers of
// one generation (a key of "observed"). Rows in which the validator had no say
// are left out.
func SDK(dir, generation string) ([]Case, error) {
	f, err := os.Open(filepath.Join(dir, "corpus", "sdk-constructs.jsonl"))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []Case
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var row struct {
			ID, Schema string
			Content    *string `json:"structured_content"`
			IsError    *bool   `json:"is_error"`
			Observed   map[string]struct {
				Verdict, V, Msg string
				Call            struct{ Msg string }
			}
		}
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return nil, err
		}
		o, ok := row.Observed[generation]
		if !ok || row.Schema == "" || row.Content == nil || *row.Content == "" || row.IsError != nil || strings.HasPrefix(row.ID, "list-") {
			continue
		}
		if want, ok := sdkAnswer(o.Verdict+o.V, o.Call.Msg+o.Msg); ok {
			out = append(out, Case{row.ID, row.Schema, []string{*row.Content}, []Answer{want}})
		}
	}
	return out, lines.Err()
}

// recordedRunes is where the recording of the Python rows cut; the TypeScript SDK
// v2 itself prints 200 characters of a compile error.
const recordedRunes = 300

func sdkAnswer(verdict, message string) (Answer, bool) {
	switch verdict {
	case "ok":
		return Answer{Outcome: "valid", HasText: true}, true
	case "EXC":
		_, text, _ := strings.Cut(message, ".")
		text = strings.TrimPrefix(text, "exceptions.")
		return Answer{Outcome: "exception", Text: text, HasText: true}, true
	case "INV", "THROW", "COMP", "INVALID", "SCHEMA":
		long := verdict == "COMP" || utf8.RuneCountInString(message) >= recordedRunes
		message = strings.TrimPrefix(message, "MCP error -32602: ")
		for _, p := range sdkPrefixes {
			if text, ok := strings.CutPrefix(message, p.prefix); ok {
				return Answer{p.outcome, text, true, long}, true
			}
		}
	}
	return Answer{}, false
}
