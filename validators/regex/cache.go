package regex

import "sync"

// Cache keeps what Compile answered for the patterns of one schema, refusals
// included. The zero value is empty; it is safe for concurrent use. It never
// forgets, so it must not outlive its schema.
type Cache struct{ answers sync.Map }

type answerKey struct {
	dialect Dialect
	pattern string
}

type answer struct {
	expression *Regexp
	err        error
}

// Compile is the package's Compile, asked once for a dialect and pattern.
func (c *Cache) Compile(d Dialect, pattern string) (*Regexp, error) {
	key := answerKey{d, pattern}
	if found, ok := c.answers.Load(key); ok {
		known := found.(answer)
		return known.expression, known.err
	}
	expression, err := Compile(d, pattern)
	c.answers.Store(key, answer{expression, err})
	return expression, err
}
