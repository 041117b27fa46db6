package validators

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ground"
)

// Cache compiles each schema document once per profile, however many hosts share
// the profile. Documents are told apart by identity: the matrix decodes a tool's
// schema once and passes the same *schema.Value everywhere. Safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	entries map[cacheKey]*cacheEntry
	surveys map[*schema.Value]*ground.Schema // kept when profiles are forgotten: they are small
}

type cacheKey struct {
	profile  string // profile id, or the question that [Remember] answers
	document *schema.Value
}

// Forget drops what was compiled for a profile: the columns that share it are done.
func (c *Cache) Forget(profile string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for key := range c.entries {
		if key.profile == profile {
			delete(c.entries, key)
		}
	}
}

// ForgetSurveys drops what is known about documents whatever the profile: no column
// will ask about them again.
func (c *Cache) ForgetSurveys() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.surveys)
}

// Remember returns the answer to a question about a document, asking once per
// question. A question must always be asked with the same T.
func Remember[T any](c *Cache, question string, document *schema.Value, ask func() T) T {
	c.mu.Lock()
	key := cacheKey{question, document}
	e := c.entries[key]
	if e == nil {
		e = new(cacheEntry)
		c.entries[key] = e
	}
	c.mu.Unlock()
	e.once.Do(func() { e.answer = ask() })
	return e.answer.(T)
}

type cacheEntry struct {
	once      sync.Once
	validator Validator
	answer    any // of Remember
	err       error
}

// NewCache returns an empty cache. Its memory is bounded by the schemas of the
// capture it serves; drop it with the capture.
func NewCache() *Cache {
	return &Cache{entries: make(map[cacheKey]*cacheEntry), surveys: make(map[*schema.Value]*ground.Schema)}
}

// Compile is [Compile] with the result kept, errors included.
func (c *Cache) Compile(profile string, document *schema.Value) (Validator, error) {
	c.mu.Lock()
	key := cacheKey{profile, document}
	e := c.entries[key]
	if e == nil {
		e = new(cacheEntry)
		c.entries[key] = e
	}
	c.mu.Unlock()
	e.once.Do(func() {
		engine, err := Compile(profile, document)
		if d, ok := engine.(*deferred); ok {
			c.mu.Lock()
			c.surveys[document] = d.common
			c.mu.Unlock()
		}
		e.err = err
		if err == nil {
			e.validator = &remembering{engine: engine}
		}
	})
	return e.validator, e.err
}
