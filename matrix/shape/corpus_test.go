package shape_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
)

// corpus returns the folder of the shared corpus; the test is skipped without it.
func corpus() string {
	dir := os.Getenv("CONFORM_SHARED")
	if dir == "" {
		dir = "../../../shared"
	}
	dir = filepath.Join(dir, "corpus")
	if _, err := os.Stat(dir); err != nil {
		Skip("no shared corpus (set CONFORM_SHARED): " + err.Error())
	}
	return dir
}

// construct is a row of sdk-constructs.jsonl.
type construct struct {
	ID                string
	Schema            *string
	StructuredContent *string `json:"structured_content"`
	IsError           *bool   `json:"is_error"`
	Opts              struct {
		Others []struct {
			Name         string
			OutputSchema json.RawMessage
			InputSchema  json.RawMessage
		}
		NoContent bool   `json:"nocontent"`
		RawExtra  string `json:"rawExtra"`
		RawResult string `json:"rawResult"`
		Execution json.RawMessage
		SameID    bool `json:"sameId"`
	}
	Observed map[string]struct {
		Verdict string
		V       string
		List    *struct{ Msg string }
		Call    *struct{ Cls, Msg string }
	}
}

func (c *construct) tools() string {
	tool := func(name, output, extra string) string {
		text := `{"name":"` + name + `","inputSchema":{"type":"object"}`
		if output != "" {
			text += `,"outputSchema":` + output
		}
		return text + extra + "}"
	}
	output, extra := "", ""
	if c.Schema != nil {
		output = *c.Schema
	}
	if c.Opts.Execution != nil {
		extra = `,"execution":` + string(c.Opts.Execution)
	}
	tools := []string{tool("t", output, extra)}
	for _, other := range c.Opts.Others {
		tools = append(tools, tool(other.Name, string(other.OutputSchema), ""))
	}
	return `{"resultType":"complete","ttlMs":0,"cacheScope":"private","tools":[` + strings.Join(tools, ",") + `]}`
}

func (c *construct) result() string {
	if c.Opts.RawResult != "" {
		return c.Opts.RawResult
	}
	text := `{"resultType":"complete"`
	if !c.Opts.NoContent {
		text += `,"content":[{"type":"text","text":"t"}]`
	}
	if c.StructuredContent != nil {
		text += `,"structuredContent":` + *c.StructuredContent
	}
	if c.IsError != nil {
		text += `,"isError":` + map[bool]string{true: "true", false: "false"}[*c.IsError]
	}
	return text + c.Opts.RawExtra + "}"
}

// generations maps the columns of the corpus to shapes.
var generations = map[string]string{
	"ts-1.11.4": "ts-sdk-1.11.4", "ts-1.12..1.20": "ts-sdk-1.19", "ts-1.21..1.22": "ts-sdk-1.19", "ts-1.23..1.32": "ts-sdk-1.23",
	"ts-1.32-cfworker": "ts-sdk-1.23", "ts-2.0.0-beta.5": "ts-client-2-beta", "ts-2.x-legacy": "ts-client-2-legacy",
	"ts-2.x-cfworker": "ts-client-2-legacy", "ts-2.x-modern": "ts-client-2-modern", "python": "mcp-python-1",
}

// cut is the length at which the corpus cuts a message.
const cut = 900

func clipped(text string) string {
	if runes := []rune(text); len(runes) > cut {
		return string(runes[:cut])
	}
	return text
}

var _ = Describe("agreement with the shared corpus", func() {
	It("has the list verdicts and texts of the TypeScript generations", func() {
		set := load()
		rows, lost := 0, 0
		for _, c := range jsonLines[construct](filepath.Join(corpus(), "sdk-constructs.jsonl")) {
			list, err := schema.ParseString(c.tools())
			Expect(err).NotTo(HaveOccurred(), c.ID)
			for generation, observed := range c.Observed {
				sh, ok := set.Lookup(generations[generation])
				if !ok || generation == "python" {
					continue
				}
				rows++
				issues := sh.Check("list", list)
				Expect(issues != nil).To(Equal(strings.Contains(observed.Verdict, "LZ")), "%s %s: %s", c.ID, generation, sh.Text("list", issues))
				if issues != nil {
					lost++
					Expect(clipped(sh.Text("list", issues))).To(Equal(clipped(observed.List.Msg)), c.ID+" "+generation)
				}
			}
		}
		Expect(rows).To(BeNumerically(">", 1000))
		Expect(lost).To(BeNumerically(">", 50))
	})
	It("has the refused results and texts", func() {
		set := load()
		refused := 0
		for _, c := range jsonLines[construct](filepath.Join(corpus(), "sdk-constructs.jsonl")) {
			result, err := schema.ParseString(c.result())
			Expect(err).NotTo(HaveOccurred(), c.ID)
			for generation, observed := range c.Observed {
				sh, ok := set.Lookup(generations[generation])
				if !ok {
					continue
				}
				if generation == "python" {
					Expect(sh.Check("result", result) != nil || observed.V != "PYDANTIC").To(BeTrue(), c.ID)
					continue
				}
				if strings.Contains(observed.Verdict, "COMP") {
					continue // the call was never made
				}
				issues := sh.Check("result", result)
				Expect(issues != nil).To(Equal(strings.Contains(observed.Verdict, "ZOD")), "%s %s %s: %s", c.ID, generation, observed.Verdict, sh.Text("result", issues))
				if issues != nil {
					refused++
					Expect(clipped(sh.Text("result", issues))).To(Equal(clipped(observed.Call.Msg)), c.ID+" "+generation)
				}
			}
		}
		Expect(refused).To(BeNumerically(">", 20))
	})
	It("has the lists that real hosts lost, and the reasons that some logged", func() {
		set := load()
		compared, reasons := 0, 0
		for _, row := range observations(filepath.Join(corpus(), "observed-hosts.jsonl.gz")) {
			id, ok := hostShapes[row.Host]
			if !ok {
				id, ok = hostShapes[row.Host+" "+row.Version]
			}
			if !ok || row.Offered == nil || lostElsewhere(row) {
				continue
			}
			sh, ok := set.Lookup(id)
			Expect(ok).To(BeTrue(), id)
			list := schema.MustParse(`{"tools":[{"name":"control","inputSchema":{"type":"object"}},` + string(row.Tool) + `]}`)
			issues := sh.Check("list", list)
			Expect(issues != nil).To(Equal(row.Offered.ListLost), row.ID)
			compared++
			if issues != nil && strings.Contains(row.Offered.Reason, "[\n  {") {
				Expect(row.Offered.Reason).To(HaveSuffix(sh.Text("list", issues)), row.ID)
				reasons++
			}
		}
		Expect(compared).To(BeNumerically(">", 1000))
		Expect(reasons).To(BeNumerically(">", 15))
	})
})

// observation is the part of a row of observed-hosts that a list parser decides.
type observation struct {
	ID, Host, Version, Mode, Probe string
	Tool                           json.RawMessage
	Offered                        *struct {
		ListLost bool `json:"list_lost"`
		Reason   string
	}
}

func observations(path string) []observation {
	file, err := os.Open(path)
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	Expect(err).NotTo(HaveOccurred())
	decoder := json.NewDecoder(unzipped)
	var rows []observation
	for decoder.More() {
		var row observation
		Expect(decoder.Decode(&row)).To(Succeed())
		rows = append(rows, row)
	}
	return rows
}

// hostShapes is what the observed hosts parse tools/list with.
var hostShapes = map[string]string{
	"ai-sdk": "ai-sdk", "claude-code 2.1.197": "ts-sdk-1.23", "claude-code 2.1.332": "claude-code-2.1.332", "cline": "cline",
	"codex": "rmcp", "continue": "ts-sdk-1.23", "copilot-cli": "copilot", "crush": "go-sdk-1.8", "gemini-cli": "ts-sdk-1.23",
	"kilo-code": "ts-sdk-1.23", "langchain-js": "ts-sdk-1.23", "mastra": "ts-client-2-legacy", "mcporter": "ts-sdk-1.23",
	"openai-agents-js": "ts-client-2-legacy", "opencode": "ts-sdk-1.23", "qwen-code 0.15.10": "ts-sdk-1.23",
	"qwen-code 0.24.4": "ts-client-2-legacy-any-output", "ts-sdk-v1": "ts-sdk-1.23", "ts-sdk-v2": "ts-client-2-legacy",
}

// lostElsewhere tells the rows in which another step than the parser decided.
func lostElsewhere(row observation) bool {
	switch row.Probe {
	case "out_bad_regex", "out_remote_ref", "fp_remote_ref_type": // compiled eagerly
		return true
	case "h_name_dup": // two tools of one name
		return true
	case "h_out_array_type", "h_out_oneof_no_type": // asked again without outputSchema
		return row.Host == "opencode" || row.Host == "kilo-code" || strings.HasSuffix(row.Mode, "dualserver")
	}
	return strings.Contains(string(row.Tool), `"$text"`) // a long text in short form
}
