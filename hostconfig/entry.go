package hostconfig

import (
	"bufio"
	"bytes"
	"cmp"
	"fmt"
	"net/http"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Server is one entry of a configuration, variables expanded.
type Server struct {
	Name string // its key
	File string
	Line int

	Command []string // program and arguments, for stdio
	Env     []string // NAME=value
	Dir     string

	URL       string
	Transport string // streamable-http or sse; "" when the file leaves it open
	Headers   http.Header

	// Secrets are texts that must never be shown: files and passwords that
	// variables stood for.
	Secrets []string
	// Expanded are the environment variables that were read, NAME=value; which of
	// them are secrets the caller decides.
	Expanded []string
}

// entry reads the fields of one server.
type entry struct {
	shape     *shape
	value     *schema.Value
	inHeaders []*variable // those of header values; none means expander.variables
	expander
	err error
	key string // field that is being read
}

// find returns the first of the keys that is there.
func (e *entry) find(keys []string) *schema.Value {
	for _, key := range keys {
		if v := e.value.Get(key); v != nil && v.Kind != schema.Null {
			e.key = key
			return v
		}
	}
	return nil
}

func (e *entry) fail(v *schema.Value, format string, args ...any) {
	if e.err == nil {
		e.err = &fieldError{key: e.key, at: v, text: fmt.Sprintf(format, args...)}
	}
}

// fieldError is what is wrong with one field.
type fieldError struct {
	key  string
	at   *schema.Value
	text string
}

func (e *fieldError) Error() string { return e.text }

// text returns the string v with its variables expanded.
func (e *entry) text(v *schema.Value) string {
	if v == nil {
		return ""
	}
	if v.Kind == schema.Number || v.Kind == schema.Bool {
		return v.Compact() // an environment value written without quotes
	}
	s, ok := v.IsString()
	if !ok {
		e.fail(v, "is %s, not a string", v.Kind)
		return ""
	}
	s, err := e.expand(s)
	if err != nil {
		e.fail(v, "%v", err)
	}
	return s
}

// list returns a string, or the strings of an array.
func (e *entry) list(keys []string) []string {
	v := e.find(keys)
	if v == nil {
		return nil
	}
	if v.Kind != schema.Array {
		return []string{e.text(v)}
	}
	var out []string
	for _, item := range v.Items {
		out = append(out, e.text(item))
	}
	return out
}

// program returns the command, or its parts. A number is a mistake here: nobody
// calls a program "5".
func (e *entry) program() []string {
	v := e.find(e.shape.Command)
	if v != nil && (v.Kind == schema.Number || v.Kind == schema.Bool) {
		e.fail(v, "is %s, not a string", v.Kind)
		return nil
	}
	return e.list(e.shape.Command)
}

// pairs returns the members of an object.
func (e *entry) pairs(keys []string) []schema.Member {
	v := e.find(keys)
	if v == nil {
		return nil
	}
	if v.Kind != schema.Object {
		e.fail(v, "is %s, not an object", v.Kind)
		return nil
	}
	return v.Unique()
}

// off names the switch that turns the entry off, "" when it is on.
func (e *entry) off() string {
	for _, s := range e.shape.Off {
		if v := e.value.Get(s.Key); v != nil && v.Kind == schema.Bool && v.Bool == s.When {
			return fmt.Sprintf("%s is %t", s.Key, s.When)
		}
	}
	return ""
}

// internal says why a server is nothing that a client starts or reaches, "" when it is.
func (e *entry) internal() string {
	word, _ := e.find(e.shape.Type).IsString()
	if e.shape.Types[word] != typeInternal {
		return ""
	}
	return fmt.Sprintf("%s %q is part of the host or of an extension, no server of its own", e.key, word)
}

// flatten lifts the fields of the members that may hold them.
func (e *entry) flatten() {
	for _, key := range e.shape.Within {
		inner := e.value.Get(key)
		if inner == nil || inner.Kind != schema.Object {
			continue
		}
		e.value = e.value.Without(key)
		for _, m := range inner.Unique() {
			e.value = e.value.With(m.Key, m.Value)
		}
	}
}

// server reads the whole entry.
func (e *entry) server(name string) (*Server, error) {
	s := &Server{Name: name}
	e.flatten()
	kind, known := "", false
	if v := e.find(e.shape.Type); v != nil {
		if word, isString := v.IsString(); isString {
			if kind, known = e.shape.Types[word]; !known || kind == typeUnsupported {
				e.fail(v, "the transport %q is not one that MCP has", word)
			}
		}
	}
	if e.find(e.shape.Command) != nil && (kind == "" || kind == "stdio") {
		s.Command = append(e.program(), e.list(e.shape.Args)...)
		s.Dir = e.text(e.find(e.shape.Dir))
		e.environment(s)
	} else {
		e.remote(s, kind)
	}
	if e.err == nil && s.URL == "" && (len(s.Command) == 0 || s.Command[0] == "") {
		e.key = ""
		e.fail(e.value, "names neither a command nor a URL")
	}
	e.filters()
	s.Secrets, s.Expanded = e.secrets, e.expanded
	return s, e.err
}

// filters notes which tools the host would leave out: a report is about all that the
// server has.
func (e *entry) filters() {
	for _, list := range e.shape.Tools {
		v := e.value.Get(list.Key)
		if v == nil || v.Kind != schema.Array || len(v.Items) == 0 && !list.Keeps {
			continue
		}
		var names []string
		for _, item := range v.Items {
			if name, ok := item.IsString(); ok {
				names = append(names, name)
			}
		}
		what := "leaves out of it"
		if list.Keeps {
			what = "takes of it only"
		}
		e.note("%s: the host %s %s; all its tools are looked at", list.Key, what, cmp.Or(strings.Join(names, ", "), "nothing"))
	}
}

func (e *entry) remote(s *Server, kind string) {
	for _, u := range e.shape.URL {
		v := e.find([]string{u.Key})
		if v == nil {
			continue
		}
		s.URL, s.Transport = e.text(v), u.Transport
		if kind != "" && kind != "stdio" {
			s.Transport = kind
		}
		break
	}
	s.Headers = http.Header{}
	if len(e.inHeaders) > 0 {
		e.environment(s)
		e.variables, e.own = e.inHeaders, map[string]string{}
		for _, v := range s.Env {
			name, value, _ := strings.Cut(v, "=")
			e.own[name] = value
		}
		s.Env = nil // a remote server has no environment
	}
	for _, m := range e.pairs(e.shape.Headers) {
		e.key = m.Key
		s.Headers.Set(m.Key, e.text(m.Value))
	}
	for _, m := range e.pairs(e.shape.HeaderEnv) {
		e.key = m.Key
		if v := e.variable(m.Value); v != "" {
			s.Headers.Set(m.Key, v)
		}
	}
	if v := e.find(e.shape.BearerEnv); v != nil {
		if token := e.variable(v); token != "" {
			s.Headers.Set("Authorization", "Bearer "+token)
		}
	}
}

// variable returns the value of the environment variable that v names.
func (e *entry) variable(v *schema.Value) string {
	name, ok := v.IsString()
	if !ok {
		e.fail(v, "is %s, not the name of a variable", v.Kind)
		return ""
	}
	value, set := e.around.env(name)
	if !set {
		e.fail(v, "the variable %s is not set here", name)
	}
	return value
}

func (e *entry) environment(s *Server) {
	if v := e.find(e.shape.EnvFile); v != nil {
		data, err := e.read(e.text(v))
		if err != nil {
			e.fail(v, "%v", err)
		}
		s.Env = append(s.Env, dotenv(data)...)
	}
	for _, name := range e.names(e.shape.EnvNames) {
		if value, set := e.around.env(name); set {
			s.Env = append(s.Env, name+"="+value)
		} else {
			kept := ""
			if e.shape.EnvNamesKept != "" {
				kept = ": " + e.shape.EnvNamesKept
			}
			e.note("the variable %s is not set here and not passed on%s", name, kept)
		}
	}
	for _, m := range e.pairs(e.shape.Env) {
		e.key = m.Key
		s.Env = append(s.Env, m.Key+"="+e.text(m.Value))
	}
}

// names returns names of variables: texts, or objects with a name.
func (e *entry) names(keys []string) []string {
	v := e.find(keys)
	if v == nil || v.Kind != schema.Array {
		return e.list(keys)
	}
	var out []string
	for _, item := range v.Items {
		if name, ok := item.Get("name").IsString(); ok {
			out = append(out, name)
			continue
		}
		out = append(out, e.text(item))
	}
	return out
}

// dotenv reads lines NAME=value; quotes around a value and comments go.
func dotenv(data []byte) []string {
	var out []string
	lines := bufio.NewScanner(bytes.NewReader(data))
	for lines.Scan() {
		text := strings.TrimPrefix(strings.TrimSpace(lines.Text()), "export ")
		name, value, ok := strings.Cut(text, "=")
		if !ok || strings.HasPrefix(text, "#") {
			continue
		}
		value = strings.TrimSpace(value)
		if n := len(value); n >= 2 && (value[0] == '"' || value[0] == '\'') && value[n-1] == value[0] {
			value = value[1 : n-1]
		}
		out = append(out, strings.TrimSpace(name)+"="+value)
	}
	return out
}
