package witness

import (
	"errors"
	"sync"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
)

// DefaultBudget is the number of instances tried per schema by a normal run.
const DefaultBudget = 80

// maxWitnesses bounds the witnesses per schema and profile; each shows another
// keyword or place.
const maxWitnesses = 3

// Options bound a search.
type Options struct {
	// Budget is the number of instances per schema; 0 means DefaultBudget.
	Budget int
	// Seed chooses the random combinations that fill the budget up once every
	// systematic variation was tried.
	Seed uint64
	// AnyRoot also tries instances that are no objects at the root, which
	// structuredContent may be since 2026-07-28; without it a schema that describes no
	// object at all is tried with what it describes.
	AnyRoot bool
}

// Kind is the sort of an [Answer].
type Kind string

// The kinds of answers.
const (
	Proven       Kind = "proven"
	Found        Kind = "found"
	Tried        Kind = "tried"
	Uncompilable Kind = "uncompilable"
	Undecided    Kind = "undecided"
)

// Witness is an instance about which the dialect and the host differ.
type Witness struct {
	Instance *schema.Value
	// Outcome and Text are the host's: Invalid or Thrown with its words, Valid for
	// an instance that only the dialect forbids.
	Outcome validators.Outcome
	Text    string
	// Keyword and Schema name what rejected the instance; empty where the host
	// does not say.
	Keyword string
	Schema  schema.Pointer
	// Ordinary: a server may well send this. It holds no text beyond printable
	// ASCII and what the schema itself spells out, no number that a double cannot
	// hold, and was not rejected for its format, about which no two libraries agree.
	Ordinary bool
}

// Answer is what was established about one schema and one profile.
type Answer struct {
	Profile string
	// Dialect is the spec profile that stands for the schema's own reading.
	Dialect string
	Kind    Kind
	// Witnesses are instances that the dialect accepts and the host rejects, the
	// ordinary and small ones first, each for another reason.
	Witnesses []Witness
	// Lenient is an instance that the dialect forbids and the host accepts; its text,
	// keyword and place are the dialect's.
	Lenient *Witness
	// Generated is the number of instances judged, Accepted how many of them the
	// dialect accepts.
	Generated, Accepted int
	// RefusesAll: the host rejects every ordinary instance that the dialect accepts.
	RefusesAll bool
	// Why explains Proven, Uncompilable (the host's words) and Undecided.
	Why string
}

// Searcher answers for many schemas and profiles; instances are generated once
// per schema. Schemas are told apart by identity, as in [validators.Cache]. It is
// safe for concurrent use.
type Searcher struct {
	cache   *validators.Cache
	options Options

	mu       sync.Mutex
	books    map[*schema.Value]*book
	readings map[*schema.Value]ownDialect
	answers  map[question]*pending
}

type question struct {
	output, document *schema.Value
	profile          string
}

type pending struct {
	once   sync.Once
	answer Answer
}

// New returns a searcher that compiles through cache; nil makes a new one.
func New(cache *validators.Cache, options Options) *Searcher {
	if cache == nil {
		cache = validators.NewCache()
	}
	if options.Budget <= 0 {
		options.Budget = DefaultBudget
	}
	return &Searcher{cache: cache, options: options, books: map[*schema.Value]*book{}, readings: map[*schema.Value]ownDialect{}, answers: map[question]*pending{}}
}

// Search is [Searcher.Search] for one schema that the host reads as written.
func Search(document *schema.Value, profile string, options Options) Answer {
	return New(nil, options).Search(document, document, profile)
}

// Forget drops what is known about the schemas asked about so far.
func (s *Searcher) Forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.books)
	clear(s.readings)
	clear(s.answers)
}

// Search compares the own dialect of output with what profile makes of document,
// the schema with which the host really validates (nearly always the same value).
func (s *Searcher) Search(output, document *schema.Value, profile string) Answer {
	s.mu.Lock()
	q := question{output, document, profile}
	p := s.answers[q]
	if p == nil {
		p = new(pending)
		s.answers[q] = p
	}
	s.mu.Unlock()
	p.once.Do(func() { p.answer = s.search(output, document, profile) })
	return p.answer
}

func (s *Searcher) search(output, document *schema.Value, profile string) Answer {
	own := s.own(output)
	dialect := own.dialect
	answer := Answer{Profile: profile, Dialect: dialect, Kind: Undecided, Why: own.why}
	host, err := s.cache.Compile(profile, document)
	if err != nil {
		answer.Why = err.Error()
		var refused *validators.CompileError
		if errors.As(err, &refused) {
			answer.Kind = Uncompilable
		}
		return answer
	}
	if !own.reads {
		return answer
	}
	if output == document {
		if why, ok := Equivalent(output, dialect, profile); ok {
			answer.Kind, answer.Why = Proven, why
			return answer
		}
	}
	s.book(output, own).compare(host, own, &answer)
	answer.Kind = Tried
	if len(answer.Witnesses) > 0 {
		answer.Kind = Found
	}
	return answer
}

// Instances returns the ordinary instances that the search generated for a schema
// and its own dialect accepts; nil when no dialect reads the schema.
func (s *Searcher) Instances(output *schema.Value) []*schema.Value {
	own := s.own(output)
	if !own.reads {
		return nil
	}
	var out []*schema.Value
	for _, c := range s.book(output, own).accepted {
		if c.ordinary {
			out = append(out, c.value)
		}
	}
	return out
}

// book returns the instances of one schema, generated on first use.
func (s *Searcher) book(output *schema.Value, own *ownDialect) *book {
	s.mu.Lock()
	b := s.books[output]
	if b == nil {
		b = new(book)
		s.books[output] = b
	}
	s.mu.Unlock()
	b.once.Do(func() { b.fill(output, own.validator(), s.options) })
	return b
}

// Generated returns every instance that the search makes for a schema, whatever
// its dialect says about them; nil when no dialect reads the schema.
func (s *Searcher) Generated(output *schema.Value) []*schema.Value {
	own := s.own(output)
	if !own.reads {
		return nil
	}
	b := s.book(output, own)
	var out []*schema.Value
	for _, c := range append(append([]candidate(nil), b.accepted...), b.forbidden...) {
		out = append(out, c.value)
	}
	return out
}
