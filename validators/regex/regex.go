package regex

import "fmt"

// Dialect is the engine whose syntax, meaning and error texts count.
type Dialect uint8

const (
	// ECMAUnicode is RegExp(p, "u") as V8 of Node.js 20 has it: what Ajv 8
	// and cfworker compile patterns with.
	ECMAUnicode Dialect = iota
	// ECMA is RegExp(p) without flags, Annex B grammar, on UTF-16 code
	// units: what Ajv 6 uses.
	ECMA
	// Python is re of CPython 3.11 on str patterns.
	Python
	// Java is java.util.regex.Pattern of Java 17 without flags, by find.
	Java
)

// String is the dialect's name in messages.
func (d Dialect) String() string {
	switch d {
	case ECMAUnicode:
		return "ECMAScript with the u flag"
	case ECMA:
		return "ECMAScript without flags"
	case Python:
		return "Python re"
	case Java:
		return "java.util.regex"
	}
	return fmt.Sprintf("Dialect(%d)", uint8(d))
}

func (d Dialect) encoding() encoding {
	if d == ECMA {
		return units
	}
	return pairs
}

// Limits on patterns; beyond them Compile returns a *LimitError.
const (
	maxPatternBytes = 64 << 10
	maxNesting      = 1000
)

// DefaultSteps is the budget of MatchString. A step is one instruction of the
// matching program or eight characters passed in a tight loop; it costs 5 to
// 15 ns on a 2020s server core, so that the whole budget lasts 0.3 to 0.8 s
// there and one to two seconds on a slow one (BenchmarkBudget).
const DefaultSteps = 50_000_000

// Regexp is a compiled pattern. It is safe for concurrent use.
type Regexp struct {
	dialect Dialect
	pattern string
	prog    *program
}

// Compile parses a pattern. The pattern is UTF-8 in which lone surrogates may
// stand as three bytes each (WTF-8). The error is a *SyntaxError in the
// engine's own words when the engine refuses the pattern, an
// *UnsupportedError when this package does not know what the engine does, a
// *LimitError when the pattern is too large.
func Compile(d Dialect, pattern string) (*Regexp, error) {
	if len(pattern) > maxPatternBytes {
		return nil, &LimitError{Limit: "bytes", Max: maxPatternBytes}
	}
	parse, ok := parsers[d]
	if !ok {
		return nil, fmt.Errorf("compiling pattern %q: no such regular-expression dialect: %d", clip(pattern), d)
	}
	tree, err := parse(d, pattern)
	if err != nil {
		return nil, err
	}
	return &Regexp{dialect: d, pattern: pattern, prog: assemble(d, tree)}, nil
}

var parsers = map[Dialect]func(Dialect, string) (*node, error){
	ECMAUnicode: parseECMA,
	ECMA:        parseECMA,
	Python:      parsePython,
	Java:        parseJava,
}

// String returns the pattern as given.
func (r *Regexp) String() string { return r.pattern }

// Dialect returns the dialect the pattern was compiled for.
func (r *Regexp) Dialect() Dialect { return r.dialect }

// MatchString reports whether the pattern matches anywhere in s, as
// RegExp.prototype.test, re.search and Matcher.find do. s may hold lone
// surrogates as WTF-8. The error is a *BudgetError when DefaultSteps or the
// memory for backtracking is used up, or, for Java alone, an *UnsupportedError;
// the answer is then unknown.
func (r *Regexp) MatchString(s string) (bool, error) {
	return r.MatchBudget(s, DefaultSteps)
}

// MatchBudget is MatchString with a budget of its own, in steps as
// DefaultSteps counts them.
func (r *Regexp) MatchBudget(s string, steps int) (bool, error) {
	m := matchers.Get().(*matcher)
	defer m.recycle()
	m.prog, m.steps = r.prog, steps
	m.input = decode(m.input[:0], s, r.dialect.encoding())
	matched, ok := m.search()
	if ok && r.dialect == Java && hasPair(m.input) && m.pairsMatter(matched) {
		return false, &UnsupportedError{Dialect: Java, Pattern: r.pattern, Construct: "matching between the halves of a surrogate pair"}
	}
	if ok {
		return matched, nil
	}
	limit := steps
	if m.failed != "steps" {
		limit = maxFrames
	}
	return false, &BudgetError{Pattern: r.pattern, Resource: m.failed, Max: limit}
}
