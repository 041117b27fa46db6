package ground

// Features are the things in a document on which some profile leaves the common
// ground. A profile lists those on which it stays ([validators.Profile]).
type Features uint32

const (
	// Tagged07 and Tagged2020: $schema at the root, in the spelling of json-schema.org.
	Tagged07 Features = 1 << iota
	Tagged2020
	// Format: the keyword format, with a name that ajv-formats, Ajv 6, cfworker and
	// networknt all know. Strict Ajv without formats refuses it.
	Format
	// Extension: a member "x-…" that holds no object or array, such as the
	// x-fastmcp-wrap-result of Python servers. Strict Ajv refuses unknown keywords.
	Extension
	// Default: some schema has a default, which the Go SDK fills in and validates.
	Default
	// Siblings: keywords that assert beside $ref. Draft-07 and Ajv 6 hide them.
	Siblings
	// Integer: the type integer, of which 1.0 is one or not.
	Integer
	// Line: a pattern ends in $, which also matches before a final newline or not.
	Line
	// Recursion: a schema contains itself by reference.
	Recursion
	// Names: propertyNames, after which Ajv in first-error mode may stop.
	Names
	// Deep: a reference that leads elsewhere than to a definition of the root.
	Deep
	// Unique: uniqueItems over items that may be other than texts.
	Unique
	// Classes: a pattern with \d, \w, \s, a dot or an excluding class, which engines
	// read alike on ASCII only.
	Classes
	// OtherFormat: a format beyond those of [Format]. Ajv 6 and strict Ajv refuse most.
	OtherFormat

	end
)

// Tuples are no common ground: each sort belongs to one dialect. They are read alike
// by the libraries that read the document by that dialect, which list them as exact.
const (
	// TupleTagged: items as a list, with additionalItems or not, in a document whose
	// $schema names draft-07.
	TupleTagged Features = end << iota
	// TupleUntagged: the same without a tag, for libraries that read draft-07 always.
	TupleUntagged
	// TuplePrefix: prefixItems in a document that is not tagged draft-07.
	TuplePrefix
)

// All are all features of the common ground.
const All = end - 1

// Alike are the features that only decide whether a library compiles the document: if
// it does, it reads it like any other library, on every instance of [Assumption].
const Alike = Tagged07 | Tagged2020 | Extension | Default
