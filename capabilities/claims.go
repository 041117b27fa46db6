package capabilities

import (
	"encoding/json"
	"slices"
	"sort"
)

// This file says what may be claimed: one Go type per claim key. A stage of the
// pipeline asks for a key with [Resolved.Get]; `caps lint` decodes every value
// strictly into the type registered here.

// Op is a named operation with its parameters, e.g.
// {"op":"strip-keywords","keywords":["format"]}. The name is looked up in
// matrix/operation, which decodes the rest strictly.
type Op struct {
	Name   string
	Params json.RawMessage // the whole object, "op" included
}

// UnmarshalJSON reads the "op" member and keeps the object.
func (o *Op) UnmarshalJSON(data []byte) error {
	var head struct {
		Op string `json:"op"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return err
	}
	o.Name, o.Params = head.Op, append(json.RawMessage(nil), data...)
	return nil
}

// MarshalJSON writes the object back.
func (o Op) MarshalJSON() ([]byte, error) { return o.Params, nil }

// Handshake (connect.handshake): what the host sends first.
type Handshake struct {
	// Tries are made in order until one is answered.
	Tries []Try `json:"tries"`
	// Capabilities are the client capabilities that the host declares.
	Capabilities json.RawMessage `json:"capabilities,omitempty"`
}

// First returns what the host sends first over a transport and, when that is no
// initialize, the revision of the initialize that follows where it has no answer,
// "" for none. ok is false when the host tries nothing over the transport.
func (h *Handshake) First(transport string) (first Try, fallback string, ok bool) {
	var tries []Try
	for _, t := range h.Tries {
		if len(t.Transports) == 0 || slices.Contains(t.Transports, transport) {
			tries = append(tries, t)
		}
	}
	if len(tries) == 0 {
		return Try{}, "", false
	}
	if tries[0].Method != "initialize" && len(tries) > 1 && tries[1].Method == "initialize" {
		fallback = tries[1].Version
	}
	return tries[0], fallback, true
}

// Versions (connect.versions): the protocol revisions with which the host goes on.
// What a host sends says nothing about what it accepts; without this claim no
// answer of a server counts as refused.
type Versions struct {
	Accepts []string `json:"accepts"`
	// Refused is what the host says to another version; {version} is replaced.
	Refused string `json:"refused,omitempty"`
}

// Try is one attempt of a handshake.
type Try struct {
	Method     string   `json:"method"` // initialize, server/discover, or "none" (modern pin)
	Version    string   `json:"version"`
	Transports []string `json:"transports,omitempty"` // empty: all
}

// Shape (list.shape, result.shape, connect.shape): the typed parser that reads an
// answer; the shape itself is data in capabilities/shapes.
type Shape struct {
	Shape string `json:"shape"`
	// Modern names another shape for 2026-07-28 sessions; empty: the same.
	Modern string `json:"modern,omitempty"`
	// OnFailure: "server" (one bad entry loses the server), "tool" (only the entry).
	OnFailure string `json:"on_failure,omitempty"`
	// Text is what the host says; {issues} is the parser's own words.
	Text string `json:"text,omitempty"`
	// Outputs "parsed" (list.shape): validators are made from the outputSchema as the
	// parser hands it on, without what it drops; empty: from what the server sent.
	Outputs string `json:"outputs,omitempty"`
}

// Pages (list.pages): how the host follows nextCursor.
type Pages struct {
	Follow string `json:"follow"`           // "all" or "first"
	Max    int    `json:"max,omitempty"`    // pages read at most; 0: no limit
	OnMax  string `json:"on_max,omitempty"` // "stop" or "server" (the whole list fails)
	// Tools: no further page is asked for once this many tools are there; 0: no limit.
	Tools int `json:"tools,omitempty"`
	// Validators: "last-page" when reading a page forgets the validators of the
	// pages before (TS SDK v1); empty: all are kept.
	Validators string `json:"validators,omitempty"`
}

// Duplicates (list.duplicates): two tools of one server with the same name.
type Duplicates struct {
	Keep string `json:"keep"` // "first", "last", "all", "server" (list lost), "request"
	Text string `json:"text,omitempty"`
	// Validator "last": where both are kept, results of either are checked with the
	// outputSchema of the last one that has any.
	Validator string `json:"validator,omitempty"`
	// Inherited: the names seen so far are kept in a plain object, where "constructor",
	// "toString" and whatever else Object.prototype has counts as seen.
	Inherited bool `json:"inherited,omitempty"`
}

// Relist (list.relist): after a failed list the host asks again and ignores
// outputSchema when its error message matches.
type Relist struct {
	Match string `json:"match"` // regular expression (RE2), case-insensitive; "": it never does
}

// Validator (result.validator): who checks structuredContent, and how.
type Validator struct {
	Profile string `json:"profile"` // a validator profile, or "none"
	// ByTag chooses another profile by the exact "$schema" of the outputSchema.
	ByTag map[string]string `json:"by_tag,omitempty"`
	// Compile: "list" (all outputSchemas when the list is read), "call" (before the
	// call is sent), "result" (when the result arrives).
	Compile string `json:"compile,omitempty"`
	// Uncompilable: "server" (list fails), "tool" (call fails), "skip-validation",
	// "accept-any" (a validator that accepts whatever is there; what is missing still is).
	Uncompilable string `json:"uncompilable,omitempty"`
	CompileText  string `json:"compile_text,omitempty"` // {error}, {tool}
	CompileMax   int    `json:"compile_max,omitempty"`  // characters of {error} kept; 0: all
	// OnError: structuredContent is checked even when isError is true.
	OnError bool `json:"on_error,omitempty"`
	// Missing: "reject" or "accept" a result without structuredContent.
	Missing     string `json:"missing,omitempty"`
	MissingText string `json:"missing_text,omitempty"`
	// Falsy: a structuredContent of null, 0, "" or false counts as missing (if "missing")
	// or is not validated (if "unchecked"); "null": only null counts as missing; empty:
	// validated like any other.
	Falsy        string `json:"falsy,omitempty"`
	MismatchText string `json:"mismatch_text,omitempty"` // {errors}, {tool}
	ThrownText   string `json:"thrown_text,omitempty"`   // {error}, {message} (without the exception's class), {tool}
	// ParseText: text content that is JSON stands in for a missing structuredContent.
	ParseText bool `json:"parse_text,omitempty"`
	// SameID says what becomes of tools whose outputSchemas share a root $id: "first"
	// (all are checked with the first one's schema), "unchecked" (the later ones fail
	// to compile and go unvalidated); empty: each is checked with its own.
	SameID string `json:"same_id,omitempty"`
	// ListOnly: outputSchemas are compiled when the list is read, results are never
	// validated.
	ListOnly bool `json:"list_only,omitempty"`
	// Retries is how often a rejected or failed call is executed again.
	Retries int `json:"retries,omitempty"`
	// Modern is the validator of 2026-07-28 sessions, where it is another.
	Modern *Validator `json:"modern,omitempty"`
}

// In returns the validator of a session of the modern era or of an older one.
func (v *Validator) In(modern bool) *Validator {
	if v != nil && modern && v.Modern != nil {
		return v.Modern
	}
	return v
}

// Arguments (call.arguments): who checks the model's arguments before the call.
type Arguments struct {
	Profile string `json:"profile"`
	// ByTag chooses another profile by the exact "$schema" of the inputSchema.
	ByTag        map[string]string `json:"by_tag,omitempty"`
	Uncompilable string            `json:"uncompilable,omitempty"` // "skip-validation" or "tool"
	Text         string            `json:"text,omitempty"`         // {errors}, {missing}, {tool}
	// Variable replaces "data" at the start of each error; FirstOnly keeps the first error.
	Variable  string `json:"variable,omitempty"`
	FirstOnly bool   `json:"first_only,omitempty"`
	// Coerce says how arguments that are refused are mended before they are checked once
	// more: "typed" (to a type that the schema accepts), "blind" (any "true" and "false",
	// and JSON in the texts of the root's properties); empty: not at all.
	Coerce string `json:"coerce,omitempty"`
	// Offered: the schema that counts is the one that the model got, not the server's.
	Offered bool `json:"offered,omitempty"`
	// Message is a text of its own for Text to hold as a JSON string, {message}: in it
	// {offered} is the tool's offered name, {lines} one line an error ("- a.0: must be
	// number"; "root" for the whole) and {arguments} the indented arguments, cut after
	// ArgumentsMax UTF-16 units. {fields} of Text is the JSON of the errors by field.
	RequiredOnly bool   `json:"required_only,omitempty"` // nothing is looked at but the root's required
	NullMissing  bool   `json:"null_missing,omitempty"`  // an argument that is null counts as missing
	Message      string `json:"message,omitempty"`
	ArgumentsMax int    `json:"arguments_max,omitempty"`
	// CompileText is the error of a schema that does not compile; {error}.
	CompileText string `json:"compile_text,omitempty"`
}

// Approval (call.approval): calls that run only with the right annotations.
type Approval struct {
	Mode    string `json:"mode"` // when this applies, e.g. "headless without bypass"
	Default bool   `json:"default,omitempty"`
	Needs   string `json:"needs"` // "readOnlyHint"
	Text    string `json:"text,omitempty"`
}

// Name (offer.name): how the tool's name reaches the model.
type Name struct {
	Template string `json:"template"`            // {server}, {tool}; other text as is
	Allow    string `json:"allow,omitempty"`     // character class kept, e.g. "[A-Za-z0-9_-]"
	Replace  string `json:"replace,omitempty"`   // for every other character
	Runs     bool   `json:"runs,omitempty"`      // a run of such characters is replaced once
	Per      string `json:"per,omitempty"`       // what is replaced once: "unit" (UTF-16, default) or "character"
	Encode   string `json:"encode,omitempty"`    // "punycode": labels with other than ASCII characters become xn--…
	Lower    string `json:"lower,omitempty"`     // "server" or "all": lower case first
	Server   *Part  `json:"server,omitempty"`    // the server's part, where it differs
	Start    string `json:"start,omitempty"`     // class of the first character
	StartFix string `json:"start_fix,omitempty"` // put before a name that starts otherwise
	Max      int    `json:"max,omitempty"`       // length limit of the whole name
	// Overflow: "keep", "cut", "hash", "middle-ellipsis", "tool" (dropped), "request".
	Overflow string `json:"overflow,omitempty"`
	Head     int    `json:"head,omitempty"` // characters kept in front (hash, middle-ellipsis)
	Tail     int    `json:"tail,omitempty"` // characters kept behind (middle-ellipsis)
	Joint    string `json:"joint,omitempty"`
	Hash     string `json:"hash,omitempty"`      // "sha1", "sha256", "fnv1a-36"
	HashOf   string `json:"hash_of,omitempty"`   // what is hashed, default the unsanitised name; {server}, {tool}
	HashLen  int    `json:"hash_len,omitempty"`  // characters of the hash
	HashWhen string `json:"hash_when,omitempty"` // "overflow" (default), "changed" (also when characters were replaced)
	// Collision after all that: "first", "last", "all", "hash", "number", "server", "request",
	// "sorted-last" (tools sorted by their own names, the last wins; names that were cut
	// get a number in the place of their last character instead).
	Collision string `json:"collision,omitempty"`
	Empty     string `json:"empty,omitempty"` // "tool": a tool without a name is dropped; else the name used
	// Bare: a tool's part that starts with this follows the server's part directly,
	// without what the template has between the two.
	Bare string `json:"bare,omitempty"`
	// Namespace: {server} template of a namespace that stands beside the name.
	Namespace string `json:"namespace,omitempty"`
	Text      string `json:"text,omitempty"` // what the host says when it drops the tool; {name}
	// Extra holds parameters of named name operations that a host needs beyond these.
	Ops []Op `json:"ops,omitempty"`
}

// Part is a sanitising rule for one part of a name.
type Part struct {
	Allow   string `json:"allow,omitempty"`
	Replace string `json:"replace,omitempty"`
	Runs    bool   `json:"runs,omitempty"`
	Per     string `json:"per,omitempty"`    // as in Name
	Encode  string `json:"encode,omitempty"` // as in Name
	Lower   bool   `json:"lower,omitempty"`
	Max     int    `json:"max,omitempty"`
}

// Description (offer.description): the tool's description as the model gets it.
type Description struct {
	Max    int    `json:"max,omitempty"`
	Unit   string `json:"unit,omitempty"`   // "utf16" (default), "bytes"
	Marker string `json:"marker,omitempty"` // appended after the cut
	Empty  string `json:"empty,omitempty"`  // "tool": dropped; else the text used instead
	Text   string `json:"text,omitempty"`
}

// Checks (offer.precheck, offer.api.schema): operations of kind check that look at the schema
// before it is sent and say what happens to a tool that fails.
type Checks []Check

// Check is one check with its consequence.
type Check struct {
	Op        Op     `json:"check"`
	OnFailure string `json:"on_failure"`     // "tool", "server", "request", "note", "hide" (kept from the model, as the server asks), "calls" (offered, each call refused)
	Text      string `json:"text,omitempty"` // {detail}, {tool}, {pointer}
	// Rewritten: the check looks at the schema as offer.schema leaves it (offer.precheck).
	Rewritten bool `json:"rewritten,omitempty"`
}

// APIName (offer.api.name): names that a model API takes.
type APIName struct {
	Pattern string `json:"pattern"`
	Max     int    `json:"max,omitempty"`
	Text    string `json:"text,omitempty"`
	Unique  bool   `json:"unique,omitempty"`
}

// Limits (offer.limits, offer.api.limits): counts and sizes.
type Limits struct {
	Tools       int    `json:"tools,omitempty"`
	OnTools     string `json:"on_tools,omitempty"` // "request", "server" (it is not taken), "cut"
	Description int    `json:"description,omitempty"`
	OnDesc      string `json:"on_description,omitempty"` // "request", "tool"
	Text        string `json:"text,omitempty"`
}

// Surface (view.surface): which parts of a result the model sees.
type Surface struct {
	// Prefers: "content", "structured", "content+structured", "structured+content", "raw".
	Prefers string `json:"prefers"`
	// StructuredOnly: "structured", "empty", or a literal text after "text:".
	StructuredOnly string `json:"structured_only,omitempty"`
	// OnError: the same for isError results; empty: as Prefers.
	OnError string `json:"on_error,omitempty"`
	// ErrorMark: the model can tell that the result is an error; absent: not known.
	ErrorMark *bool `json:"error_mark,omitempty"`
	// Needs "output-schema": structuredContent counts only when the tool has one.
	Needs string `json:"needs,omitempty"`
}

// Blocks (view.blocks): what becomes of each content block type: "shown",
// "image", "text", "placeholder", "file", "lost", "reject".
type Blocks struct {
	Text         string `json:"text,omitempty"`
	Image        string `json:"image,omitempty"`
	Audio        string `json:"audio,omitempty"`
	Resource     string `json:"resource,omitempty"`
	Blob         string `json:"blob,omitempty"`
	ResourceLink string `json:"resource_link,omitempty"`
	// WithStructured: blocks other than text are lost when structuredContent is shown.
	WithStructured string `json:"with_structured,omitempty"`
}

// Cut (view.limit): where a long result ends.
type Cut struct {
	Max    int    `json:"max"`
	Unit   string `json:"unit,omitempty"` // "utf16" (default), "bytes", "tokens"
	Head   int    `json:"head,omitempty"`
	Tail   int    `json:"tail,omitempty"`
	Spill  bool   `json:"spill,omitempty"` // the whole text goes to a file
	Marker string `json:"marker,omitempty"`
}

// Apps (view.apps): MCP Apps of _meta.ui.resourceUri.
type Apps struct {
	Shown bool `json:"shown"`
}

// claimTypes maps every claim key to a constructor of its value type.
var claimTypes = map[string]func() any{
	"layers":            func() any { return new([]string) },
	"connect.handshake": func() any { return new(Handshake) },
	"connect.versions":  func() any { return new(Versions) },
	"connect.shape":     func() any { return new(Shape) },
	"list.shape":        func() any { return new(Shape) },
	"list.pages":        func() any { return new(Pages) },
	"list.duplicates":   func() any { return new(Duplicates) },
	"list.relist":       func() any { return new(Relist) },
	"list.drop":         func() any { return new(Checks) },
	"offer.name":        func() any { return new(Name) },
	"offer.description": func() any { return new(Description) },
	"offer.precheck":    func() any { return new(Checks) },
	"offer.schema":      func() any { return new([]Op) },
	"offer.render":      func() any { return new([]Op) },
	"offer.limits":      func() any { return new(Limits) },
	"offer.api.name":    func() any { return new(APIName) },
	"offer.api.schema":  func() any { return new(Checks) },
	"offer.api.limits":  func() any { return new(Limits) },
	"call.arguments":    func() any { return new(Arguments) },
	"call.approval":     func() any { return new(Approval) },
	"result.shape":      func() any { return new(Shape) },
	"result.validator":  func() any { return new(Validator) },
	"result.error":      func() any { return new(RPCError) },
	"view.surface":      func() any { return new(Surface) },
	"view.blocks":       func() any { return new(Blocks) },
	"view.limit":        func() any { return new(Cut) },
	"view.render":       func() any { return new([]Op) },
	"view.apps":         func() any { return new(Apps) },
}

// RPCError (result.error): what the model sees of a JSON-RPC error.
type RPCError struct {
	Text string `json:"text"` // {code}, {message}, {data}
}

// ClaimKeys returns every key that may be claimed, sorted.
func ClaimKeys() []string {
	keys := make([]string, 0, len(claimTypes))
	for k := range claimTypes {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}

// StageOf returns the stage that a claim key belongs to, "" for "layers".
func StageOf(key string) string {
	for i, c := range key {
		if c == '.' {
			return key[:i]
		}
	}
	return ""
}
