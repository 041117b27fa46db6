package serve

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/hostmatrix/conform/lab/probe"
	"github.com/hostmatrix/conform/schema"
)

// ReportServer is the name of the server whose one tool takes reports.
const ReportServer = "report"

// Reporting is the server with the reporting tool. It answers like any other probe
// server; what it is told is read from the log that all of them share.
func Reporting() probe.Server {
	return probe.Server{Name: ReportServer, Probes: []probe.Probe{{
		ID: "report_seen", Arguments: schema.Obj(), Result: schema.MustParse(`{"content":[{"type":"text","text":"noted"}]}`),
		Tool: schema.MustParse(`{"name":"report_seen","description":"Reports what you saw of one probe tool: its tag, its name as you know it, and the complete output of your call, verbatim.",` +
			`"inputSchema":{"type":"object","properties":{"tag":{"type":"string","description":"what stands in [[P:...]] in the tool's description"},` +
			`"tool":{"type":"string","description":"the tool's name as you know it"},"output":{"type":"string","description":"the output, verbatim"}},"required":["tag","tool","output"]},` +
			`"annotations":{"readOnlyHint":true}}`),
	}}}
}

// report is what the model said about one tool.
type report struct{ Tool, Text string }

// maxLogLine bounds one line of the log, in bytes.
const maxLogLine = 64 << 20

// readReports reads what the model said, by probe, the last word of each, and how the
// host reached the servers.
func readReports(path string) (map[string]report, string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, "", err
	}
	defer f.Close()
	reports, transport := map[string]report{}, "http"
	scanner := bufio.NewScanner(f)
	scanner.Buffer(make([]byte, 64<<10), maxLogLine)
	for line := 1; scanner.Scan(); line++ {
		var e probe.Entry
		if err := json.Unmarshal(scanner.Bytes(), &e); err != nil {
			return nil, "", fmt.Errorf("%s:%d: %w", path, line, err)
		}
		if e.Event == "start" {
			transport = "stdio" // only programs are started
		}
		if e.Server != ReportServer || e.Event != "in" {
			continue
		}
		if m, err := schema.Parse(e.Raw, schema.Limits{}); err == nil && text(m, "method") == "tools/call" {
			arguments := m.Get("params").Get("arguments")
			reports[tagged(text(arguments, "tag"))] = report{text(arguments, "tool"), text(arguments, "output")}
		}
	}
	return reports, transport, scanner.Err()
}

// tagged is the probe that a model means: it writes the tag with its brackets, with
// some of them or without.
func tagged(tag string) string {
	return strings.TrimPrefix(strings.Trim(tag, "[] \t\n`\""), "P:")
}

func text(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}
