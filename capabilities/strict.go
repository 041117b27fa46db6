package capabilities

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
)

// decodeStrict decodes data into target and refuses unknown keys, naming the
// nearest known one. Lines are those of data.
func decodeStrict(data []byte, target any) error { return decodeFrom(data, 1, target) }

// decodeFrom is decodeStrict for data that begins on the line first of its file.
func decodeFrom(data []byte, first int, target any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	err := d.Decode(target)
	if err == nil {
		if _, err := d.Token(); !errors.Is(err, io.EOF) {
			return errors.New("unexpected text after the JSON value")
		}
		return nil
	}
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		key := m[1]
		line := first + bytes.Count(data[:max(0, bytes.Index(data, []byte(`"`+key+`"`)))], []byte("\n"))
		if near := Nearest(key, fieldNames(reflect.TypeOf(target), map[reflect.Type]bool{})); near != "" {
			return fmt.Errorf("line %d: unknown key %q; did you mean %q?", line, key, near)
		}
		return fmt.Errorf("line %d: unknown key %q", line, key)
	}
	var syntax *json.SyntaxError
	var typ *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: %w", first+bytes.Count(data[:min(len(data), int(syntax.Offset))], []byte("\n")), err)
	case errors.As(err, &typ):
		return fmt.Errorf("line %d: %q must be %s, not %s", first+bytes.Count(data[:min(len(data), int(typ.Offset))], []byte("\n")), typ.Field, typ.Type, typ.Value)
	}
	return err
}

// DecodeValue decodes a claim's value strictly into the type registered for key.
func DecodeValue(key string, raw json.RawMessage) (any, error) {
	construct, ok := claimTypes[key]
	if !ok {
		return nil, fmt.Errorf("unknown claim %q", key)
	}
	value := construct()
	if err := decodeStrict(raw, value); err != nil {
		return value, err
	}
	return value, checkValue(value)
}

var unknownField = regexp.MustCompile(`unknown field "(.*)"`)

// fieldNames collects the JSON names of all fields reachable from t.
func fieldNames(t reflect.Type, seen map[reflect.Type]bool) []string {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return nil
	}
	seen[t] = true
	var names []string
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name != "" && name != "-" {
			names = append(names, name)
		}
		names = append(names, fieldNames(f.Type, seen)...)
	}
	return names
}

// Nearest returns the candidate that word may stand for, or "" when none is likely: of
// those that begin with it (two bytes or more) the shortest, else the one with the
// smallest edit distance, when that is a slip of at most a third of its length.
func Nearest(word string, candidates []string) string {
	best, bestDistance := "", 1+max(1, len(word)/3)
	begins := false
	for _, c := range candidates {
		d := editDistance(word, c)
		switch longer := len(word) >= 2 && strings.HasPrefix(c, word); {
		case longer && (!begins || d < bestDistance):
			best, bestDistance, begins = c, d, true
		case !begins && d < bestDistance:
			best, bestDistance = c, d
		}
	}
	return best
}

// editDistance counts insertions, deletions, replacements and swaps of neighbours.
func editDistance(a, b string) int {
	var before []int
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, prev = prev, row
	}
	return prev[len(b)]
}
