// Package spec gives the verdicts of the JSON Schema specifications themselves,
// so that a report can tell "your schema is wrong" from "this host is wrong".
//
//	draft-07            draft-07, format is an annotation
//	draft-07-formats    draft-07, format is an assertion
//	2020-12             2020-12, format is an annotation
//	2020-12-formats     2020-12, format is an assertion
//	spec-dispatch       what MCP 2025-11-25 and later ask for: 2020-12 unless
//	                    $schema names draft-04, -06, -07 or 2019-09
//
// [Metaschema] answers the narrower question whether a document is a schema at
// all, for draft-04 to 2020-12.
//
// The engine is santhosh-tekuri/jsonschema v6. What is not taken as it comes:
//
//   - $schema switches its draft whatever DefaultDraft says (draft.go, loader
//     getDraft, v6.0.3). A profile fixes the draft, so $schema is taken out of
//     the schema before compiling; [Metaschema] sees the document as it is.
//   - Draft-07 asserts formats unless told otherwise, and there is no option to
//     say so: for annotations the format keyword is taken out too.
//   - It loads file: URLs by default. Here every load is refused with
//     [RemoteError]; the metaschemas are embedded in the module.
//   - Patterns are ECMA-262 in the specification and RE2 in the library: they
//     run on validators/regex, with its step budget.
//   - Numbers are exact (big.Rat), which a literal such as 1e999999999 turns
//     into gigabytes: exponents beyond ±5000 are answered with "unknown".
//   - It has no time limit. Every schema object that is evaluated counts one
//     step through a vocabulary of our own; see budget.go.
//   - A reference cycle that consumes no data has no meaning in the
//     specification: the answer is "unknown".
//
// A specification has no words. Texts are the library's, ordered by place,
// because it walks Go maps.
package spec
