// Package gosdk runs google/jsonschema-go in process, the way the official Go SDK
// runs it on what a server's own typed tools return (mcp.applySchema: unmarshal,
// apply defaults, validate). The texts are the module's own. The SDK's client
// validates nothing.
//
// The module reads 2020-12, and draft-07 when $schema says exactly that; any other
// $schema is a compile error (Resolve validates defaults, and that asks). It does not assert formats, patterns are
// Go's RE2, numbers are doubles, keywords of a wrong JSON type fail to unmarshal.
//
// It has no limit of its own, and a reference cycle overflows the stack, which no
// Go program survives. cost.go counts first what a validation would visit at most
// and refuses what never ends or takes too long. It counts on the schema as the
// module decoded it ("AnyOf" is anyOf) and on the instance with its defaults.
package gosdk
