package validators

import (
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// Cache compiles each schema document once per profile, however many hosts share
// the profile. Documents are told apart by identity: the matrix decodes a tool's
// schema once and passes the same *schema.Value everywhere. Safe for concurrent use.
type Cache struct {
	mu      sync.Mutex
	entries map[cacheKey]*cacheEntry
}

type cacheKey struct {
	profile  string
	document *schema.Value
}

type cacheEntry struct {
	once      sync.Once
	validator Validator
	err       error
}

// NewCache returns an empty cache. Its memory is bounded by the schemas of the
// capture it serves; drop it with the capture.
func NewCache() *Cache { return &Cache{entries: make(map[cacheKey]*cacheEntry)} }

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
	e.once.Do(func() { e.validator, e.err = Compile(profile, document) })
	return e.validator, e.err
}
