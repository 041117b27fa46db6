package adapters

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// stdio is the entry that most hosts take for a server: a command, or a URL under
// the name and with the members that the host gives to Streamable HTTP.
func stdio(url string, more map[string]any) func(Server) any {
	return func(s Server) any {
		entry := map[string]any{"command": s.Command, "args": s.Args}
		if s.URL != "" {
			entry = maps.Clone(more)
			if entry == nil {
				entry = map[string]any{}
			}
			entry[url] = s.URL
		}
		return entry
	}
}

// trusted is stdio of Gemini CLI and what was forked from it.
func trusted(s Server) any {
	entry := stdio("httpUrl", nil)(s).(map[string]any)
	entry["trust"] = true
	return entry
}

// slowRun is for hosts that take seconds for a call.
const slowRun = 12 * time.Minute

var fakeModel = Mode{Name: "default", Model: "fake-model"}

// hosts are the products that run without a terminal on a model of one's own.
var hosts = []Adapter{
	{
		ID: "gemini-cli", Versions: []string{"0.61.0"},
		Source: Source{Npm: []string{"@google/gemini-cli@{version}"}, Node: node24},
		Modes:  []Mode{{Name: "default", Model: "gemini-2.5-pro"}},
		Prepare: func(s *Setup) (Command, error) {
			err := s.WriteJSON(".gemini/settings.json", map[string]any{
				"security":   map[string]any{"auth": map[string]any{"selectedType": "gemini-api-key"}, "folderTrust": map[string]any{"enabled": false}},
				"general":    map[string]any{"enableAutoUpdate": false, "disableAutoUpdate": true, "disableUpdateNag": true},
				"privacy":    map[string]any{"usageStatisticsEnabled": false},
				"telemetry":  map[string]any{"enabled": false},
				"mcpServers": s.Table(trusted),
			})
			return Command{Args: []string{s.Node, s.Bin("gemini"), "--approval-mode", "yolo", "-m", s.Mode.Model, "-p", Prompt},
				Env: []string{"GEMINI_API_KEY=fake", "GOOGLE_GEMINI_BASE_URL=" + s.Model, "GEMINI_CLI_TRUST_WORKSPACE=true"}}, err
		},
	},
	{
		ID: "qwen-code", Versions: []string{"0.24.4", "0.15.10"},
		Source: Source{Npm: []string{"@qwen-code/qwen-code@{version}"}, Node: node24},
		Modes:  []Mode{fakeModel},
		Prepare: func(s *Setup) (Command, error) {
			err := s.WriteJSON(".qwen/settings.json", map[string]any{
				"security":   map[string]any{"auth": map[string]any{"selectedType": "openai"}, "folderTrust": map[string]any{"enabled": false}},
				"general":    map[string]any{"enableAutoUpdate": false, "disableAutoUpdate": true},
				"privacy":    map[string]any{"usageStatisticsEnabled": false},
				"telemetry":  map[string]any{"enabled": false},
				"model":      map[string]any{"name": s.Mode.Model},
				"mcpServers": s.Table(trusted),
			})
			return Command{Args: []string{s.Node, s.Bin("qwen"), "--approval-mode", "yolo", "-p", Prompt},
				Env: []string{"OPENAI_API_KEY=fake", "OPENAI_BASE_URL=" + s.Model + "/v1", "OPENAI_MODEL=" + s.Mode.Model}}, err
		},
	},
	{
		ID: "opencode", Versions: []string{"1.18.33"},
		Source: Source{Npm: []string{"opencode-ai@{version}"}, Node: node24},
		Modes:  []Mode{fakeModel},
		Limit:  slowRun,
		Prepare: func(s *Setup) (Command, error) {
			return prepareOpencode(s, "opencode.json", s.Bin("opencode"), "OPENCODE", "run")
		},
	},
	{
		// 7.8.1 does not install from the registry: the package of its platform is not there.
		ID: "kilo-code", Versions: []string{"7.7.7"},
		Source: Source{Npm: []string{"@kilocode/cli@{version}"}, Node: node24, Bare: true},
		Modes:  []Mode{fakeModel},
		Limit:  slowRun,
		Prepare: func(s *Setup) (Command, error) {
			return prepareOpencode(s, "kilo.json", filepath.Join(s.Install, "node_modules/@kilocode/cli-linux-x64/bin/kilo"), "KILO", "run", "--auto")
		},
	},
	{
		ID: "cline", Versions: []string{"3.0.65"},
		Source:  Source{Npm: []string{"cline@{version}"}, Node: node24},
		Modes:   []Mode{fakeModel},
		Prepare: prepareCline,
	},
	{
		ID: "continue", Versions: []string{"1.5.47"},
		Source:  Source{Npm: []string{"@continuedev/cli@{version}"}, Node: node24},
		Modes:   []Mode{fakeModel},
		Prepare: prepareContinue,
	},
	{
		ID: "claude-code", Versions: []string{"2.1.332", "2.1.197"},
		Source:  Source{Npm: []string{"@anthropic-ai/claude-code@{version}"}, Node: node24},
		Modes:   []Mode{{Name: "default", Model: "claude-sonnet-4-5"}, {Name: "tool_search", Model: "claude-sonnet-4-5", Flag: "true"}},
		Noise:   regexp.MustCompile(`(?:^|\n\n)<system-reminder>\n(?s:.*?)</system-reminder>\n?$`),
		Prepare: prepareClaudeCode,
	},
	{
		ID: "copilot-cli", Versions: []string{"1.0.102"},
		Source:  Source{Npm: []string{"@github/copilot@{version}"}, Node: node24},
		Modes:   []Mode{{Name: "default", Model: "gpt-4.1"}},
		Prepare: prepareCopilot,
	},
}

// prepareOpencode serves opencode and what was forked from it.
func prepareOpencode(s *Setup, file, binary, prefix string, args ...string) (Command, error) {
	err := s.WriteJSON(filepath.Join(s.Work, file), map[string]any{
		"autoupdate": false, "share": "disabled", "model": "fake/fake-model", "small_model": "fake/fake-model",
		"enabled_providers": []string{"fake"}, "permission": "allow",
		"provider": map[string]any{"fake": map[string]any{
			"npm": "@ai-sdk/openai-compatible", "name": "fake",
			"options": map[string]any{"baseURL": s.Model + "/v1", "apiKey": "fake"},
			"models": map[string]any{"fake-model": map[string]any{"name": "fake-model", "tool_call": true, "attachment": true,
				"modalities": map[string]any{"input": []string{"text", "image"}, "output": []string{"text"}},
				"limit":      map[string]any{"context": 4000000, "output": 8000}}},
		}},
		"mcp": s.Table(func(s Server) any {
			if s.URL != "" {
				return map[string]any{"type": "remote", "url": s.URL, "enabled": true, "timeout": 60000, "oauth": false}
			}
			return map[string]any{"type": "local", "command": append([]string{s.Command}, s.Args...), "enabled": true, "timeout": 60000}
		}),
	})
	return Command{Args: append(append([]string{binary}, args...), "--print-logs", Prompt), Env: []string{
		prefix + "_DISABLE_MODELS_FETCH=1", prefix + "_DISABLE_AUTOUPDATE=1", prefix + "_DISABLE_LSP_DOWNLOAD=1", prefix + "_DISABLE_DEFAULT_PLUGINS=1",
		prefix + "_TELEMETRY_LEVEL=off", "XDG_CONFIG_HOME=" + filepath.Join(s.Home, ".config"), "XDG_DATA_HOME=" + filepath.Join(s.Home, ".local/share"),
	}}, err
}

// prepareCline: after its install script the "bin" is a program of its own, not a
// script for Node. It leaves a daemon behind after each run (seen with 3.0.65).
func prepareCline(s *Setup) (Command, error) {
	if err := s.WriteJSON(".cline/data/settings/cline_mcp_settings.json", map[string]any{"mcpServers": s.Table(func(s Server) any {
		if s.URL != "" {
			return map[string]any{"transport": map[string]any{"type": "streamableHttp", "url": s.URL}}
		}
		return map[string]any{"transport": map[string]any{"type": "stdio", "command": s.Command, "args": s.Args}}
	})}); err != nil {
		return Command{}, err
	}
	err := s.WriteJSON(".cline/data/settings/providers.json", map[string]any{"version": 1, "lastUsedProvider": "openai-compatible", "modes": map[string]any{},
		"providers": map[string]any{"openai-compatible": map[string]any{"updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual",
			"settings": map[string]any{"provider": "openai-compatible", "apiKey": "fake", "model": s.Mode.Model, "baseUrl": s.Model + "/v1"}}}})
	return Command{Args: []string{s.Bin("cline"), "--auto-approve", "true", Prompt}, Env: []string{"CLINE_TELEMETRY_DISABLED=1"}}, err
}

func prepareContinue(s *Setup) (Command, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "name: lab\nversion: 0.0.1\nschema: v1\nmodels:\n  - name: fake\n    provider: openai\n    model: %s\n    apiKey: fake\n    apiBase: %s/v1\n"+
		"    roles: [chat]\n    capabilities: [tool_use]\n    defaultCompletionOptions:\n      contextLength: 4000000\nmcpServers:\n", s.Mode.Model, s.Model)
	for _, server := range s.Servers {
		if server.URL != "" {
			fmt.Fprintf(&b, "  - name: %s\n    type: streamable-http\n    url: %q\n", server.Name, server.URL)
			continue
		}
		fmt.Fprintf(&b, "  - name: %s\n    command: %q\n    args:\n", server.Name, server.Command)
		for _, arg := range server.Args {
			fmt.Fprintf(&b, "      - %q\n", arg)
		}
	}
	config := filepath.Join(s.Home, ".continue", "config.yaml")
	err := s.Write(config, []byte(b.String()))
	return Command{Args: []string{s.Node, s.Bin("cn"), "--config", config, "--auto", "-p", Prompt},
		Env: []string{"CONTINUE_TELEMETRY_ENABLED=0", "OTEL_SDK_DISABLED=true"}}, err
}

// notInNames is what Claude Code replaces in the names of servers; it allows tools by
// the name that comes of it.
var notInNames = regexp.MustCompile(`[^a-zA-Z0-9_-]`)

func prepareClaudeCode(s *Setup) (Command, error) {
	config := filepath.Join(s.Work, "mcp.json")
	err := s.WriteJSON(config, map[string]any{"mcpServers": s.Table(stdio("url", map[string]any{"type": "http"}))})
	search := "false"
	if s.Mode.Flag != "" {
		search = s.Mode.Flag
	}
	var allowed []string
	for _, server := range s.Servers {
		allowed = append(allowed, "mcp__"+notInNames.ReplaceAllString(server.Name, "_"))
	}
	return Command{Args: []string{s.Bin("claude"), "-p", Prompt, "--model", s.Mode.Model, "--max-turns", "2000", "--mcp-config", config, "--strict-mcp-config",
		"--allowedTools", strings.Join(allowed, ","), "--output-format", "json", "--debug-file", filepath.Join(s.Run, "debug.txt")},
		Env: []string{"ANTHROPIC_BASE_URL=" + s.Model, "ANTHROPIC_API_KEY=fake", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1",
			"MCP_CONNECTION_NONBLOCKING=false", "ENABLE_TOOL_SEARCH=" + search, "MCP_TIMEOUT=60000"}}, err
}

func prepareCopilot(s *Setup) (Command, error) {
	config := filepath.Join(s.Work, "mcp.json")
	err := s.WriteJSON(config, map[string]any{"mcpServers": s.Table(func(s Server) any {
		if s.URL != "" {
			return map[string]any{"type": "http", "url": s.URL, "tools": []string{"*"}}
		}
		return map[string]any{"type": "local", "command": s.Command, "args": s.Args, "tools": []string{"*"}}
	})})
	return Command{Args: []string{s.Bin("copilot"), "-p", Prompt, "--allow-all-tools", "--disable-builtin-mcps", "--log-level", "debug",
		"--log-dir", filepath.Join(s.Run, "logs"), "--additional-mcp-config", "@" + config},
		Env: []string{"COPILOT_OFFLINE=true", "COPILOT_PROVIDER_BASE_URL=" + s.Model + "/v1", "COPILOT_PROVIDER_TYPE=openai", "COPILOT_PROVIDER_API_KEY=fake",
			"COPILOT_MODEL=" + s.Mode.Model}}, err
}
