// Package networknt gives the verdicts and words of the MCP Java SDK's client,
// which validates structured content with com.networknt:json-schema-validator when
// schema caching is switched on.
//
// The evaluator is shaped like the library: a schema is built in whole (build.go),
// each keyword into a function (scalars.go, applicators.go, arrays.go), references
// when reached (references.go), and what unevaluated* needs is annotated on the way
// (execute.go). formats.go holds the formats, which count up to draft-07 only.
//
// What surprises, observed on Java 17 with the SDK 2.1.0 and the library 3.0.6:
//
//   - There are hardly any compile errors: a schema is built when a result arrives,
//     and an exception becomes an invalid result ("Unexpected validation error: …").
//     Definitions that nothing uses are built, too.
//   - $schema chooses the dialect (draft-04 to 2020-12), also of a subschema; an
//     unknown one "fails to load".
//   - "id" is no keyword after draft-04 and throws; "dependencies" works in all.
//   - A string as structured content is read as JSON text.
//   - null throws IllegalArgumentException and is not caught.
//   - Beside "type": "integer" a whole limit compares with the value's whole part.
//   - 1 and 1.0 are equal in const and enum (there also inside one array), but not in
//     uniqueItems or deeper.
//   - Numbers in messages are Java's: "must be multiple of 1E+1", "at least 1,000".
//   - anyOf has no sentence of its own; dependencies print the whole map.
//   - Patterns are java.util.regex with find(), "$" read as \z.
//   - An $id must lead to an absolute IRI; relative addresses are resolved by the
//     library's own rule (location.go).
package networknt
