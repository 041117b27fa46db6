// Package ground knows the common ground of JSON Schema: the part that every library
// reads alike, whatever its dialect, options, language and mistakes.
//
// [Survey] walks a document once and says whether all of it stands on that ground,
// and which of the [Features] it uses on which some profiles leave it. [Schema.Judge]
// then decides an instance that is itself beyond doubt (no number that a double or an
// int holds otherwise, no lone surrogate, no key twice). One answer serves every
// profile that takes part in those features. Anything else, and everything that is
// not plainly valid, is left to the engine of the profile, so that words stay the
// engine's own.
//
// The rule is careful in one direction: what it does not know is [Unsure]. A keyword
// belongs here only in the forms in which all engines agree on it; the suite of
// validators/all runs every profile with and without this package over goldens,
// generated pairs and the shared corpora, and fails on any difference.
//
// Two rooms stand on it: package validators, which answers without compiling where an
// instance is plainly valid, and rewrite/witness, which proves by [Schema.Features]
// alone that a host reads a schema as its own dialect does.
package ground
