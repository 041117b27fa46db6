package validators

import "strings"

// Undecided is a question that the emulation leaves open: the answer is [Unknown] or an
// [UnknownError], never a guess. [Undecideds] is the whole list.
type Undecided struct {
	Name string // stable, kebab-case
	// Profiles whose answer it can be: ids, or what ids begin with.
	Profiles []string
	// Limit says that it is a bound of time, memory or depth, not of knowledge.
	Limit bool
	// Says are parts of the reasons that are given.
	Says []string
	// Why it is not answered.
	Why string
	// Schema and Instance are an example that every profile of the list answers so;
	// empty where one takes long or is large.
	Schema, Instance string
}

// WhyUndecided returns the entry that a reason belongs to; ok is false for a reason
// that is none of ours.
func WhyUndecided(reason string) (u Undecided, ok bool) {
	for _, u := range Undecideds {
		for _, part := range u.Says {
			if strings.Contains(reason, part) {
				return u, true
			}
		}
	}
	return Undecided{}, false
}

// Exhausted reports whether the validator used its budget up without an answer.
func (r Result) Exhausted() bool { return r.Outcome == Unknown && Exhausting(r.Text) }

// Exhausting reports whether a reason is one that only shows after a validator has
// used up all that one check may cost: who asks again pays again.
func Exhausting(reason string) bool {
	u, ok := WhyUndecided(reason)
	return ok && (u.Name == "steps" || u.Name == "pattern-runs-away")
}

const (
	node   = "the real process may or may not overflow its stack there; where it does for certain the answer is its error"
	bounds = "an untrusted schema or result must end in bounded time and memory; the real library has no such bound"
)

// Undecideds are all questions that some profile leaves open. Over the constructs of
// this module, of generators and of the fuzzer they are fewer than one answer in a
// thousand; the suite of validators/all measures that, and fails on a reason that is
// not listed.
var Undecideds = []Undecided{
	{Name: "steps", Profiles: []string{"ajv", "cfworker", "python", "networknt", "jsonschema-go", "draft-07", "2020-12", "spec-"}, Limit: true, Why: bounds,
		Says: []string{"takes more than", "may take more than", "may nest more than", "uniqueItems over more than", "the check finds more than"}},
	{Name: "schema-size", Profiles: []string{"ajv", "cfworker", "networknt", "jsonschema-go", "draft-07", "2020-12", "spec-"}, Limit: true, Why: bounds,
		Says: []string{"subschemas", "the schema is nested more than", "the schema is larger than"}},
	{Name: "pattern-size", Profiles: []string{"ajv", "cfworker", "python", "networknt", "draft-07", "2020-12"}, Limit: true, Why: bounds,
		Says: []string{"pattern exceeds the limit of"}},
	{Name: "pattern-runs-away", Profiles: []string{"ajv8-", "cfworker", "python", "networknt", "draft-07", "2020-12"}, Limit: true,
		Says: []string{"it backtracks without bound on this input"}, Why: "the real engine would hang for minutes to years and then answer",
		Schema: `{"properties":{"a":{"pattern":"^(a+)+$"}}}`, Instance: `{"a":"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"}`},
	{Name: "node-stack", Profiles: []string{"ajv", "cfworker"}, Limit: true, Why: node,
		Says: []string{"comes near the end of Node's stack", "about as deep as the JavaScript stack allows", "the data nests deeper than", "the data nests so deep"}},
	{Name: "python-recursion", Profiles: []string{"python"}, Limit: true, Why: "where exactly CPython's recursion limit is met depends on the frames below the library",
		Says: []string{"comes close to Python's recursion limit", "nesting beyond CPython's recursion limit"}},
	{Name: "java-stack", Profiles: []string{"networknt"}, Limit: true, Why: "a Java thread's stack depends on its settings",
		Says: []string{"nesting that may overflow the Java parser's stack", "a text nested more than"}},
	{Name: "huge-number", Profiles: []string{"draft-07", "2020-12", "spec-", "python", "networknt"}, Limit: true,
		Says: []string{"exponent beyond", "more than 4300 digits", "which Jackson refuses", "an integer beyond a double under multipleOf"},
		Why:  "exact arithmetic on it is not bounded, or the client's JSON parser refuses the whole message first"},
	{Name: "reference-cycle", Profiles: []string{"draft-07", "2020-12", "spec-", "jsonschema-go"},
		Says: []string{"the schema refers to itself without consuming any data"}, Why: "the specification has no verdict on a schema that never ends; the Go module overflows its stack",
		Schema: `{"$ref":"#"}`, Instance: `{}`},
	{Name: "module-panics", Profiles: []string{"jsonschema-go"}, Says: []string{"the module panics", "the module cannot write what it has read"},
		Why: "the real server process would crash, in words of the Go runtime"},
	{Name: "node-url-host", Profiles: []string{"ajv", "cfworker"},
		Says:   []string{"a host name that needs Node's URL parser", "needs IDNA", "the drive letter"},
		Why:    "ids with hosts beyond ASCII or Windows drives need the IDNA tables of Node's URL parser",
		Schema: `{"$id":"https://ä.test/s","properties":{"a":{"$ref":"b"}}}`, Instance: `{"a":1}`},
	{Name: "object-with-length", Profiles: []string{"cfworker"}, Says: []string{"is an object with a length"},
		Why:    "the library loops over whatever has a length; such a schema was never seen",
		Schema: `{"allOf":{"length":1}}`, Instance: `{}`},
	{Name: "python-pattern", Profiles: []string{"python"}, Says: []string{"is not modelled for Python re"},
		Why:    `\N{…} needs the table of character names, the flag t and a switch between (?a) and (?u) were never seen in a schema`,
		Schema: `{"properties":{"a":{"pattern":"\\N{DASH}"}}}`, Instance: `{"a":"x"}`},
	{Name: "java-pattern", Profiles: []string{"networknt"}, Says: []string{"is not modelled for java.util.regex", "between the halves of a surrogate pair"},
		Why:    `\X, \b{g} and \N{…} need further tables, the flags other than idmsux U and a look-behind without a greatest width are left to the JDK's mood; all are rare in schemas, as authors write for ECMAScript`,
		Schema: `{"properties":{"a":{"pattern":"\\X"}}}`, Instance: `{"a":"x"}`},
	{Name: "java-mail-and-hosts", Profiles: []string{"networknt"},
		Says:   []string{"an address beyond ASCII", "whether commons-validator knows the top level domain", "the format idn-hostname of networknt", "of networknt is not modelled"},
		Why:    "formats before 2019-09 go to libraries with tables of their own (top level domains, IDNA)",
		Schema: `{"$schema":"http://json-schema.org/draft-07/schema#","properties":{"a":{"format":"email"}}}`, Instance: `{"a":"x@y.zzzz"}`},
	{Name: "java-odd-schema", Profiles: []string{"networknt"},
		Says:   []string{"has a broken escape", "a list of types inside a list of types", "a leap second with an offset", "a text that Jackson reads and this parser does not"},
		Why:    "never seen in a schema, and the library's answer follows from code that is not modelled",
		Schema: `{"properties":{"a":{"type":[["string"]]}}}`, Instance: `{"a":"x"}`},
}
