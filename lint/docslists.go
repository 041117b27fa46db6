package lint

import (
	"fmt"
	"slices"
	"strings"
)

// requirement is one of the project's requirements, with what stands for it besides
// the rules of this package that cover it.
type requirement struct{ id, what, elsewhere string }

// requirements are those that the project was made from, one by one.
var requirements = []requirement{
	{"R1", "the result check of one host, text by text", "matrix: `result-schema-mismatch` in the rows that validate, with the row's profile and words; cases/corpus"},
	{"R2", "the same pair under 2020-12", "matrix: the spec rows and `ts-sdk-v2` beside the others; the report tells value from schema"},
	{"R3", "hosts that validate nothing", "matrix: `\"checked\": false` in their cells, never valid"},
	{"R4", "two rows for the two TypeScript SDKs", "matrix: `ts-sdk-v1` and `ts-sdk-v2`"},
	{"R5", "tuples found without a sample", "matrix: made instances (`--witness-budget`), `offered-tuple-lost`, `result-search`"},
	{"R6", "nested positions", "matrix: the same at any depth; cases/corpus"},
	{"R7", "advice that is proven", "`conform fix` runs the matrix again on the rewritten schema and says what is lost"},
	{"R8", "the draft-07 form is no fix", "matrix: `output-schema-uncompilable` in the rows that compile by 2020-12"},
	{"R9", "the workaround passes", "cases/corpus; `conform fix`"},
	{"R10", "arguments are checked apart from results", "matrix: `arguments-refused` by the claim call.arguments, `result-schema-mismatch` by result.validator"},
	{"R11", "an App goes down with its tool", ""},
	{"R12", "stable ids, one reference", "this page and `conform explain`; a test holds ids and page together"},
	{"R13", "a corpus of real results", "cases/corpus and cases/rules, run by `go test ./cases` and `conform cases`"},
	{"R14", "one capability file with versions and evidence", "`conform caps lint`"},
	{"R15", "pointers into data and schema", "every finding has schema_pointer and data_pointer where there is one"},
	{"R16", "every leaf of structuredContent in the text", ""},
	{"R17", "each branch of a union sampled", ""},
	{"R18", "texts that only sum up", ""},
	{"R19", "which surface a host shows", "matrix: the claim view.surface, `structured-hidden` and `text-hidden`"},
	{"R20", "roots are objects", ""},
	{"R21", "fields are described", ""},
	{"R22", "tools/list succeeds", ""},
	{"R23", "nothing is unsatisfiable", ""},
	{"R24", "six rules of portability", "matrix: the rows of model APIs (`refuse-formats`, `type-rules`, `refuse-keywords` …)"},
	{"R25", "x-mcp-header by era and transport", "matrix: `tool-dropped` in the rows that drop"},
	{"R26", "names, descriptions, annotations", ""},
	{"R27", "_meta.ui and its resource", ""},
	{"R28", "resources, templates, prompts", ""},
	{"R29", "capped lists; severities; settings; server.json", "settings: conform.yaml; server.json: the rules manifest and manifest-live"},
	{"R30", "both eras in one run", "`--protocol all`"},
	{"R31", "new fields for modern clients alone", "stricter promises of one server: `conform baseline wire`"},
	{"R32", "unknown, missing and future revisions", ""},
	{"R33", "non-object roots for legacy clients", ""},
	{"R34", "byte-identical legacy answers", "`conform baseline wire` gives the first differing offset"},
	{"R35", "no leak between connections", ""},
	{"R36", "typed arguments in place of JSON in a string", ""},
	{"R37", "an outputSchema is a promise", ""},
	{"R38", "structuredContent is never cut", ""},
	{"R39", "switches of truncation change text alone", "`--variant`"},
	{"R40", "text alone means no outputSchema", ""},
	{"R41", "errors: isError, text, no structuredContent", "matrix: `structured-error-mismatch` and `result-schema-mismatch` in the rows that validate errors"},
	{"R42", "errors say what went wrong", ""},
	{"R43", "ttlMs and cacheScope", "certain values are one server's promise: `conform baseline wire`"},
	{"R44", "public means the same for all", "needs `--second-header`; without it the rule says that it could not check"},
	{"R45", "lists are stable", ""},
	{"R46", "2,900 tools", "a property of this program: benchmarks, [large-servers.md](large-servers.md)"},
	{"R47", "the cost of the first and later lists", "a time proves no fault: information alone; the recording has the time of each message (`at_ms`)"},
	{"R48", "pagination is complete", "matrix: `page-limit`, `page-not-read`"},
	{"R49", "modes switched by the address", "`--variant`"},
	{"R50", "renames between eras", "a body as a string or an object is sent only when a samples file says so"},
	{"R51", "verdicts come from capability data", "layout_test.go: no Go file names a host; `conform caps lint`"},
	{"R52", "expected failures that go stale", "`conform baseline`: unexpected failures and stale entries fail"},
}

// covering returns the ids of the rules that cover an entry of a list.
func covering(id string) (out []string) {
	for _, r := range Rules() {
		if slices.Contains(r.Covers, id) {
			out = append(out, r.ID)
		}
	}
	return out
}

// writeRequirements writes the table of requirements: for each the rules of this
// package that cover it, and what else does.
func writeRequirements(b *strings.Builder) {
	b.WriteString("\n## The project's requirements, one by one\n\n| | what | rules | elsewhere |\n|---|---|---|---|\n")
	for _, r := range requirements {
		var links []string
		for _, id := range covering(r.id) {
			links = append(links, fmt.Sprintf("[%s](#%s)", id, id))
		}
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", r.id, r.what, join(links), r.elsewhere)
	}
	b.WriteString("\n## The promises across eras, clause by clause\n\nEach has a live server that breaks it: a variant of the fixture (`conform fixture --set ID`), or the test named.\n\n| clause | rules | shown live by |\n|---|---|---|\n")
	for _, c := range eraClauses {
		var links []string
		for _, id := range strings.Fields(c.rules) {
			links = append(links, fmt.Sprintf("[%s](#%s)", id, id))
		}
		fmt.Fprintf(b, "| %s | %s | %s |\n", c.what, join(links), c.live)
	}
}

// eraClauses are the promises of structured output across eras, each with its rules
// and what shows them live.
var eraClauses = []struct{ what, rules, live string }{
	{"both eras in one run", "discover initialize-revision", "`clean`, `l3-discover`, integration: servers of several eras"},
	{"which fields each era gets", "era-structured era-modern-fields era-newer-fields", "`era-leak`, `era-output-schema`, `era-caching`, `era-header`; the Go SDK's server (lint/gosdk_test.go)"},
	{"legacy answers byte-identical to a golden", "", "`conform baseline wire`: cmd/conform/testdata/script/baseline_wire.txtar"},
	{"no leak between interleaved connections", "era-leak list-set", "`tl14-set`, `era-kept`; lint/eras_live_test.go"},
	{"unknown, missing and future versions", "unknown-revision metadata-required initialize-revision http-version-header", "`l4-accepts-unknown`, `t9-meta-version`, `l1-echo`, `t6-legacy-version-header`"},
	{"non-object roots stripped or wrapped for legacy", "output-root structured-object", "`tl5-array-root`, `tc5-array`"},
	{"renames between eras", "era-rename", "`era-rename`"},
	{"outputSchema kept as a promise on every result that is no error", "structured-absent structured-mismatch", "`tc4-missing`, `tc4-mismatch`, `tc4-required`"},
	{"structuredContent never truncated while text may be", "structured-truncated structured-variant surface-parity", "`q-truncated`, `q-truncated-count`, `q-total`; lint/eras_live_test.go for `--variant`"},
	{"answers that are no JSON have text alone", "structured-absent structured-undeclared", "`tc4-missing`, `tc-structured-undeclared`"},
	{"errors are isError with text and without structuredContent", "error-protocol error-unflagged error-structured structured-error-mismatch", "`tc7-protocol-error`, `tc7-unflagged`, `q-error-structured`, `tc11-structured-error`"},
	{"errors say something useful", "error-text result-text", "`q-error-empty`, `q-error-generic`, `q-error-page`, `q-error-where`"},
	{"ttlMs and cacheScope on every cacheable answer", "caching-hints caching-pages", "`tl12-ttl-missing` to `tl12-prompts`"},
	{"the same for two identities when public", "caching-public-differs", "lint/eras_live_test.go"},
	{"list order stable", "list-order list-set", "`tl13-order`, `tl14-set`"},
	{"pagination complete", "list-next-cursor list-unknown-cursor list-cursor-refused list-incomplete list-many-pages", "`tl16-loop`, `tl16-null`, `tl15-cursor`, `tl15-own-cursor`"},
	{"the cost of the first and later tools/list", "list-cost", "every live run, as information; `list-cost` in cases/rules"},
}
