package lint

const docsHead = `# Rules

Made from the rule values of package lint by ` + "`go generate ./lint`" + `; a test holds this page and the
values together. ` + "`conform explain RULE`" + ` prints one section of it. Rule ids are stable and never
reused. "Covers" names entries of the protocol's list of checkable rules (T1 … TC13) and of the
project's requirements (R1 … R52).

A finding is an error where the specification says MUST or its schema.json demands it, a warning
where it says SHOULD or where models and people are worse off, and info where nothing is lost.
What a capture does not show is reported as "could not check" with the reason, never as passed.
Where the specification contradicts itself either way is accepted; what was seen is then info.

Settings, in conform.yaml (unknown keys and rules are refused, with the nearest known one):

` + "```yaml" + `
lint:
  portability: strict            # default: default; strict also runs the strict rules
  rules:
    tool-description: error      # on, off, error, warning, info
  allow:
    capped-list: [list_*]        # tools about which the rule is silent
  formats: [date-time, uri]      # formats that pass, in place of those that every API takes
` + "```" + `

Rules about wrong requests need probes: requests that no client sends. They are part of
` + "`--protocol all`" + ` and listed by ` + "`--dry-run`" + `; without them these rules find nothing. No tool is
called that does not say readOnlyHint: true.

`

const docsMeasured = `
## Measured

On the fixture server "clean" and its 223 variants, of which each breaks one promise or is only
unusual, live, with every revision and with probes (` + "`go test ./lint -run TestLint -v -ginkgo.v`" + `
prints it, and fails below 98, 95 and 90 % or when a clean server gets a warning):

| transport | MUST | SHOULD | quality | warnings and errors on clean servers |
|---|---|---|---|---|
| stdio | 141 of 141 | 24 of 24 | 28 of 28 | 0 |
| Streamable HTTP | 158 of 158 | 24 of 24 | 28 of 28 | 0 |

Audio in 2024-11-05 is a promise of stdio alone: that revision has no Streamable HTTP, and a server
without sessions can't know that the client means it.

On the definitions and results of 52 real public servers (2,137 tools, ` + "`CONFORM_SHARED`" + ` names the
catalogue; the test fails when a rule passes 2 % without a host behind it). Percent of tools with a
warning or error, then what was done:

| rule | tools | percent | |
|---|---|---|---|
| describe-arguments | 30 | 1.4 | was 12.7 with every bare field; now a warning only for what was forgotten where all else is described, else info (a warning in strict mode) |
| portable-format | 24 | 1.1 | stands for rows of the table |
| describe-output | 25 | 1.2 | was 7.4; as describe-arguments |
| capped-list | 13 | 0.6 | real: no field says whether more exist |
| tool-name | 5 | 0.2 | real: names with spaces |
| portable-union-type | 4 | 0.2 | stands for rows of the table |
| surface-parity | 4 | 0.2 | real: the text says less |
| era-structured | 2 | 0.1 | real: structured output under 2025-03-26 |
| structured-error-mismatch | 2 | 0.1 | real: error results that break the outputSchema |
| json-in-string | 1 | 0.1 | real; descriptions are filler in the catalogue, so this is what names alone show |

On servers of SDKs that this project did not write, with every revision and probes: the Go SDK
1.8.0 over HTTP breaks http-origin, http-header-refused (no base64 in Mcp-Name), http-stream-buffering
(on the stream of subscriptions/listen), era-structured and era-modern-fields, and with sessions
http-session-required (a test holds it to that); the TypeScript SDK servers 1.32.2 and 2.4.0 break
era-structured and list-unknown-cursor, over HTTP http-origin, and 2.4.0 on stdio unknown-revision.
Nothing else above info is said about them.

annotation-coherence reports destructiveHint: false beside readOnlyHint: true as info only: 677 of
2,137 tools have it, and it misleads nobody.
`

// unseen are the entries of the lists that no rule of this package checks: host
// behaviour that the matrix has, and what does not show on the wire.
var unseen = []Unseen{
	{"R1 to R7, R9, R10, R12 to R15", "what hosts and their validators make of a schema and a result", "not a matter of rules: the matrix has it, with the table's evidence (rule ids result-schema-mismatch and others)"},
	{"R51, R52", "capability data, baseline of expected failures", "kept by `conform caps lint` and `conform baseline`"},
	{"R46, R47", "scale and the cost of the first and later tools/list", "R46 is a property of this program (benchmarks); the times of the lists are in the recording and a report may show them, but a time proves no fault"},
	{"R29 (part), 1.5 of the linter", "error contract, enrichment, handler bodies, landing pages, auth settings", "needs the source"},
	{"schema-serializable, format-parity-threw, template-params-align", "what the server's own code can't write", "needs the source; on the wire list-fails and error-protocol are what shows of it"},
	{"canvas-consumer-missing", "a rule about one framework's tools", "says nothing about other servers"},
	{"T3 (2025-03-26)", "that a server takes batches", "only clients MUST receive them; sending one could change things twice"},
	{"T14", "the endpoint event of HTTP+SSE", "the recorder fails to connect without it and says so"},
	{"T15 (part)", "404 to a session id that the server never gave", "no revision says it; http-session-ended and http-session-required see the probe's own session"},
	{"T16 (HTTP)", "exit at the end of stdin", "stdio alone has a stdin"},
	{"T19 (part)", "that a server answers -32021 when it needs a capability", "shows only on a tool that needs one; input-required sees the opposite"},
	{"L7 (part)", "that changes really come on the stream of subscriptions/listen", "a probe does not change a server; subscription sees the acknowledgement, unrequested-notification what comes unasked"},
	{"TL11 (part)", "that a plain call of a task-only tool gives -32601", "calls of tools that may do something are not made for a probe"},
	{"TC9", "invalid arguments as isError or -32602", "the specification says both; error-protocol reports which as info"},
	{"R31 (part), R43 (part)", "what a server promises beyond the specification: stripped legacy lists, certain ttlMs values", "a promise of that server; `conform baseline wire` holds it to what it sent"},
	{"R34", "byte-identical legacy answers", "`conform baseline wire` compares with a golden (lint.CompareWire gives the first differing offset)"},
	{"R38 (b), R39, R49 without --variant", "the same call with truncation or another mode switched by the address", "which switch there is, only the server's author knows: `--variant '?truncateToolResult=false'` gives it, and structured-variant compares"},
	{"R44 without a second identity", "public answers for several callers", "reported as not checked until a second identity is given"},
	{"R50 (part)", "a body as a string and as an object", "two forms of one argument are sent only when a samples file says so"},
	{"C1 to C17", "duties of clients", "not the server's; the matrix emulates the hosts"},
	{"section 3, limits", "depth and number of subschemas", "the specification gives no numbers; this program's own limits become problems of the capture"},
}
