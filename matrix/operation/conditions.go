package operation

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"sort"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

// words are the parameters, the same in all operations, that take one of a few
// words.
var words = map[string][]string{
	"scope":             {"root", "all", "below"},
	"object_properties": {"root", "all"},
	"unit":              {"utf16", "bytes"},
	"measure":           {"utf16", "bytes"},
	"part":              {"each", "blocks"},
	"as":                {"text", "json"},
}

// sane refuses parameters that no operation means: words that are none, numbers
// below zero, conditions that no view has.
func sane(params json.RawMessage) error {
	var given map[string]any
	if json.Unmarshal(params, &given) != nil {
		return nil // the operation itself says what is wrong
	}
	keys := make([]string, 0, len(given))
	for key := range given {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		switch v := given[key].(type) {
		case float64:
			if v < 0 {
				return fmt.Errorf("parameter %q: %v is negative", key, v)
			}
		case string:
			if known := words[key]; known != nil {
				if err := among("parameter "+key+":", v, known); err != nil {
					return err
				}
			}
		}
	}
	return knownConditions(params)
}

// knownConditions refuses a "when" that names a condition which no view has: every
// render step takes the same ones.
func knownConditions(params json.RawMessage) error {
	var p struct {
		When []string `json:"when"`
	}
	if json.Unmarshal(params, &p) != nil {
		return nil
	}
	known := make([]string, 0, len(conditions))
	for k := range conditions {
		known = append(known, k)
	}
	sort.Strings(known)
	for _, c := range p.When {
		if err := among("no condition", strings.TrimPrefix(c, "not "), known); err != nil {
			return err
		}
	}
	return nil
}

// among refuses a word that is none of the known ones.
func among(what, word string, known []string) error {
	for _, k := range known {
		if k == word {
			return nil
		}
	}
	return fmt.Errorf("%s %q; %s", what, word, hint(word, known))
}

// hint says which of the known names is meant, or which there are.
func hint(name string, known []string) string {
	if near := capabilities.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	const most = 12
	if len(known) > most {
		return fmt.Sprintf("there are %s and %d more", strings.Join(known[:most], ", "), len(known)-most)
	}
	return "there are " + strings.Join(known, ", ")
}

var unknownField = regexp.MustCompile(`unknown field "(.*)"`)

// readable says what is wrong with parameters as people write them, with the
// nearest parameter that target has.
func readable(err error, target any) error {
	if err == nil {
		return nil
	}
	if m := unknownField.FindStringSubmatch(err.Error()); m != nil {
		return fmt.Errorf("no parameter %q; %s", m[1], hint(m[1], parametersOf(reflect.TypeOf(target).Elem())))
	}
	var wrong *json.UnmarshalTypeError
	if errors.As(err, &wrong) {
		field := wrong.Field
		if t := reflect.TypeOf(target).Elem(); t.Kind() == reflect.Struct {
			for _, f := range reflect.VisibleFields(t) {
				if f.Anonymous { // encoding/json names the embedded struct, which no table does
					field = strings.TrimPrefix(field, f.Name+".")
				}
			}
		}
		return fmt.Errorf("parameter %q must be %s, not %s", field, wrong.Type, wrong.Value)
	}
	return err
}

func parametersOf(t reflect.Type) []string {
	if t.Kind() != reflect.Struct {
		return []string{"none"}
	}
	out := []string{}
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous && name == "" {
			out = append(out, parametersOf(f.Type)...)
		} else if name != "" && name != "-" {
			out = append(out, name)
		}
	}
	if len(out) == 0 {
		return []string{"none"}
	}
	sort.Strings(out)
	return out
}
