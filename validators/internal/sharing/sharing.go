// Package sharing lets validators have one answer about a document between them
// without keeping either alive.
package sharing

import (
	"runtime"
	"sync"
	"weak"

	"github.com/hostmatrix/conform/schema"
)

// Table remembers the answers to questions Q about documents. It is safe for
// concurrent use; two that ask at once may both find the answer out.
type Table[Q comparable, V any] struct {
	mu      sync.Mutex
	answers map[key[Q]]answer[V]
}

type key[Q comparable] struct {
	document weak.Pointer[schema.Value]
	question Q
}

type answer[V any] struct {
	value   weak.Pointer[V]
	nothing bool // the answer is nil, for as long as there is the document
}

// NewTable returns an empty table.
func NewTable[Q comparable, V any]() *Table[Q, V] {
	return &Table[Q, V]{answers: map[key[Q]]answer[V]{}}
}

// Answer returns what find returned for the same question and document, as long as
// anyone still holds that, and else asks find. Errors are not remembered.
func (t *Table[Q, V]) Answer(document *schema.Value, question Q, find func() (*V, error)) (*V, error) {
	k := key[Q]{weak.Make(document), question}
	t.mu.Lock()
	known := t.answers[k]
	t.mu.Unlock()
	if known.nothing {
		return nil, nil
	}
	if v := known.value.Value(); v != nil {
		return v, nil
	}
	v, err := find()
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	t.answers[k] = answer[V]{weak.Make(v), v == nil}
	t.mu.Unlock()
	if v == nil {
		runtime.AddCleanup(document, t.forget, k)
	} else {
		runtime.AddCleanup(v, t.forget, k)
	}
	return v, nil
}

// forget runs after an answer or a document is gone; another may have taken the
// answer's place.
func (t *Table[Q, V]) forget(k key[Q]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.answers[k].value.Value() == nil {
		delete(t.answers, k)
	}
}
