package validators

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// maxRemembered bounds the results that are kept per schema and profile: the real
// results come first, and they are few. maxViolations bounds one of them.
const (
	maxRemembered = 8
	maxViolations = 1000
)

// remembering gives the columns that share a profile one answer about an instance
// between them: the check of a hostile one may take as long as its limits allow, and
// dozens of columns ask. Instances are told apart by identity, as documents are.
type remembering struct {
	engine Validator
	mu     sync.Mutex
	known  []*remembered
}

type remembered struct {
	instance *schema.Value
	once     sync.Once
	result   Result
	large    bool // too large to keep
}

// Validate implements [Validator].
func (r *remembering) Validate(instance *schema.Value) Result {
	k := r.slot(instance)
	if k == nil {
		result := r.engine.Validate(instance)
		if result.Outcome == Unknown { // the dearest there are, and most of them the same ones
			r.keep(instance, result)
		}
		return result
	}
	result, asked := Result{}, false
	k.once.Do(func() {
		result, asked = r.engine.Validate(instance), true
		if k.large = len(result.Violations) > maxViolations; !k.large {
			k.result = result
		}
	})
	switch {
	case asked:
		return result
	case k.large:
		return r.engine.Validate(instance)
	}
	return k.result
}

// Plain reports whether a validator that a [Cache] made answers from the common ground
// of all libraries: whatever the schema, that is cheap.
func Plain(v Validator) bool {
	if r, ok := v.(*remembering); ok {
		v = r.engine
	}
	_, ok := v.(*deferred)
	return ok
}

// slot is where the result about an instance is or shall be kept; nil when all are
// taken.
func (r *remembering) slot(instance *schema.Value) *remembered {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, k := range r.known {
		if k.instance == instance {
			return k
		}
	}
	if len(r.known) >= maxRemembered {
		return nil
	}
	k := &remembered{instance: instance}
	r.known = append(r.known, k)
	return k
}

// keep remembers a result beyond the first ones.
func (r *remembering) keep(instance *schema.Value, result Result) {
	k := &remembered{instance: instance, result: result}
	k.once.Do(func() {})
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.known) < 4*maxRemembered {
		r.known = append(r.known, k)
	}
}
