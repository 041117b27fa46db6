package ajv

// The library compiles by recursion. What a level of schemas takes of Node's stack
// was measured with Node 20: 280 chained references with a property each, 490
// nested properties or items, 690 anyOf, 1,100 not.
const (
	levelBytes     = 2000
	referenceBytes = 1500
)

// levelBytesOf is the cost of a level below a keyword where it isn't levelBytes.
var levelBytesOf = map[string]int{"not": 880, "anyOf": 1450, "allOf": 1500, "oneOf": 1450, "if": 1350, "then": 1350, "else": 1350}

// callStack counts Node's stack while a schema is compiled.
type callStack struct {
	bytes int
	near  bool // it came near the limit
}

func (s *callStack) enter(keyword string) int {
	bytes := levelBytes
	if b, ok := levelBytesOf[keyword]; ok {
		bytes = b
	}
	return s.grow(bytes)
}

func (s *callStack) grow(bytes int) int {
	s.bytes += bytes
	switch {
	case s.bytes > stackOver:
		stackOverflow()
	case s.bytes > stackSafe:
		s.near = true
	}
	return bytes
}

func (s *callStack) leave(bytes int) { s.bytes -= bytes }

// settle refuses to answer when the compilation came near the end of the stack.
func (s *callStack) settle() {
	if s.near {
		unknown("the schema nests so deep that compiling it comes near the end of Node's stack")
	}
}
