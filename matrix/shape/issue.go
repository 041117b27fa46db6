package shape

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// maxIssues bounds what one check may report; a real parser has no bound, so the
// text of a list with more faults than this is a prefix of the real one.
const maxIssues = 1000

// Issue is one reason why a parser refuses a value.
type Issue struct {
	Path     schema.Pointer // from the root of the part (tools/3/inputSchema/type)
	Code     string         // the dialect's own code: invalid_type, missing, …
	Expected string         // what the parser wanted, in its words
	Received string         // what it got, in its words; "undefined" when absent in JavaScript
	// Tool is the index in the tools array when the part is "list" and the issue
	// lies in one entry, else -1.
	Tool    int
	Message string // the parser's message without path

	fault *fault
}

// step is one part of a path; parsers print an index and a member differently.
type step struct {
	key   string
	index int // meaningful when key is "" and array is set
	array bool
	in    *node // the object, record or array that was entered
}

// faultKind is why a value was refused, before any dialect puts it in words.
type faultKind uint8

const (
	faultType faultKind = iota // wrong JSON type, or absent
	faultLiteral
	faultUnion // no option accepted
	faultTag   // the tag names no option
	faultUnknownKeys
	faultCustom
	faultDuplicate
	faultCheck
	faultThrown // looking at the value throws
)

// fault is an issue before wording.
type fault struct {
	kind     faultKind
	node     *node
	value    *schema.Value // nil: absent
	parent   *schema.Value // the object that lacks it, when absent
	root     *schema.Value
	path     []step
	check    *check
	keys     []string   // faultUnknownKeys
	branches [][]*fault // faultUnion, one list per option
	base     int        // length of the path of the union that holds this fault
	soft     bool       // the parser could go on with the value (zod "dirty")
	guard    *guard     // the guard that refused, before the part was parsed
	release  zodRelease // zod 4
}

func pointerOf(path []step) schema.Pointer {
	p := make(schema.Pointer, len(path))
	for i, s := range path {
		if s.array {
			p[i] = strconv.Itoa(s.index)
		} else {
			p[i] = s.key
		}
	}
	return p
}

// toolOf returns the index of the tools entry that a path of the list part
// passes through, or -1.
func toolOf(part string, path []step) int {
	if part == "list" && len(path) >= 2 && path[0].key == "tools" && path[1].array {
		return path[1].index
	}
	return -1
}
