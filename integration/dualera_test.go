//go:build integration

package integration

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/verdict"
)

// dualEra are servers of integration/dualera/package.json: three that answer both
// server/discover and initialize, and one that negotiates an old revision down and
// still sends structured output. finds are violations that they ship.
var _ = DescribeTable("Real servers of several eras", func(ctx SpecContext, command, args, env []string, modern bool, finds map[string]string) {
	folder := os.Getenv("CONFORM_DUALERA_MODULES")
	if folder == "" {
		Skip("CONFORM_DUALERA_MODULES is not set; scripts/integration.sh installs them")
	}
	line := []string{"run", "--protocol", "all", "--format", "json", "--host-set", "spec", "--probe-timeout", "40s", "--start-timeout", "60s"}
	for _, e := range env {
		line = append(line, "--env", e)
	}
	line = append(append(line, "--", bin("node")), filepath.Join(folder, ".bin", command[0]))
	r, _ := conform(ctx, append(line, args...)...)
	spoken := map[string]bool{}
	for _, h := range r.Target.Handshakes {
		spoken[h.Negotiated] = true
	}
	Expect(spoken["2026-07-28"]).To(Equal(modern))
	for rule, tool := range finds {
		Expect(r.Advice).To(ContainElement(And(HaveField("Rule", rule), HaveField("Tool", tool), Not(HaveField("Severity", verdict.Info)))), rule)
	}
},
	Entry("mongodb-mcp-server 3.0.4", []string{"mongodb-mcp-server"}, []string{"--readOnly"}, []string{"MDB_MCP_CONNECTION_STRING=mongodb://127.0.0.1:1/x", "MDB_MCP_TELEMETRY=disabled"}, true,
		map[string]string{"unknown-revision": "", "era-structured": "aggregate-db"}, SpecTimeout(3*time.Minute)),
	Entry("@angular/cli 22.2.7", []string{"ng"}, []string{"mcp"}, nil, true,
		map[string]string{"unknown-revision": "", "structured-mismatch": "list_projects"}, SpecTimeout(3*time.Minute)),
	Entry("dbhub 1.4.0", []string{"dbhub"}, []string{"--transport", "stdio", "--demo"}, nil, true,
		map[string]string{"unknown-revision": "", "list-unknown-cursor": ""}, SpecTimeout(3*time.Minute)),
	Entry("n8n-mcp", []string{"n8n-mcp"}, nil, []string{"MCP_MODE=stdio", "LOG_LEVEL=error", "DISABLE_CONSOLE_OUTPUT=true"}, false,
		map[string]string{"era-structured": "validate_node"}, SpecTimeout(3*time.Minute)),
)
