package js

import (
	"hash/maphash"
	"math"

	"github.com/hostmatrix/conform/schema"
)

var seed = maphash.MakeSeed()

// Hash is equal for values that [Comparer.Deep] calls equal. ok is false for a value
// that can't be compared without an exception: one with a member valueOf or toString.
func Hash(v *schema.Value) (hash uint64, ok bool) {
	switch v.Kind {
	case schema.Bool:
		if v.Bool {
			return 3, true
		}
		return 2, true
	case schema.Number:
		f := v.Float()
		if f == 0 {
			f = 0 // -0
		}
		return math.Float64bits(f)*0x9E3779B97F4A7C15 + 5, true
	case schema.String:
		return maphash.String(seed, v.Text), true
	case schema.Array:
		hash = 7
		for _, item := range v.Items {
			h, ok := Hash(item)
			if !ok {
				return 0, false
			}
			hash = hash*31 + h
		}
		return hash, true
	case schema.Object:
		hash = 11
		for _, m := range Members(v) {
			h, ok := Hash(m.Value)
			if !ok || m.Key == "valueOf" || m.Key == "toString" {
				return 0, false
			}
			hash += (maphash.String(seed, m.Key) ^ h) * 0x9E3779B97F4A7C15
		}
		return hash, true
	}
	return 1, true
}
