// Package ajv emulates Ajv as MCP SDKs and hosts run it: the same verdicts and the
// same words, right or wrong. The standard is the real library; what it does was
// learned from the behaviour of ajv 8.20.0, ajv 6.15.0, ajv-formats 3.0.1 and the
// Ajv 8.18.0 that @modelcontextprotocol/client bundles, on Node 20, and from their
// documentation. testdata/behaviours.jsonl holds one construct per behaviour.
//
// # Shape
//
// Ajv generates a JavaScript function per schema; this package compiles to nodes that
// run in the same order and keep the same variables:
//
//   - profile.go: the profiles, as options derived from one another
//   - rules.go: the keywords with code, by type of data, in the order of errors
//   - compile.go, ids.go, resolve.go, registry.go: schemas to functions, ids,
//     references, known documents; package uri: the three URI libraries
//   - node.go, state.go: how a compiled schema runs, errors, limits
//   - keyword_*.go: one file per family of keywords; evaluated.go: what counts as
//     evaluated
//   - six*.go: Ajv 6, on the same nodes
//   - package js: values as JavaScript sees them; package format: the format tables
//
// # Compiling
//
//   - Profiles that don't validate schemas still refuse a keyword's value of the wrong
//     type ("items value must be …"), an unknown type, an empty enum, nullable without
//     a type, a pattern that is none, a reference that leads nowhere, the keyword id.
//   - Nothing is compiled that isn't reached: a bad definition that no $ref leads to is
//     no error; neither is a bad branch beside a trivial one in draft-07's anyOf.
//   - A schema with no reference inside is inlined at each $ref, another becomes a
//     function; $ref takes part beside other keywords (Ajv 6: it hides them, except a
//     type without keywords of its own).
//   - "#" calls the root only where no id changed the base; Ajv 6 always calls it.
//   - A chain of schemas that are nothing but a $ref and lead back recurses for ever
//     while compiling: "Maximum call stack size exceeded", whatever the data.
//   - The tables of keywords, references and (before 8.20) formats are plain objects: a
//     member "toString" counts as a keyword, a $ref "toString" is found.
//
// # Running
//
//   - Order: type, keywords for any type, numbers, strings, arrays, objects (Ajv 6: any
//     type last). A type that has keywords of its own in the schema is checked with
//     them, as the else branch of their group.
//   - With allErrors everything runs. Without, a function returns its first error
//     alone, unless it stands in a branch (anyOf, oneOf, not, if, contains,
//     propertyNames): there errors add up, and a wrong type does not stop the group
//     that follows.
//   - Branch errors stay before the keyword's own and go when it succeeds.
//   - Numbers are doubles, multipleOf divides, lengths are code points.
//   - Property look-ups reach Object.prototype: required ["toString"] holds for {}, a
//     schema for "toString" meets a function, "__proto__" is never looked at.
//   - Variables belong to the function, not to the keyword. contains on an empty array
//     answers what the array before it left (observed with items); a tuple or
//     propertyNames with nothing to do ends its group in first-error mode;
//     patternProperties may write to a variable that was never set, which throws.
//   - unevaluated*: what a condition evaluated counts even when it fails; what a called
//     function evaluated is the function object's value from its last run, shared by
//     reference (the real one outlives the validation, this one doesn't).
//   - $dynamicRef calls the first function that noted the anchor since the validation
//     began, else the function it stands in.
//   - $async makes the result a promise, which the SDKs take for true.
//
// # Limits
//
// A compilation may make 300,000 nodes, a validation 10,000,000 steps and 200,000
// errors, a pattern what package regex allows; beyond, the answer is unknown and names
// the limit. Node's stack is estimated (see stackBytes): far below its end the verdict
// is sure, far beyond it is the library's RangeError, in between unknown. Host names in
// ids that need Unicode mapping beyond plain letters are unknown too.
package ajv
