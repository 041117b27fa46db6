// Package cfworker gives the verdicts and words of @cfworker/json-schema as the
// MCP TypeScript SDKs use it: edge runtimes by default, others by choice.
//
// The evaluator is shaped like the library: dereference.go finds what has a URI
// once, evaluate.go applies keywords in a fixed order (general.go, object.go,
// array.go, scalar.go) and collects every error with all of its parents. Two
// releases differ in a dozen rules: release.go.
//
// What surprises, all observed by running both on Node.js 20:
//
//   - A schema is never checked. A keyword of the wrong type is ignored, misread
//     ("1 is less than true"), or throws what JavaScript throws.
//   - References and patterns fail when reached: thrown, not invalid. Only a
//     duplicate URI, a bad $id and a $schema that SDK v2 does not know are compile
//     errors.
//   - $schema chooses little: "7" ignores what stands beside $ref, and that is all.
//     dependentRequired, prefixItems or a list of items work in every draft.
//     $dynamicRef works in none.
//   - Everything of the schema is entered in search of ids, examples included.
//     An $id inside an $id is met twice and is a duplicate (4.1.1).
//   - Names are compared percent-encoded: "#/$defs/P[int]" is not found (4.1.1).
//   - shortcircuit: the first property, or item, that fails ends its object or array,
//     but the members that additionalProperties forbids are all listed.
//   - 4.1.1 looks members up with "in": {} has a toString, which is a function,
//     which throws. 4.1.6 asks for own members.
//   - multipleOf: 4.1.1 forgives a remainder below 1.2e-7 and takes NaN for none,
//     4.1.6 divides decimal digits.
//   - Infinity (1e400) is an integer for "integer", not for ["integer"].
//   - Some 500 nested schemas exceed the stack of a cold process; from 450 to 5,000
//     the answer is unknown.
package cfworker
