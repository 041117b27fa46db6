// Package wire speaks MCP to a server and keeps the bytes that passed: stdio,
// Streamable HTTP and the older HTTP+SSE, in every era of the protocol.
//
// [Capture] is the whole surface: it performs the handshakes it is given, lists
// every page of tools, calls what the caller's plan names, and returns a
// [recording.Capture]. A handshake that pins an era never leaves it; only
// [Auto] negotiates, as MCP 2026-07-28 (basic/versioning, Backward
// Compatibility) says.
//
// The server is taken to be hostile. Every wait, message, page, list and
// decoded body has a limit ([Timeouts], [Limits]); what exceeds one, or breaks
// the protocol without ending it, becomes a [recording.Problem]; what ends a
// session becomes an [*Error] that says what was tried, on what, what came back
// and what to do. Values of headers and of secret environment variables never
// reach a message, a problem or an error.
//
// Requests over HTTP go through the proxy that HTTP_PROXY, HTTPS_PROXY and
// NO_PROXY name, which never applies to loopback addresses.
package wire
