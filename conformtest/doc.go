// Package conformtest is for the test suites of server authors: a Gomega matcher
// that sends what a server really says through an emulation of each host and fails
// with the host's own words.
//
//	Expect(server).To(conformtest.WorkIn("cursor", "codex"))
//
// In a plain go test the same line is gomega.NewWithT(t).Expect(server).To(…).
//
// The server may be
//
//   - a *mcp.Server of the official Go SDK, a *server.MCPServer of mcp-go (or what
//     else has its HandleMessage), or any http.Handler, which includes the streamable
//     handlers of both; they are spoken to over HTTP on connections in memory, so
//     that the bytes are those that a host would get
//   - a [Handler]: a function that answers one JSON-RPC message
//   - a [Command], a []string or an *exec.Cmd that was not started, spoken to on
//     stdin and stdout
//   - a URL (a string, *url.URL or *httptest.Server)
//   - a recording or case file (its name as a string, or [Replay]), or a
//     *recording.Capture
//
// As everywhere in conform, no tool is called unless it is read-only by its own
// annotation, or [Matcher.Samples] or [Matcher.AllowCalls] names it.
package conformtest
