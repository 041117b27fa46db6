package adapters

import (
	"os"
	"path/filepath"
	"regexp"
)

// libraries are agent frameworks and command-line clients, each driven by a small
// script. Those with a model run their real loop against the scripted one.
var libraries = []Adapter{
	{
		ID: "ai-sdk", Versions: []string{"2.0.99"},
		Source:  Source{Npm: []string{"@ai-sdk/mcp@{version}", "ai@7.0.173", "@ai-sdk/openai-compatible@3.0.92"}, Node: node24},
		Modes:   []Mode{fakeModel, {Name: "dualserver", Model: "fake-model", Era: "dual"}},
		Prepare: func(s *Setup) (Command, error) { return s.node("ai-sdk.mjs") },
	},
	{
		ID: "openai-agents-js", Versions: []string{"0.20.0"},
		Source: Source{Npm: []string{"@openai/agents@{version}"}, Node: node24},
		Modes:  []Mode{fakeModel},
		Without: map[string]string{
			"h_name_dup": "a name that is there twice ends the whole run",
			"twins":      "two names that become one do the same",
		},
		Prepare: func(s *Setup) (Command, error) { return s.node("openai-agents.mjs", "OPENAI_AGENTS_DISABLE_TRACING=1") },
	},
	{
		ID: "mastra", Versions: []string{"2.0.0"},
		Source:  Source{Npm: []string{"@mastra/mcp@{version}", "@mastra/core@1.71.0"}, Node: node24},
		Modes:   []Mode{fakeModel},
		Prepare: func(s *Setup) (Command, error) { return s.node("mastra.mjs", "MASTRA_TELEMETRY_DISABLED=1") },
	},
	{
		ID: "langchain-js", Versions: []string{"1.1.4"},
		Source:  Source{Npm: []string{"@langchain/mcp-adapters@{version}", "@langchain/core@1.4.0", "@langchain/langgraph@1.7.3"}, Node: node24},
		Modes:   []Mode{{Name: "default"}},
		Prepare: func(s *Setup) (Command, error) { return s.node("langchain.mjs") },
	},
	{
		ID: "mcporter", Versions: []string{"0.12.3"},
		Source:   Source{Npm: []string{"mcporter@{version}"}, Node: node24},
		Modes:    []Mode{{Name: "default"}},
		Limit:    longRun,
		Volatile: []Volatile{{"milliseconds", regexp.MustCompile(`"?(?:durationMs|timeStamp)"?: ([0-9.]+)`)}},
		Prepare: func(s *Setup) (Command, error) {
			return s.commandLine("mcporter", filepath.Join(s.Install, "node_modules/mcporter/dist/cli.js"), stdio("baseUrl", nil))
		},
	},
	{
		ID: "mcp-inspector", Versions: []string{"2.12.0"},
		Source: Source{Npm: []string{"@modelcontextprotocol/inspector@{version}"}, Node: node24},
		Modes:  []Mode{{Name: "cli"}},
		Limit:  longRun,
		Noise:  regexp.MustCompile(`^(?:(?:\[mcp-inspector\] |unknown format ")[^\n]*\n)+`),
		Prepare: func(s *Setup) (Command, error) {
			binary, err := filepath.EvalSymlinks(s.Bin("mcp-inspector"))
			if err != nil {
				return Command{}, err
			}
			return s.commandLine("inspector", binary, func(s Server) any {
				if s.URL != "" {
					return map[string]any{"type": "streamable-http", "url": s.URL}
				}
				return map[string]any{"type": "stdio", "command": s.Command, "args": s.Args}
			})
		},
	},
	{
		ID: "python-sdk", Versions: []string{"1.29.0"},
		Source: Source{Pip: []string{"mcp=={version}"}}, Modes: []Mode{{Name: "default"}},
		Prepare: func(s *Setup) (Command, error) { return s.python("python_sdk.py") },
	},
	{
		ID: "fastmcp-client", Versions: []string{"4.2.3"},
		Source: Source{Pip: []string{"fastmcp=={version}"}}, Modes: []Mode{{Name: "default"}},
		Prepare: func(s *Setup) (Command, error) { return s.python("fastmcp_client.py") },
	},
	{
		ID: "langchain-python", Versions: []string{"0.3.2"},
		Source: Source{Pip: []string{"langchain-mcp-adapters=={version}"}}, Modes: []Mode{{Name: "default"}},
		Prepare: func(s *Setup) (Command, error) { return s.python("langchain_python.py") },
	},
	{
		ID: "openai-agents-python", Versions: []string{"0.24.0"},
		Source: Source{Pip: []string{"openai-agents=={version}"}}, Modes: []Mode{fakeModel},
		Without: map[string]string{"h_name_dup": "a name that is there twice ends the whole run"},
		Prepare: func(s *Setup) (Command, error) {
			return s.python("openai_agents.py", "OPENAI_AGENTS_DISABLE_TRACING=1")
		},
	},
}

// commandLine drives a program that makes one call a start.
func (s *Setup) commandLine(kind, binary string, entry func(Server) any) (Command, error) {
	config := filepath.Join(s.Work, "mcp.json")
	if err := s.WriteJSON(config, map[string]any{"mcpServers": s.Table(entry)}); err != nil {
		return Command{}, err
	}
	return s.node("command-line.mjs", "LAB_KIND="+kind, "LAB_BINARY="+binary, "LAB_CONFIG="+config)
}

// python returns the start of a driver in Python.
func (s *Setup) python(driver string, env ...string) (Command, error) {
	for _, name := range []string{driver, "drive.py"} {
		data, err := drivers.ReadFile("drivers/" + name)
		if err != nil {
			return Command{}, err
		}
		if err := os.WriteFile(filepath.Join(s.Work, name), data, 0o644); err != nil {
			return Command{}, err
		}
	}
	return Command{Args: []string{filepath.Join(s.Install, "bin", "python"), filepath.Join(s.Work, driver)},
		Env: append([]string{"LAB_RUN=" + s.Run, "LAB_MODEL=" + s.Model, "PYTHONDONTWRITEBYTECODE=1"}, env...)}, nil
}
