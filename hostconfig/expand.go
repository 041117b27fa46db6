package hostconfig

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Surroundings are what variables and paths stand for. The zero value has none.
type Surroundings struct {
	OS     string // as runtime.GOOS
	Home   string // home folder of the user
	Folder string // workspace folder, absolute
	// Env looks up a variable; nil knows none.
	Env func(name string) (string, bool)
	// Inputs are the answers to what a host would ask a person for, by id.
	Inputs map[string]string
	// ReadFile reads a file that a configuration names; nil reads none.
	ReadFile func(name string) ([]byte, error)
	// Glob lists the files that match a pattern, as filepath.Glob; nil finds none.
	Glob func(pattern string) ([]string, error)
}

// with returns the surroundings in which the files of variables count too.
func (s Surroundings) with(files []string) Surroundings {
	if len(files) == 0 || s.ReadFile == nil {
		return s
	}
	var more map[string]string // read when the first variable is looked for
	around := s
	around.Env = func(name string) (string, bool) {
		if v, ok := s.env(name); ok {
			return v, true
		}
		if more == nil {
			more = map[string]string{}
			for _, f := range slices.Backward(files) {
				data, err := readBounded(s.path(f), s)
				if err != nil {
					continue // the host does without it as well
				}
				for _, line := range dotenv(data) {
					k, v, _ := strings.Cut(line, "=")
					more[k] = v
				}
			}
		}
		v, ok := more[name]
		return v, ok
	}
	return around
}

func (s Surroundings) env(name string) (string, bool) {
	if s.Env == nil {
		return "", false
	}
	return s.Env(name)
}

// path expands ~ and variables of a path in hosts.json, each once: what a variable
// holds is not looked at again. "" when one is not set.
func (s Surroundings) path(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "${")
		out.WriteString(before)
		if !found {
			break
		}
		var inner string
		inner, text, _ = strings.Cut(rest, "}")
		name, fallback, _ := strings.Cut(inner, ":-")
		v, ok := s.env(name)
		switch {
		case name == "workspaceFolder":
			v = s.Folder
		case !ok || v == "":
			v = s.home(fallback)
		}
		if v == "" {
			return ""
		}
		out.WriteString(v)
	}
	return filepath.FromSlash(s.home(out.String()))
}

// home replaces a leading ~; "" when there is no home folder.
func (s Surroundings) home(text string) string {
	rest, home := strings.CutPrefix(text, "~")
	switch {
	case !home:
		return text
	case s.Home == "":
		return ""
	}
	return s.Home + rest
}

// expander replaces the variables of one file.
type expander struct {
	around    Surroundings
	variables []*variable
	own       map[string]string        // variables of the entry itself
	inputs    map[string]*schema.Value // declared, by id
	folder    string                   // of the file
	secrets   []string
	expanded  []string
	notes     []string // variables that are not set, each a sentence
}

// expand replaces the variables in a text once: what a variable holds is not
// looked at again.
func (e *expander) expand(text string) (string, error) {
	var out strings.Builder
	for {
		v, m := e.first(text)
		if v == nil {
			out.WriteString(text)
			return out.String(), nil
		}
		group := func(name string) string {
			if i := v.expression.SubexpIndex(name); i > 0 && m[2*i] >= 0 {
				return text[m[2*i]:m[2*i+1]]
			}
			return ""
		}
		got, err := e.lookup(v, text[m[0]:m[1]], group)
		if err != nil {
			return "", err
		}
		out.WriteString(text[:m[0]])
		out.WriteString(got)
		text = text[m[1]:]
	}
}

// first finds the leftmost variable of any syntax.
func (e *expander) first(text string) (found *variable, match []int) {
	for _, v := range e.variables {
		if m := v.expression.FindStringSubmatchIndex(text); m != nil && (match == nil || m[0] < match[0]) {
			found, match = v, m
		}
	}
	return found, match
}

func (e *expander) lookup(v *variable, written string, group func(string) string) (string, error) {
	name := group("name")
	switch v.From {
	case "input":
		return e.input(name)
	case "file":
		return e.file(name)
	case "editor":
		switch name {
		case "workspaceFolder":
			return e.around.Folder, nil
		case "workspaceFolderBasename":
			return filepath.Base(e.around.Folder), nil
		case "userHome":
			return e.around.Home, nil
		}
		return string(filepath.Separator), nil
	}
	got, ok := e.around.env(name)
	if v.From == "own" {
		got, ok = e.own[name]
	}
	switch {
	case ok && (got != "" || group("has") == ""):
		e.expanded = append(e.expanded, name+"="+got)
		return got, nil
	case group("has") != "":
		return group("default"), nil
	case v.Unset == "keep":
		e.note("%s stays as it is written: the variable %s is not set here", written, name)
		return written, nil
	case v.Unset == "empty":
		e.note("%s stands for nothing: the variable %s is not set here", written, name)
		return "", nil
	}
	return "", fmt.Errorf("%s: the variable %s is not set here; set it, or write a default", written, name)
}

// note keeps what a person should know about a value, once.
func (e *expander) note(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(e.notes, text) {
		e.notes = append(e.notes, text)
	}
}

func (e *expander) input(id string) (string, error) {
	declared := e.inputs[id]
	got, ok := e.around.Inputs[id]
	if !ok {
		if got, ok = declared.Get("default").IsString(); !ok {
			return "", fmt.Errorf("${input:%s}: the host would ask for it; give --input '%s=$VARIABLE'", id, id)
		}
		return got, nil
	}
	if declared.Get("password").IsTrue() {
		e.secrets = append(e.secrets, got)
	}
	return got, nil
}

// maxIncluded bounds a file whose text a variable stands for: it becomes an
// environment variable or a header, which systems bound near that size.
const maxIncluded = 64 << 10

func (e *expander) file(name string) (string, error) {
	data, err := e.read(name)
	if err != nil {
		return "", fmt.Errorf("{file:%s}: %w", name, err)
	}
	if len(data) > maxIncluded {
		return "", fmt.Errorf("{file:%s}: is longer than %d bytes", name, maxIncluded)
	}
	text := strings.TrimSpace(string(data))
	e.secrets = append(e.secrets, text)
	return text, nil
}

func (e *expander) read(name string) ([]byte, error) {
	if e.around.ReadFile == nil {
		return nil, errors.New("files are not read here")
	}
	if rest, home := strings.CutPrefix(name, "~"); home {
		name = e.around.Home + rest
	}
	if !filepath.IsAbs(name) {
		name = filepath.Join(e.folder, name)
	}
	return e.around.ReadFile(name)
}
