package networknt

import (
	"sort"

	"github.com/hostmatrix/conform/schema"
)

// hashOrder returns the keys in the order in which java.util.HashMap iterates
// them: by bucket, in a bucket as inserted. The table starts at 16 and doubles
// above three quarters. (A bucket of eight or more would be a tree.)
func hashOrder(keys []string) []string {
	size := 16
	for len(keys)*4 > size*3 {
		size *= 2
	}
	bucket := func(key string) uint32 {
		h := hashCode(key)
		return (h ^ h>>16) & uint32(size-1)
	}
	out := append([]string(nil), keys...)
	sort.SliceStable(out, func(i, j int) bool { return bucket(out[i]) < bucket(out[j]) })
	return out
}

// hashCode is String.hashCode, over UTF-16 code units.
func hashCode(s string) (h uint32) {
	for len(s) > 0 {
		r, n := schema.DecodeWTF8(s)
		s = s[n:]
		if r > 0xFFFF {
			r -= 0x10000
			h = 31*h + uint32(0xD800+r>>10)
			h = 31*h + uint32(0xDC00+r&0x3FF)
			continue
		}
		h = 31*h + uint32(r)
	}
	return h
}
