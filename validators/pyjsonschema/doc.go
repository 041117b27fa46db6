// Package pyjsonschema gives the verdicts and words of Python's jsonschema as the
// MCP Python SDK's client calls it: jsonschema.validate(structuredContent,
// outputSchema), which is validator_for, check_schema, best_match(iter_errors).
//
// The evaluator is shaped like the library: a validator class per draft
// (tables.go), keyword functions that pass errors on one by one and stop when
// nobody asks for more (keywords.go, applicators.go, legacy.go), references
// found lazily (registry.go, resolver.go), one error picked (failure.go) and
// printed with Python's repr and pprint (repr.go, pretty.go).
//
// What surprises, all observed on jsonschema 4.26.0, referencing 0.37.0 and
// CPython 3.11 unless said otherwise:
//
//   - $schema chooses the class: draft-03, -04, -06, -07, 2019-09, 2020-12; any
//     other string means 2020-12 (also https://json-schema.org/draft-07/…); a
//     number is an AttributeError. A nested $schema switches, too, without $id.
//   - The schema is checked against its metaschema first, patterns with Python's
//     re. The first error is the compile error, not the best.
//   - format is never checked on instances.
//   - References are resolved when reached; a failure is an exception, thrown, not
//     an invalid result. A remote one would be fetched; here that fails.
//   - $ref, if and the index of a false schema leave no trace in the error's path.
//   - not, if, contains and the second look of oneOf do not enter the $id of their
//     subschema (Validator.evolve keeps the resolver).
//   - What unevaluated* calls evaluated is searched for anew and differs from the
//     specification (unevaluated.go).
//   - Integers are exact, floats IEEE doubles, 1e400 is inf and no integer; True is
//     not 1 in enum, const and uniqueItems, but sorting may hide a duplicate.
//   - The recursion limit of 1000 frames is part of the behaviour. Within 100
//     frames of it the answer is unknown: the host's event loop has a share.
//   - Which of two extra members is named first depends on PYTHONHASHSEED only where
//     the texts are sorted anyway; compile errors in several members of properties
//     come in random order in reality and in source order here.
package pyjsonschema
