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

// NewDeclaration builds the declaration that params name.
func NewDeclaration(name string, params json.RawMessage) (DeclarationFunc, error) {
	d, ok := declarations[name]
	if !ok {
		return nil, unknown("declaration", name, Names("declaration"))
	}
	return d.New(params)
}

// RenderDeclaration applies the declaration operation that params name.
func RenderDeclaration(name string, params json.RawMessage, s Subject, namespace string) (string, error) {
	f, err := NewDeclaration(name, params)
	if err != nil {
		return "", err
	}
	return f(s, namespace)
}
