// Package shape models the typed parser through which a client sends the answers
// to initialize, server/discover, tools/list and tools/call before anybody looks
// at them: zod in the TypeScript SDKs, serde, pydantic, encoding/json structs,
// Jackson and the like. One malformed entry may lose a whole server there.
//
// A parser is data (format conform-shape/1, see shape.schema.json): a tree of
// nodes per part of the protocol, evaluated by one engine ([Shape.Check]), and a
// "words" dialect that says in which order and in which words the real library
// reports ([Shape.Text]). Which client uses which shape is not known here.
//
// Everything is bounded: at most 1000 issues are kept, no value deeper than the
// schema package parses is walked, and nothing is fetched or compiled from the
// checked value.
package shape
