package adapters

import (
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
)

// codexAdapters: one static binary inside the npm package of its platform; no
// account needed with a model provider of one's own. The model's name decides how
// tools are offered: an unknown one gets them directly, gpt-5.5 behind a search,
// gpt-5.6-sol as functions of a program (observed with 0.171.0).
var codexAdapters = []Adapter{{
	ID: "codex", Versions: []string{"0.171.0"},
	Source: Source{Npm: []string{"@openai/codex@{version}"}, Node: node24},
	Modes: []Mode{
		{Name: "direct", Model: "fake-model"},
		{Name: "tool_search", Model: "gpt-5.5"},
		{Name: "code_mode", Model: "gpt-5.6-sol"},
		{Name: "direct_approval_on_request", Model: "fake-model", Flag: "ask", Only: []string{"approval"}},
		{Name: "direct_http", Model: "fake-model", HTTP: true, Only: []string{"probe"}},
		{Name: "direct_http_2026", Model: "fake-model", HTTP: true, Era: "dual", Flag: modern, Only: []string{"probe"}},
	},
	Volatile: []Volatile{{"seconds", regexp.MustCompile(`Wall time:? ([0-9.]+) seconds`)}},
	Drops:    regexp.MustCompile("Skipping MCP tool `([^`]*)`: (failed to build tool spec: [^\\n]*)"),
	Prepare:  prepareCodex,
}}

// modern is the feature with which it tries server/discover first, over HTTP only
// (observed with 0.171.0).
const modern = "mcp_2026_07_28"

func prepareCodex(s *Setup) (Command, error) {
	approval, sandbox := "never", "danger-full-access"
	if s.Mode.Flag == "ask" {
		approval, sandbox = "on-request", "read-only"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "model = %q\nmodel_provider = \"fake\"\napproval_policy = %q\nsandbox_mode = %q\ncheck_for_update_on_startup = false\n", s.Mode.Model, approval, sandbox)
	fmt.Fprintf(&b, "[analytics]\nenabled = false\n[model_providers.fake]\nname = \"fake\"\nbase_url = %q\nwire_api = \"responses\"\nrequest_max_retries = 0\nstream_max_retries = 0\n", s.Model+"/v1")
	for _, server := range s.Servers {
		if server.URL != "" {
			fmt.Fprintf(&b, "[mcp_servers.%q]\nurl = %q\nstartup_timeout_sec = 60\ntool_timeout_sec = 60\n", server.Name, server.URL)
			continue
		}
		fmt.Fprintf(&b, "[mcp_servers.%q]\ncommand = %q\nargs = [", server.Name, server.Command)
		for _, arg := range server.Args {
			fmt.Fprintf(&b, "%q, ", arg)
		}
		b.WriteString("]\nstartup_timeout_sec = 60\ntool_timeout_sec = 60\n")
	}
	if err := s.Write(".codex/config.toml", []byte(b.String())); err != nil {
		return Command{}, err
	}
	binary := filepath.Join(s.Install, "node_modules/@openai/codex-linux-x64/vendor/x86_64-unknown-linux-musl/bin/codex")
	args := []string{binary, "exec", "--json", "--skip-git-repo-check", "--disable", "plugins", "--disable", "apps"}
	if s.Mode.Flag == modern {
		args = append(args, "--enable", modern)
	}
	if s.Mode.Flag != "ask" {
		args = append(args, "--dangerously-bypass-approvals-and-sandbox")
	}
	return Command{Args: append(args, Prompt), Env: []string{"CODEX_HOME=" + filepath.Join(s.Home, ".codex"), "RUST_LOG=codex_core=info,codex_mcp=debug"}}, nil
}
