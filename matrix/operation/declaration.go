package operation

import (
	"encoding/json"
)

// DeclarationFunc writes a tool as a declaration in another language.
type DeclarationFunc func(s Subject, namespace string) (string, error)

// Declaration is an operation that renders a tool for models that read code.
type Declaration struct {
	Name string
	Doc  string
	New  func(params json.RawMessage) (DeclarationFunc, error)
}

var declarations = map[string]Declaration{}

// RegisterDeclaration adds a declaration; see [RegisterRewrite].
func RegisterDeclaration(d Declaration) { register(declarations, d.Name, d) }

// RenderDeclaration applies the declaration operation that params name.
func RenderDeclaration(name string, params json.RawMessage, s Subject, namespace string) (string, error) {
	d, ok := declarations[name]
	if !ok {
		var known []string
		for n := range declarations {
			known = append(known, n)
		}
		return "", unknown("declaration", name, known)
	}
	f, err := d.New(params)
	if err != nil {
		return "", err
	}
	return f(s, namespace)
}
