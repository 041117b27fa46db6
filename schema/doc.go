// Package schema holds a JSON document as it was written: member order,
// duplicate keys, number literals and lone surrogates survive, because hosts
// differ in exactly those places (1.0 is an integer to one and a float to the
// next, 2^53+1 is rounded by JavaScript and kept by Python).
//
// It is the one home of three things that every other room needs: the parser
// ([Parse]), JSON Pointers ([Pointer]) and the walk over the subschemas of a
// JSON Schema ([Walk]). It knows no host, no dialect rule and no validator.
package schema
