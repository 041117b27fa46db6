package shape

import (
	"sort"

	"github.com/hostmatrix/conform/schema"
)

// onlyKeys fails on a member that is not among known.
func onlyKeys(at located, known []string) error {
	if at.v == nil || at.v.Kind != schema.Object {
		return at.fail("must be an object")
	}
	for _, m := range at.v.Members {
		if !contains(known, m.Key) {
			return at.child(m.Key, m.Value).fail("unknown key %q; nearest known: %q", m.Key, nearest(m.Key, known))
		}
	}
	return nil
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

func keysOf[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	return keys
}

// nearest returns the candidate with the least edit distance to word.
func nearest(word string, candidates []string) string {
	best, least := "", 1<<30
	for _, candidate := range candidates {
		if d := distance(word, candidate); d < least {
			best, least = candidate, d
		}
	}
	return best
}

// distance is Levenshtein's, over bytes; words here are short.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		previous := row[0]
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := previous
			if a[i-1] != b[j-1] {
				cost++
			}
			previous = row[j]
			row[j] = min(cost, row[j]+1, row[j-1]+1)
		}
	}
	return row[len(b)]
}
