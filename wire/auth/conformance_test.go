//go:build integration

package auth_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/wire"
	"github.com/hostmatrix/conform/wire/auth"
)

// The client scenarios of the official conformance suite (npm
// @modelcontextprotocol/conformance 0.1.16, on the Node of npm node@24) against
// this package and wire. The suite starts this test binary as the client.
// CONFORM_NODE_MODULES is the folder where both are installed.

func init() {
	if scenario := os.Getenv("MCP_CONFORMANCE_SCENARIO"); scenario != "" {
		os.Exit(beClient(scenario, os.Args[len(os.Args)-1]))
	}
}

// beClient lists the tools of the suite's server and calls each.
func beClient(scenario, url string) int {
	var given struct {
		ClientID     string `json:"client_id"`
		ClientSecret string `json:"client_secret"`
		PrivateKey   string `json:"private_key_pem"`
	}
	_ = json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given)
	h, err := auth.New(auth.Config{URL: url, ClientID: given.ClientID, ClientSecret: given.ClientSecret, PrivateKey: given.PrivateKey,
		Machine: scenario == "auth/client-credentials-basic" || given.PrivateKey != "",
		// The address is the suite's; nothing is fetched from it.
		MetadataURL: "https://conformance-test.local/client-metadata.json", Show: browser})
	if err == nil {
		_, err = wire.Capture(context.Background(), wire.Target{URL: url}, wire.Options{
			Handshakes: []wire.Handshake{{Mode: wire.Initialize}}, Authorizer: h,
			Calls: func(s *recording.Session) (calls []recording.Call) {
				for _, t := range s.Tools {
					calls = append(calls, recording.Call{Tool: t.Name, Arguments: schema.MustParse(`{"a":5,"b":3}`)})
				}
				return calls
			}})
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

var _ = Describe("The official suite", Label("integration"), func() {
	DescribeTable("passes", func(ctx SpecContext, scenario string) {
		modules := os.Getenv("CONFORM_NODE_MODULES")
		if modules == "" {
			Skip("CONFORM_NODE_MODULES is not set")
		}
		modules, err := filepath.Abs(modules)
		Expect(err).NotTo(HaveOccurred())
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		limited, cancel := context.WithTimeout(ctx, 2*time.Minute)
		defer cancel()
		suite := exec.CommandContext(limited, filepath.Join(modules, ".bin", "conformance"), "client", "--command", self, "--scenario", scenario)
		suite.Dir = GinkgoT().TempDir()
		suite.Env = append(os.Environ(), "PATH="+filepath.Join(modules, "node", "bin")+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := suite.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
	},
		EntryDescription("%s"),
		Entry(nil, "initialize"),
		Entry(nil, "tools_call"),
		Entry(nil, "sse-retry"),
		Entry(nil, "auth/metadata-default"),
		Entry(nil, "auth/metadata-var1"),
		Entry(nil, "auth/metadata-var2"),
		Entry(nil, "auth/metadata-var3"),
		Entry(nil, "auth/basic-cimd"),
		Entry(nil, "auth/scope-from-www-authenticate"),
		Entry(nil, "auth/scope-from-scopes-supported"),
		Entry(nil, "auth/scope-omitted-when-undefined"),
		Entry(nil, "auth/scope-step-up"),
		Entry(nil, "auth/scope-retry-limit"),
		Entry(nil, "auth/token-endpoint-auth-basic"),
		Entry(nil, "auth/token-endpoint-auth-post"),
		Entry(nil, "auth/token-endpoint-auth-none"),
		Entry(nil, "auth/pre-registration"),
		Entry(nil, "auth/2025-03-26-oauth-metadata-backcompat"),
		Entry(nil, "auth/2025-03-26-oauth-endpoint-fallback"),
		Entry(nil, "auth/resource-mismatch"),
		Entry(nil, "auth/offline-access-scope"),
		Entry(nil, "auth/offline-access-not-supported"),
		Entry(nil, "auth/client-credentials-basic"),
		Entry(nil, "auth/client-credentials-jwt"),
		// Not here: elicitation-sep1034-client-defaults (conform answers no
		// elicitation) and auth/cross-app-access-* (an enterprise identity provider
		// has no place in a check of one server).
	)
})
