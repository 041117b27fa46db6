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

On the fixture server "clean" and its 318 variants, of which each breaks one promise or is only
unusual, live, with every revision and with probes (` + "`go test ./lint -run TestLint -v -ginkgo.v`" + `
prints it, and fails below 98, 95 and 90 % or when a clean server gets a warning):

| transport | MUST | SHOULD | quality | warnings and errors on clean servers |
|---|---|---|---|---|
| stdio | 168 of 168 | 34 of 34 | 56 of 56 | 0 |
| Streamable HTTP | 187 of 187 | 35 of 35 | 55 of 55 | 0 |

On servers that were written without this code, from the specification alone (Python, both eras; the
rules were mended after each): of 299 faults the first time stdio 173 of 181 MUSTs, 27 of 28 SHOULDs,
45 of 57 of quality, HTTP 194 of 205, 29 of 30 and 47 of 57; of 179 other faults afterwards stdio 110 of
110, 10 of 12 and 40 of 45, HTTP 112 of 116, 10 of 13 and 40 of 45; of 250 of a third server stdio 143 of 146,
26 of 31 and 37 of 48, HTTP 160 of 162, 28 of 33 and 37 of 48. No false alarm on the clean servers, nor on 24 clean but
unusual ones of the third.
What is left on purpose is info: images beside structuredContent, elements of lists without a
description, an address of the legacy era refused with the code of the modern one, an icon over http,
tools of one era alone, and constructs that only hosts outside the run refuse.

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
| capped-list | 12 | 0.6 | real: no field says whether more exist |
| error-structured | 8 | 0.4 | real: error results with structuredContent |
| surface-parity | 7 | 0.3 | real: the text says less |
| structured-text | 6 | 0.3 | real: the text says nothing of it |
| tool-name | 5 | 0.2 | real: names with spaces |
| portable-union-type | 4 | 0.2 | stands for rows of the table |
| era-structured | 2 | 0.1 | real: structured output under 2025-03-26 |
| structured-error-mismatch | 2 | 0.1 | real: error results that break the outputSchema |
| json-in-string | 1 | 0.0 | real; descriptions are filler in the catalogue, so this is what names alone show |

On servers of SDKs that this project did not write, with every revision and probes: the Go SDK
1.8.0 over HTTP breaks http-origin, http-header-refused (no base64 in Mcp-Name), http-stream-buffering
(on the stream of subscriptions/listen), era-structured, era-modern-fields and log-level, and with sessions
http-session-required (a test holds it to that); the TypeScript SDK servers 1.32.2 and 2.4.0 break
era-structured and list-unknown-cursor, over HTTP http-origin, and 2.4.0 on stdio unknown-revision.
The Python SDK's server 2.3.0 breaks list-unknown-cursor, unknown-prompt (-32603) and era-structured, and
over HTTP http-header-mismatch (-32600 to a legacy MCP-Protocol-Version beside a modern _meta). All but
the Go SDK's refuse batches in 2025-03-26 (info, message-batch-refused), which over HTTP the TypeScript SDK's take. Nothing else above
info is said about them.

On seventeen real servers, live on stdio with every revision and probes, without a network
(` + "`scripts/real-servers.sh`" + ` makes it again; integration/realservers.tsv names the packages), on
2026-12-01. Each finding above info was held against the specification:

| rule | servers | |
|---|---|---|
| list-unknown-cursor | 17 | real: they read no cursor and give the first page |
| era-structured | 10 | real: the SDKs send structured output under every revision |
| log-level | 9 | real: the TypeScript SDK answers a level that does not exist with -32603 in place of -32602 |
| unknown-revision | 5 | real: the TypeScript SDK 2 on stdio takes an invented revision (context7, angular, dbhub, mongodb, searxng) |
| describe-arguments, describe-output | 4, 1 | real: fields that were forgotten beside described ones |
| surface-parity | 3 | real: desktop-commander, mongodb, xcodebuild |
| error-unflagged | 2 | real: context7 and angular tell failures without isError (everything, whose tool shows what an error looks like, was a false alarm and is none any more) |
| error-structured, structured-error-mismatch | 2, 1 | real: hevy, xcodebuild; hevy |
| arguments-unchecked | 2 | real: desktop-commander, n8n |
| stdin-end | 2 | real: hevy, desktop-commander run on for more than two seconds |
| capped-list | 1 | real: hevy (mongodb counts all results, and names the limits that cut them, under names of its own: was a false alarm) |
| error-protocol | 1 | real: notion answers upstream failures with -32603 |
| structured-mismatch | 1 | real: angular's list_projects lacks what its schema requires |
| server-request-undeclared, unknown-tool | 1 | real: shrimp asks for roots, and calls no tool with success |
| capability-unserved, resource-description, tool-description | 1 | real: xcodebuild declares subscriptions and has none |
| log-level-ignored | 1 | real: desktop-commander logs at info after warning was set |
| message-framing | 1 | real: time-mcp prints a banner |
| result-text | 1 | real: n8n prints [object Object] |
| result-block, prompt-argument-description | 1 | real: everything sends resource_link under 2025-03-26, and describes one of two arguments |

All seventeen agree to 2025-03-26, and none takes the batches that it demands (message-batch-refused). True as that is, no client
of the table sends one, so it is info, unless the server answers 2025-03-26 to clients of newer revisions too or the mode is strict.

Violations that public servers shipped in 2026, and what finds them:

| violation | rule | shown by |
|---|---|---|
| outputSchema and structuredContent under 2025-03-26 (n8n-mcp) | era-structured | integration (servers of several eras); the catalogues |
| a result that lacks what its schema requires (angular) | structured-mismatch | integration (servers of several eras) |
| error results that break the outputSchema (hevy-mcp) | structured-error-mismatch | the catalogues; real-servers.sh hevy |
| structuredContent without an outputSchema (desktop-commander and four more) | structured-undeclared | real-servers.sh desktop-commander (info) |
| an array as structuredContent in 2025-11-25 (an example of mcp-go) | structured-object | fixture tc5-array |
| draft-07 tuples that 2020-12 can't compile (mapbox) | output-schema-uncompilable of the rows | the matrix; valid under their own dialect, so no rule of this page |
| a name twice (metabase) | tool-name-unique | fixture tl7-duplicate |
| a banner or JSON log lines on stdout (time-mcp, azure, elastic, metabase) | message-framing | real-servers.sh time-mcp; fixture t1-noise, t1-json-log |
| roots/list to a client without roots (shrimp) | server-request-undeclared | real-servers.sh shrimp |
| names with spaces and brackets (Go SDK examples) | tool-name | the catalogues |
| texts that say less than structuredContent (20 of 30 servers) | surface-parity, structured-text | the catalogues; real-servers.sh desktop-commander |
| caching hints and array roots for legacy clients (Go SDK) | era-modern-fields, output-root | lint/gosdk_test.go; fixture tl5-array-root |
| an end at server/discover, or an error of any code (cortex, mcp-prometheus) | none: a legacy server may | the recorder starts it anew (wire/negotiate_test.go) |

annotation-coherence reports destructiveHint: false beside readOnlyHint: true as info only: 677 of
2,137 tools have it, and it misleads nobody.
`

// unseen are the entries of the lists that no rule of this package checks: host
// behaviour that the matrix has, and what does not show on the wire.
var unseen = []Unseen{
	{"R29 (part), 1.5 of the linter", "error contract, enrichment, handler bodies, landing pages, auth settings", "needs the source"},
	{"schema-serializable, format-parity-threw, template-params-align", "what the server's own code can't write", "needs the source; on the wire list-fails and error-protocol are what shows of it"},
	{"canvas-consumer-missing", "a rule about one framework's tools", "says nothing about other servers"},
	{"T2 (part)", "the answer -32700 to a line that is no JSON", "no client sends one; a probe could end the server, and what follows on the line with it"},
	{"T8 (part)", "that spaces around the value of a header are ignored", "the HTTP library of this program, as most, sends none"},
	{"T14", "the endpoint event of HTTP+SSE", "the recorder fails to connect without it and says so"},
	{"T15 (part)", "404 to a session id that the server never gave", "no revision says it; http-session-ended and http-session-required see the probe's own session"},
	{"T16 (HTTP)", "exit at the end of stdin", "stdio alone has a stdin"},
	{"T19 (part)", "that a server answers -32021 when it needs a capability", "shows only on a tool that needs one; input-required sees the opposite"},
	{"L7 (part)", "that changes really come on the stream of subscriptions/listen", "a probe does not change a server; subscription sees the acknowledgement, unrequested-notification what comes unasked"},
	{"TL11 (part)", "tasks of tools that are not read-only", "calls of tools that may do something are not made for a probe"},
	{"T15 (part)", "that session ids are made by chance", "a few ids prove nothing; http-session-unique sees one id given twice, and two that differ in fewer than eight characters"},
	{"R28 (part)", "that addresses of servers on other machines can't lead out of what they serve (../)", "the probe would read what is not the tester's, and look like an attack; resource-traversal is for servers on this machine"},
	{"TC9", "invalid arguments as isError or -32602", "the specification says both; error-protocol reports which as info"},
	{"R38 (b), R39, R49 without --variant", "the same call with truncation or another mode switched by the address", "which switch there is, only the server's author knows: `--variant '?truncateToolResult=false'` gives it, and structured-variant compares"},
	{"C1 to C17", "duties of clients", "not the server's; the matrix emulates the hosts"},
	{"section 3, limits", "depth and number of subschemas", "the specification gives no numbers; this program's own limits become problems of the capture"},
}
