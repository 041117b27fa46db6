package hostconfig

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"sync"
)

//go:embed hosts.json
var hostsJSON []byte

// table is hosts.json: which host keeps which files, in which shape.
type table struct {
	Format    string               `json:"format"`
	Shapes    map[string]*shape    `json:"shapes"`
	Detect    []string             `json:"detect"` // shapes that a file of an unknown host is tried as, in order
	Variables map[string]*variable `json:"variables"`
	Hosts     map[string]keeper    `json:"hosts"`
}

// keeper says where one host keeps its servers, most specific file first.
type keeper struct {
	Source string `json:"source"` // where that is written
	Files  []file `json:"files"`
	// EnvFiles are files of variables that the host reads beside the environment,
	// which goes first; of these the first that has a variable counts.
	EnvFiles []string `json:"env_files"`
}

type file struct {
	OS    []string `json:"os"`   // values of runtime.GOOS; none means all
	Path  string   `json:"path"` // the last element may be a pattern of path.Match
	Shape string   `json:"shape"`
	// Variable holds the text itself, in place of a path.
	Variable string `json:"variable"`
	// Trusted is the condition under which the host reads the file, nil for always.
	Trusted *condition `json:"trusted"`
}

// condition is a value that a file of the host must have.
type condition struct {
	Path  string   `json:"path"`
	At    []string `json:"at"`
	Value string   `json:"value"`
}

// shape says how a file names its servers. Each list of keys is tried in order.
type shape struct {
	Doc       string            `json:"doc"`
	Syntax    string            `json:"syntax"`    // jsonc, toml or yaml
	At        []string          `json:"at"`        // path to the object of servers
	NameKey   string            `json:"name_key"`  // the servers are a list, each with its name under this key
	Inputs    string            `json:"inputs"`    // key of the list of inputs
	InputsAt  string            `json:"inputs_at"` // key of the object that holds it, "" for the root
	Extends   string            `json:"extends"`   // shape whose fields fill those left out
	Command   []string          `json:"command"`   // string, or list with the arguments
	Args      []string          `json:"args"`
	Env       []string          `json:"env"`
	EnvNames  []string          `json:"env_names"` // list of variables to pass on
	EnvFile   []string          `json:"env_file"`
	Dir       []string          `json:"dir"`
	URL       []urlKey          `json:"url"`
	Headers   []string          `json:"headers"`
	HeaderEnv []string          `json:"header_env"` // header to name of variable
	BearerEnv []string          `json:"bearer_env"` // name of the variable with the token
	Type      []string          `json:"type"`
	Types     map[string]string `json:"types"`  // value of type to transport; "" leaves it open; see typeInternal
	Within    []string          `json:"within"` // members that may hold the fields one level deeper
	Off       []switchKey       `json:"off"`
	// Allowed and Excluded are the paths of lists of servers that the host takes, or
	// leaves out, wherever they are named.
	Allowed  []string `json:"allowed"`
	Excluded []string `json:"excluded"`
	// Tools are lists of tools that the host leaves out of a server, or keeps alone.
	Tools []toolList `json:"tools"`
	// EnvNamesKept says where the host keeps the variables of EnvNames.
	EnvNamesKept string   `json:"env_names_kept"`
	Variables    []string `json:"variables"` // nil: those of Extends; empty: values are taken as written
	// HeaderVariables are the variables of header values, in place of Variables.
	HeaderVariables []string `json:"header_variables"`
}

// What types may say of a server besides its transport.
const (
	typeUnsupported = "unsupported" // no transport that MCP has
	typeInternal    = "internal"    // part of the host or of an extension: nothing that can be started or reached
)

// urlKey is a key for the endpoint and the transport that it implies.
type urlKey struct {
	Key       string `json:"key"`
	Transport string `json:"transport"`
}

// switchKey turns a server off when the key has the value.
type switchKey struct {
	Key  string `json:"key"`
	When bool   `json:"when"`
}

// toolList is a key with a list of tools.
type toolList struct {
	Key   string `json:"key"`
	Keeps bool   `json:"keeps"` // only those of the list are left
}

// variable is one way to write a variable.
type variable struct {
	Doc     string `json:"doc"`
	Pattern string `json:"pattern"` // groups: name, and for a default has and default
	From    string `json:"from"`    // env, own (the entry's own variables), input, file, editor
	Unset   string `json:"unset"`   // empty, keep, or error

	expression *regexp.Regexp
}

// builtin returns the embedded table.
var builtin = sync.OnceValues(func() (*table, error) { return parseTable(hostsJSON) })

func parseTable(data []byte) (*table, error) {
	t := new(table)
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(t); err != nil {
		return nil, fmt.Errorf("hosts.json: %w", err)
	}
	for name, v := range t.Variables {
		expression, err := regexp.Compile(v.Pattern)
		if err != nil {
			return nil, fmt.Errorf("hosts.json: variables.%s: %w", name, err)
		}
		v.expression = expression
	}
	for name, s := range t.Shapes {
		if s.Extends == "" {
			continue
		}
		base := t.Shapes[s.Extends]
		if base == nil || base.Extends != "" {
			return nil, fmt.Errorf("hosts.json: shapes.%s extends %q, which is no shape that stands alone", name, s.Extends)
		}
		s.inherit(base)
	}
	for name, s := range t.Shapes {
		for _, v := range slices.Concat(s.Variables, s.HeaderVariables) {
			if t.Variables[v] == nil {
				return nil, fmt.Errorf("hosts.json: shapes.%s names the variables %q, which are not there", name, v)
			}
		}
	}
	for id, k := range t.Hosts {
		for _, f := range k.Files {
			if t.Shapes[f.Shape] == nil {
				return nil, fmt.Errorf("hosts.json: hosts.%s: no shape is called %q", id, f.Shape)
			}
		}
	}
	return t, nil
}

// inherit fills the fields that were left out.
func (s *shape) inherit(base *shape) {
	own, from := reflect.ValueOf(s).Elem(), reflect.ValueOf(base).Elem()
	for i := range own.NumField() {
		switch own.Field(i).Kind() {
		case reflect.Slice, reflect.Map:
			if own.Field(i).IsNil() {
				own.Field(i).Set(from.Field(i))
			}
		}
	}
}

// Hosts lists the ids of the hosts whose files are known, sorted.
func Hosts() []string {
	t, err := builtin()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(t.Hosts))
}
