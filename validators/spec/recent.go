package spec

import (
	"runtime"
	"sync"
	"weak"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// recent lets profiles share a compiled schema that is the same for them: with and
// without formats where the document has none, fixed and dispatched dialect.
var recent = sharing{compiledAs: map[weakKey]weak.Pointer[validator]{}}

// sharing remembers compiled schemas without keeping any alive.
type sharing struct {
	mu         sync.Mutex
	compiledAs map[weakKey]weak.Pointer[validator]
}

type key struct {
	document     *schema.Value
	dialect      string
	assertFormat bool
}

type weakKey struct {
	document     weak.Pointer[schema.Value]
	dialect      string
	assertFormat bool
}

// compiled returns what make returned for the same key as long as anyone still
// holds that, and else asks make. Errors are not remembered.
func (s *sharing) compiled(k key, make func() (*validator, error)) (validators.Validator, error) {
	held := weakKey{weak.Make(k.document), k.dialect, k.assertFormat}
	s.mu.Lock()
	v := s.compiledAs[held].Value()
	s.mu.Unlock()
	if v != nil {
		return v, nil
	}
	v, err := make()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	s.compiledAs[held] = weak.Make(v)
	s.mu.Unlock()
	runtime.AddCleanup(v, s.forget, held)
	return v, nil
}

// forget runs after a compiled schema is gone; another may have taken its place.
func (s *sharing) forget(held weakKey) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.compiledAs[held].Value() == nil {
		delete(s.compiledAs, held)
	}
}
