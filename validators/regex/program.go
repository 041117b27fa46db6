package regex

// opcode is what one instruction of the matcher does.
type opcode uint8

const (
	opMatch     opcode = iota
	opChar             // consume r
	opSet              // consume one of set
	opRun              // consume min to max characters of set, by mode
	opJump             // go on at x
	opSplit            // go on at pc+1, on failure at x (mode lazy: the other way round)
	opSave             // slots[x] = pos
	opCapture          // slots[x], slots[x+1] = slots[y] and pos in reading order
	opClear            // forget slots x to y-1
	opLoopInit         // slots[x] = 0 rounds, slots[x+1] = no start
	opLoop             // decide on another round of the loop with slots x, exit at y
	opLook             // begin a look-around: x = slot of the stack height and of the position, y = where a failed negative one goes on
	opLookEnd          // the body of a positive look-around matched
	opLookFail         // the body of a negative look-around matched
	opAtomic           // begin an atomic group with slot x
	opAtomicEnd        // the body of an atomic group matched
	opBack             // step back min characters, at most max: a look-behind matched forwards
	opAtSlot           // go on only at the position slots[x]
	opBackref          // consume what the group at slots[x] holds
	opAssert           // a zero-width test
	opCond             // go on at pc+1 when the group at slots[x] is set, else at y
)

// emptyRule says what a loop does with a round that consumed nothing.
type emptyRule uint8

const (
	emptyFails emptyRule = iota // ECMA-262 RepeatMatcher step 2.b: an optional empty round fails
	emptyStops                  // CPython sre: no further round from where the last began
	emptyExits                  // java.util.regex Loop: after an empty round the loop is left, whatever the minimum
)

type inst struct {
	op       opcode
	mode     repeatMode
	assert   assertKind
	back     bool // match right to left
	x, y     int32
	min, max int32
	r        rune
	set      *charSet // of a split: what the next instruction can begin with, nil for anything
	other    *charSet // of a split: what x can begin with, nil for anything
	fold     func(rune) rune
}

// program is a compiled pattern.
type program struct {
	insts    []inst
	slots    int
	first    *charSet // characters a match can begin with; nil when anything
	anchored bool     // matches can only begin at position 0
	// leading is set when the pattern begins with an unbounded run of these
	// characters: where an attempt fails, those further on in the same run
	// fail as well.
	leading *charSet
	empty   emptyRule
	// insidePair: V8 with the u flag also tries to match between the halves
	// of a surrogate pair, and the pattern matches there.
	insidePair bool
	// loops are the first slots of the counted loops and of those whose body can match
	// the empty string; countable says that they and the position are all that decides
	// how a match goes on (see dead).
	loops     []int32
	countable bool
	// unsetMatches: a reference to a group that is not set matches the empty
	// string (ECMA-262 BackreferenceMatcher) instead of failing.
	unsetMatches bool
}
