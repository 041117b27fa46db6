package shape

import "github.com/hostmatrix/conform/schema"

// adoption says what a union makes of options that failed only softly, in a check
// on a value of the right type.
type adoption uint8

const (
	adoptNone  adoption = iota // nothing: all options are reported
	adoptSole                  // their faults are the union's when only one is so (zod 4)
	adoptFirst                 // those of the first are the union's (zod 3)
)

// rules are the differences between parser families that decide verdicts and
// order; a words dialect brings its own.
type rules struct {
	first        bool // stop at the first fault (serde, Jackson)
	adopt        adoption
	nullIsAbsent bool // null on an optional node counts as absent (serde Option, encoding/json)
	// documentOrder visits the members as they stand in the text, duplicates one
	// by one (encoding/json, serde, Jackson), not as the type declares them.
	documentOrder bool
	lastWins      bool // with documentOrder: of duplicates only the last is met (Jackson reads a map first)
	missingLast   bool // what is missing is found after all that is there
	noDuplicates  bool // a field that comes twice is refused (serde)
	foldCase      bool // a member matches a field without regard to case (encoding/json)
	zero          bool // absent and null leave the zero value of any type (Go)
	finite        bool // a number out of range is refused even inside any (Go)
	javaScript    bool // members are met in JavaScript's order
	skipProto     bool // the member __proto__ is passed over and dropped (zod 4, observed 4.6)
	plainRecords  bool // a record with a member "constructor" is none (zod 4 before 4.4, see constructed)
	zod           zodRelease
	accepts       func(n *node, v *schema.Value) bool
	written       func(n *node, v *schema.Value) *schema.Value // what is kept of an accepted value; nil: the value
}

// members returns the members of v, duplicates resolved, in the order in which
// the family meets them.
func (r *rules) members(v *schema.Value) []schema.Member {
	if !r.javaScript {
		return v.Unique()
	}
	members := v.JSMembers()
	if !r.skipProto {
		return members
	}
	for i, m := range members {
		if m.Key == "__proto__" {
			return append(append([]schema.Member(nil), members[:i]...), members[i+1:]...)
		}
	}
	return members
}

// acceptsJSON is the plain reading of JSON types: an integer is a number without
// fraction, however it is written.
func acceptsJSON(n *node, v *schema.Value) bool {
	if v == nil {
		return false
	}
	switch n.kind {
	case kindAny:
		return true
	case kindNull:
		return v.Kind == schema.Null
	case kindString:
		return v.Kind == schema.String
	case kindNumber:
		return v.Kind == schema.Number
	case kindInteger:
		if v.Kind != schema.Number {
			return false
		}
		r, ok := v.Exact()
		return ok && r.IsInt()
	case kindBoolean:
		return v.Kind == schema.Bool
	case kindObject, kindRecord:
		return v.Kind == schema.Object
	case kindArray:
		return v.Kind == schema.Array
	}
	return false
}
