package hostconfig

import (
	"io/fs"
	"os"
	"path"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

// around is a machine with the given files, on which TOKEN is set.
func around(files map[string]string) Surroundings {
	return Surroundings{
		OS: "linux", Home: "/home/me", Folder: "/projects/shop",
		Env: func(name string) (string, bool) {
			switch name {
			case "TOKEN":
				return "t0ken-value", true
			case "EMPTY":
				return "", true
			}
			return "", false
		},
		ReadFile: func(name string) ([]byte, error) {
			if text, ok := files[name]; ok {
				return []byte(text), nil
			}
			return nil, &fs.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		},
	}
}

// shopServer is what every host's file below asks for.
func shopServer(s *Server) {
	GinkgoHelper()
	Expect(s.Name).To(Equal("shop"))
	Expect(s.Command).To(Equal([]string{"node", "shop.js"}))
	Expect(s.Env).To(ContainElement("API_TOKEN=t0ken-value"))
}

var _ = Describe("A host's own file", func() {
	DescribeTable("is found, and its variables are those of the host",
		func(host, file, text string) {
			c, err := Find(host, around(map[string]string{file: text}))
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Files).To(Equal([]string{file}))
			Expect(c.Servers).To(HaveLen(1))
			shopServer(c.Servers[0])
			c, err = Load(file, around(map[string]string{file: text}))
			Expect(err).NotTo(HaveOccurred())
			shopServer(c.Servers[0])
		},
		Entry("project file", "cursor", "/projects/shop/.cursor/mcp.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}`),
		Entry("file of the home folder", "cursor", "/home/me/.cursor/mcp.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}`),
		Entry("servers, with comments and trailing commas", "vscode-copilot", "/projects/shop/.vscode/mcp.json",
			"{ // ours\n \"servers\": {\"shop\": {\"type\":\"stdio\",\"command\":\"node\",\"args\":[\"shop.js\",],\"env\":{\"API_TOKEN\":\"${env:TOKEN}\"},},},}"),
		Entry("editor settings", "vscode-copilot", "/home/me/.config/Code/User/settings.json",
			`{"editor.fontSize":12,"mcp":{"servers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}}`),
		Entry("variable with a default", "claude-code", "/projects/shop/.mcp.json",
			`{"mcpServers":{"shop":{"command":"${NODE:-node}","args":["${EMPTY:-shop.js}"],"env":{"API_TOKEN":"${TOKEN}"}}}}`),
		Entry("project inside the file of the home folder", "claude-code", "/home/me/.claude.json",
			`{"projects":{"/projects/shop":{"mcpServers":{"shop":{"type":"stdio","command":"node","args":["shop.js"],"env":{"API_TOKEN":"${TOKEN}"}}}}}}`),
		Entry("desktop application", "claude-desktop", "/home/me/.config/Claude/claude_desktop_config.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"t0ken-value"}}}}`),
		Entry("shell spelling", "gemini-cli", "/home/me/.gemini/settings.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"$TOKEN"}}}}`),
		Entry("third home folder", "windsurf", "/home/me/.codeium/windsurf/mcp_config.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}`),
		Entry("TOML", "codex", "/home/me/.codex/config.toml",
			"model = \"m\"\n[mcp_servers.shop]\ncommand = \"node\"\nargs = [\"shop.js\"]\n[mcp_servers.shop.env]\nAPI_TOKEN = \"t0ken-value\"\n"),
		Entry("command as a list", "opencode", "/projects/shop/opencode.json",
			`{"mcp":{"shop":{"type":"local","command":["node","shop.js"],"environment":{"API_TOKEN":"{env:TOKEN}"}}}}`),
		Entry("context servers", "zed", "/home/me/.config/zed/settings.json",
			`{"context_servers":{"shop":{"source":"custom","command":"node","args":["shop.js"],"env":{"API_TOKEN":"t0ken-value"}}}}`),
		Entry("context servers as older versions wrote them", "zed", "/home/me/.config/zed/settings.json",
			`{"context_servers":{"shop":{"command":{"path":"node","args":["shop.js"],"env":{"API_TOKEN":"t0ken-value"}}}}}`),
		Entry("YAML list", "continue", "/home/me/.continue/config.yaml",
			"name: mine\nmcpServers:\n  - name: shop\n    command: node\n    args: [shop.js]\n    env: {API_TOKEN: '${{ secrets.TOKEN }}'}\n"),
		Entry("YAML extensions", "goose", "/home/me/.config/goose/config.yaml",
			"GOOSE_MODEL: m\nextensions:\n  shop:\n    enabled: true\n    type: stdio\n    name: shop\n    cmd: node\n    args:\n    - shop.js\n    envs:\n      API_TOKEN: t0ken-value\n    timeout: 300\n"),
		Entry("folder above all projects", "opencode", "/etc/opencode/opencode.json",
			`{"mcp":{"shop":{"type":"local","command":["node","shop.js"],"environment":{"API_TOKEN":"{env:TOKEN}"}}}}`),
		Entry("file for all users", "claude-code", "/etc/claude-code/managed-mcp.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${TOKEN}"}}}}`),
		Entry("settings of the system", "gemini-cli", "/etc/gemini-cli/settings.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"$TOKEN"}}}}`),
		Entry("plug-in of another editor", "windsurf", "/home/me/.codeium/mcp_config.json",
			`{"mcpServers":{"shop":{"command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}`),
		Entry("fields below transport", "cline", "/home/me/.cline/data/settings/cline_mcp_settings.json",
			`{"mcpServers":{"shop":{"transport":{"type":"stdio","command":"node","args":["shop.js"],"env":{"API_TOKEN":"${env:TOKEN}"}}}}}`),
	)

	It("goes before a less specific one", func() {
		c, err := Find("cursor", around(map[string]string{
			"/projects/shop/.cursor/mcp.json": `{"mcpServers":{"a":{"command":"project"}}}`,
			"/home/me/.cursor/mcp.json":       `{"mcpServers":{"a":{"command":"user"},"b":{"command":"b"}}}`,
		}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(2))
		Expect(c.Servers[0].Command).To(Equal([]string{"project"}))
		Expect(c.Notes).To(ConsistOf(ContainSubstring("/home/me/.cursor/mcp.json:1: mcpServers.a is left out: /projects/shop/.cursor/mcp.json names it too")))
	})

	DescribeTable("lies elsewhere on every system", func(host, os, file string) {
		a := around(nil)
		a.OS = os
		a.Env = func(name string) (string, bool) {
			v, ok := map[string]string{"APPDATA": "/appdata", "ProgramFiles": "/programs", "ProgramData": "/data", "XDG_CONFIG_HOME": ""}[name]
			return v, ok
		}
		_, err := Find(host, a)
		Expect(err).To(MatchError(ErrNoFile))
		Expect(err).To(MatchError(ContainSubstring(file)))
	},
		Entry(nil, "cursor", "windows", "/home/me/.cursor/mcp.json"),
		Entry(nil, "vscode-copilot", "darwin", "/home/me/Library/Application Support/Code/User/mcp.json"),
		Entry(nil, "vscode-copilot", "windows", "/appdata/Code/User/mcp.json"),
		Entry(nil, "claude-code", "darwin", "/Library/Application Support/ClaudeCode/managed-mcp.json"),
		Entry(nil, "claude-code", "windows", "/programs/ClaudeCode/managed-mcp.json"),
		Entry(nil, "claude-desktop", "windows", "/appdata/Claude/claude_desktop_config.json"),
		Entry(nil, "gemini-cli", "windows", "/data/gemini-cli/settings.json"),
		Entry(nil, "windsurf", "darwin", "/home/me/.codeium/windsurf/mcp_config.json"),
		Entry(nil, "codex", "windows", "/home/me/.codex/config.toml"),
		Entry(nil, "opencode", "darwin", "/home/me/.config/opencode/opencode.json"),
		Entry(nil, "zed", "darwin", "/home/me/.config/zed/settings.json"),
		Entry(nil, "zed", "windows", "/appdata/Zed/settings.json"),
		Entry(nil, "goose", "darwin", "/home/me/.config/goose/config.yaml"),
		Entry(nil, "goose", "windows", "/appdata/Block/goose/config/config.yaml"),
		Entry(nil, "continue", "windows", "/home/me/.continue/config.yaml"),
	)

	It("may be the text of a variable", func() {
		here := around(map[string]string{"/projects/shop/opencode.json": `{"mcp":{"shop":{"type":"local","command":["other"]},"more":{"type":"local","command":["x"]}}}`})
		inner := here.Env
		here.Env = func(name string) (string, bool) {
			if name == "OPENCODE_CONFIG_CONTENT" {
				return `{"mcp":{"shop":{"type":"local","command":["node","shop.js"],"environment":{"API_TOKEN":"{env:TOKEN}"}}}}`, true
			}
			return inner(name)
		}
		c, err := Find("opencode", here)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Files).To(Equal([]string{"$OPENCODE_CONFIG_CONTENT", "/projects/shop/opencode.json"}))
		Expect(c.Servers).To(HaveLen(2))
		shopServer(c.Servers[0])
	})

	DescribeTable("may allow and exclude servers wherever they are named", func(user, project string, left []string, notes ...string) {
		servers := `"mcpServers":{"a":{"command":"a"},"b":{"command":"b"},"c":{"command":"c"}}`
		c, err := Find("gemini-cli", around(map[string]string{
			"/home/me/.gemini/settings.json":       "{" + servers + user + "}",
			"/projects/shop/.gemini/settings.json": "{" + strings.TrimPrefix(project, ",") + "}"}))
		Expect(err).NotTo(HaveOccurred())
		var names []string
		for _, s := range c.Servers {
			names = append(names, s.Name)
		}
		Expect(names).To(Equal(left))
		for _, n := range notes {
			Expect(c.Notes).To(ContainElement(ContainSubstring(n)))
		}
	},
		Entry("none", "", "", []string{"a", "b", "c"}),
		Entry("allowed", `,"mcp":{"allowed":["a","c"]}`, "", []string{"a", "c"}, "b is left out: /home/me/.gemini/settings.json: mcp.allowed does not name it"),
		Entry("all allowed", `,"mcp":{"allowed":["*"]}`, "", []string{"a", "b", "c"}),
		Entry("excluded in another file", "", `,"mcp":{"excluded":["a"]}`, []string{"b", "c"}, "a is left out: /projects/shop/.gemini/settings.json: mcp.excluded names it"),
		Entry("both", `,"mcp":{"allowed":["a","b"]}`, `,"mcp":{"excluded":["a"]}`, []string{"b"}),
		Entry("the project's list of allowed ones goes first", `,"mcp":{"allowed":["a"]}`, `,"mcp":{"allowed":["b"]}`, []string{"b"}),
	)

	DescribeTable("says which tools the host would leave out", func(file, text, note string) {
		c, err := Load(file, around(map[string]string{file: text}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
		Expect(c.Notes).To(ContainElement(ContainSubstring(note)))
	},
		Entry(nil, "/home/me/.gemini/settings.json", `{"mcpServers":{"a":{"command":"a","includeTools":["x","y"]}}}`, "includeTools: the host takes of it only x, y; all its tools are looked at"),
		Entry(nil, "/home/me/.gemini/settings.json", `{"mcpServers":{"a":{"command":"a","excludeTools":["x"]}}}`, "excludeTools: the host leaves out of it x"),
		Entry(nil, "/home/me/.codex/config.toml", "[mcp_servers.a]\ncommand = \"a\"\nenabled_tools = [\"x\"]\n", "enabled_tools: the host takes of it only x"),
		Entry(nil, "/home/me/.codex/config.toml", "[mcp_servers.a]\ncommand = \"a\"\ndisabled_tools = [\"x\"]\n", "disabled_tools: the host leaves out of it x"),
		Entry(nil, "/home/me/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"a":{"command":"a","disabledTools":["x"]}}}`, "disabledTools: the host leaves out of it x"),
		Entry(nil, "/home/me/.config/goose/config.yaml", "extensions:\n  a:\n    type: stdio\n    cmd: a\n    env_keys: [NOT_HERE]\n", "the variable NOT_HERE is not set here and not passed on: the host keeps it in the system's keyring, which conform does not read"),
	)

	It("says that the host reads it only in a folder that is trusted", func() {
		files := map[string]string{"/projects/shop/.codex/config.toml": "[mcp_servers.shop]\ncommand = \"node\"\n", "/home/me/.codex/config.toml": "model = \"x\"\n"}
		c, err := Find("codex", around(files))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
		Expect(c.Notes).To(ConsistOf(`/projects/shop/.codex/config.toml: the host reads this file only where /home/me/.codex/config.toml says that projects./projects/shop.trust_level is "trusted"`))
		files["/home/me/.codex/config.toml"] = "[projects.\"/projects/shop\"]\ntrust_level = \"trusted\"\n"
		c, err = Find("codex", around(files))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Notes).To(BeEmpty())
	})

	It("may be several in one folder", func() {
		files := map[string]string{
			"/projects/shop/.continue/mcpServers/a.yaml": "mcpServers: [{name: one, command: x}]",
			"/projects/shop/.continue/mcpServers/b.json": `{"mcpServers":{"two":{"command":"${TOKEN}"}}}`,
		}
		a := around(files)
		a.Glob = func(pattern string) ([]string, error) {
			var out []string
			for name := range files {
				if ok, _ := path.Match(pattern, name); ok {
					out = append(out, name)
				}
			}
			return out, nil
		}
		c, err := Find("continue", a)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Files).To(HaveLen(2))
		Expect(c.Servers).To(HaveLen(2))
		Expect(c.Servers[0].Name).To(Equal("one"))
		Expect(c.Servers[1].Command).To(Equal([]string{"t0ken-value"}))
	})

	It("takes variables from the files that the host reads beside the environment", func() {
		files := map[string]string{
			"/home/me/.gemini/settings.json": `{"mcpServers":{"a":{"command":"x","env":{"A":"$FROM_FILE","B":"$TOKEN","C":"$BOTH"}}}}`,
			"/projects/shop/.env":            "FROM_FILE=project\nTOKEN=not-this\n",
			"/home/me/.env":                  "FROM_FILE=home\nBOTH=home\n",
		}
		for _, read := range []func(Surroundings) (*Config, error){
			func(a Surroundings) (*Config, error) { return Find("gemini-cli", a) },
			func(a Surroundings) (*Config, error) { return Load("/home/me/.gemini/settings.json", a) },
		} {
			c, err := read(around(files))
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Servers[0].Env).To(Equal([]string{"A=project", "B=t0ken-value", "C=home"}))
		}
	})

	It("may name what is no server of its own", func() {
		c, err := Find("goose", around(map[string]string{"/home/me/.config/goose/config.yaml": "extensions:\n  developer: {enabled: true, type: builtin, name: developer}\n  off: {enabled: false, type: stdio, cmd: x, args: []}\n  web: {type: streamable_http, uri: 'http://127.0.0.1:1/mcp', env_keys: [TOKEN], headers: {Authorization: 'Bearer $TOKEN', X-Raw: '$HOME'}}\n"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
		Expect(c.Servers[0].URL).To(Equal("http://127.0.0.1:1/mcp"))
		Expect(c.Servers[0].Transport).To(Equal("streamable-http"))
		Expect(c.Servers[0].Headers.Get("Authorization")).To(Equal("Bearer t0ken-value"))
		Expect(c.Servers[0].Headers.Get("X-Raw")).To(Equal("$HOME"), "only the extension's own variables count")
		Expect(c.Notes).To(ContainElements(
			ContainSubstring(`config.yaml:2: extensions.developer is left out: type "builtin" is part of the host`),
			ContainSubstring("config.yaml:3: extensions.off is left out: enabled is false")))
		c, err = Find("zed", around(map[string]string{"/home/me/.config/zed/settings.json": `{"context_servers":{"ext":{"source":"extension","settings":{}},"mine":{"source":"custom","command":"x"}}}`}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
	})

	It("is read whatever its variables hold", func() {
		a := around(nil)
		a.Env = func(name string) (string, bool) { return "${" + name + "}", true }
		_, err := Find("codex", a)
		Expect(err).To(MatchError(ErrNoFile))
	})

	It("lies elsewhere on other systems", func() {
		a := around(map[string]string{"/home/me/Library/Application Support/Claude/claude_desktop_config.json": `{"mcpServers":{"a":{"command":"x"}}}`})
		_, err := Find("claude-desktop", a)
		Expect(err).To(MatchError(ErrNoFile))
		Expect(err).To(MatchError(ContainSubstring("/home/me/.config/Claude/claude_desktop_config.json")))
		a.OS = "darwin"
		Expect(Find("claude-desktop", a)).NotTo(BeNil())
	})

	It("is not known for every host", func() {
		_, err := Find("no-such-host", around(nil))
		Expect(err).To(MatchError(ErrUnknownHost))
		Expect(err).To(MatchError(ContainSubstring("zed")))
	})
})

var _ = Describe("A server over HTTP", func() {
	const bearer = "Bearer t0ken-value"
	DescribeTable("keeps its URL, transport and headers",
		func(file, text, transport string) {
			c, err := Load(file, around(map[string]string{file: text}))
			Expect(err).NotTo(HaveOccurred())
			Expect(c.Servers).To(HaveLen(1))
			Expect(c.Servers[0].URL).To(Equal("http://127.0.0.1:1/mcp"))
			Expect(c.Servers[0].Transport).To(Equal(transport))
			Expect(c.Servers[0].Headers.Get("Authorization")).To(Equal(bearer))
		},
		Entry("type http", "/x/.mcp.json", `{"mcpServers":{"a":{"type":"http","url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}`, "streamable-http"),
		Entry("type sse", "/x/.mcp.json", `{"mcpServers":{"a":{"type":"sse","url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}`, "sse"),
		Entry("url alone", "/x/.cursor/mcp.json", `{"mcpServers":{"a":{"url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}`, ""),
		Entry("url that means SSE", "/home/me/.gemini/settings.json", `{"mcpServers":{"a":{"url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer $TOKEN"}}}}`, "sse"),
		Entry("httpUrl", "/home/me/.gemini/settings.json", `{"mcpServers":{"a":{"httpUrl":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}`, "streamable-http"),
		Entry("serverUrl", "/home/me/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"a":{"serverUrl":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}`, ""),
		Entry("token by the name of a variable", "/home/me/.codex/config.toml", "[mcp_servers.a]\nurl = \"http://127.0.0.1:1/mcp\"\nbearer_token_env_var = \"TOKEN\"\n", "streamable-http"),
		Entry("header by the name of a variable", "/home/me/.codex/config.toml", "[mcp_servers.a]\nurl = \"http://127.0.0.1:1/mcp\"\nhttp_headers = { Authorization = \"Bearer t0ken-value\" }\n", "streamable-http"),
		Entry("headers below requestOptions", "/x/.continue/mcpServers/a.yaml", "mcpServers:\n- name: a\n  type: streamable-http\n  url: http://127.0.0.1:1/mcp\n  requestOptions:\n    headers:\n      Authorization: Bearer ${{ secrets.TOKEN }}\n", "streamable-http"),
		Entry("type remote", "/x/opencode.jsonc", `{"mcp":{"a":{"type":"remote","url":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer {env:TOKEN}"}}}}`, ""),
	)
})

var _ = Describe("Variables", func() {
	env := func(file, text string, inputs map[string]string, more map[string]string) (*Server, error) {
		files := map[string]string{file: text}
		for name, body := range more {
			files[name] = body
		}
		a := around(files)
		a.Inputs = inputs
		c, err := Load(file, a)
		if err != nil {
			return nil, err
		}
		return c.Servers[0], nil
	}

	It("stand for what a person would be asked for", func() {
		const text = `{"inputs":[{"id":"pat","type":"promptString","password":true},{"id":"region","type":"promptString","default":"eu"}],
			"servers":{"a":{"command":"x","env":{"PAT":"${input:pat}","REGION":"${input:region}"}}}}`
		s, err := env("/w/.vscode/mcp.json", text, map[string]string{"pat": "hunter22"}, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Env).To(ConsistOf("PAT=hunter22", "REGION=eu"))
		Expect(s.Secrets).To(ConsistOf("hunter22"))
		_, err = env("/w/.vscode/mcp.json", text, nil, nil)
		Expect(err).To(MatchError(And(HavePrefix("/w/.vscode/mcp.json:2: servers.a.PAT: ${input:pat}"), ContainSubstring("--input 'pat=$VARIABLE'"))))
	})

	It("stand for folders", func() {
		s, err := env("/w/.vscode/mcp.json", `{"servers":{"a":{"command":"${workspaceFolder}/bin/x","args":["${workspaceFolderBasename}","${userHome}"]}}}`, nil, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Command).To(Equal([]string{"/projects/shop/bin/x", "shop", "/home/me"}))
	})

	It("stand for the text of a file, which is a secret", func() {
		s, err := env("/w/opencode.json", `{"mcp":{"a":{"command":["x"],"environment":{"K":"{file:./key.txt}"}}}}`, nil, map[string]string{"/w/key.txt": "from-a-file\n"})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Env).To(Equal([]string{"K=from-a-file"}))
		Expect(s.Secrets).To(Equal([]string{"from-a-file"}))
	})

	It("are passed on by name, where the file says so", func() {
		s, err := env("/home/me/.codex/config.toml", "[mcp_servers.a]\ncommand = \"x\"\nenv_vars = [\"TOKEN\", { name = \"EMPTY\", source = \"local\" }, \"GONE\"]\n", nil, nil)
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Env).To(Equal([]string{"TOKEN=t0ken-value", "EMPTY="}))
	})

	It("that are not set are told of", func() {
		c, err := Load("/w/.cursor/mcp.json", around(map[string]string{"/w/.cursor/mcp.json": `{"mcpServers":{"a":{"command":"x","args":["${env:GONE}"]}}}`}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Notes).To(ConsistOf("/w/.cursor/mcp.json:1: mcpServers.a: ${env:GONE} stands for nothing: the variable GONE is not set here"))
	})

	It("may stand for the text of a file", func() {
		s, err := env("/home/me/.codeium/windsurf/mcp_config.json", `{"mcpServers":{"a":{"serverUrl":"http://127.0.0.1:1/mcp","headers":{"Authorization":"Bearer ${file:/run/token}"}}}}`, nil, map[string]string{"/run/token": "from-a-file\n"})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Headers.Get("Authorization")).To(Equal("Bearer from-a-file"))
		Expect(s.Secrets).To(Equal([]string{"from-a-file"}))
	})

	It("come from a file of variables", func() {
		s, err := env("/w/.vscode/mcp.json", `{"servers":{"a":{"command":"x","envFile":"${workspaceFolder}/.env","env":{"B":"2"}}}}`, nil,
			map[string]string{"/projects/shop/.env": "# ours\nexport A='1 2'\nB=1\n"})
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Env).To(Equal([]string{"A=1 2", "B=1", "B=2"}))
	})

	It("are not looked for in what a variable holds", func() {
		a := around(map[string]string{"/w/.mcp.json": `{"mcpServers":{"a":{"command":"${A}"}}}`})
		a.Env = func(name string) (string, bool) { return "${" + name + "}", true }
		c, err := Load("/w/.mcp.json", a)
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers[0].Command).To(Equal([]string{"${A}"}))
	})

	DescribeTable("that are not set", func(file, key, value, want, failure string) {
		s, err := env(file, `{"`+key+`":{"a":{"command":"x","args":["`+value+`"]}}}`, nil, nil)
		if failure != "" {
			Expect(err).To(MatchError(ContainSubstring(failure)))
			return
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(s.Command[1]).To(Equal(want))
	},
		Entry("are an error where no host is known", "/w/servers.json", "mcpServers", "${GONE}", "", "/w/servers.json:1: mcpServers.a.args: ${GONE}: the variable GONE is not set here"),
		Entry("stay as written where the host passes them on so", "/w/.mcp.json", "mcpServers", "${GONE}", "${GONE}", ""),
		Entry("are empty where the host leaves them out", "/w/.cursor/mcp.json", "mcpServers", "-${env:GONE}-", "--", ""),
		Entry("stay where the host leaves them", "/home/me/.gemini/settings.json", "mcpServers", "$GONE", "$GONE", ""),
		Entry("do not matter where the host expands none", "/home/me/.config/Claude/claude_desktop_config.json", "mcpServers", "${GONE}", "${GONE}", ""),
	)
})

var _ = Describe("A file of an unknown host", func() {
	DescribeTable("is read by what it holds", func(name, text string) {
		c, err := Load(name, around(map[string]string{name: text}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers[0].Command).To(Equal([]string{"x"}))
	},
		Entry("mcpServers", "/tmp/a.json", `{"mcpServers":{"a":{"command":"x"}}}`),
		Entry("servers", "/tmp/a.json", `{"servers":{"a":{"command":"x"}}}`),
		Entry("mcp", "/tmp/a.json", `{"mcp":{"a":{"type":"local","command":["x"]}}}`),
		Entry("mcp.servers", "/tmp/a.json", `{"mcp":{"servers":{"a":{"command":"x"}}}}`),
		Entry("context_servers", "/tmp/a.json", `{"context_servers":{"a":{"command":"x"}}}`),
		Entry("TOML", "/tmp/a.toml", "[mcp_servers.a]\ncommand=\"x\"\n"),
		Entry("YAML list", "/tmp/a.yml", "base: &b {command: x}\nmcpServers:\n- name: a\n  <<: *b\n"),
		Entry("YAML extensions", "/tmp/a.yaml", "extensions: {a: {type: stdio, cmd: x, args: []}}\n"),
	)

	It("leaves out what is switched off, with a note", func() {
		c, err := Load("/tmp/a.json", around(map[string]string{"/tmp/a.json": "{\"mcpServers\":{\n\"a\":{\"command\":\"x\",\"disabled\":true},\n\"b\":{\"command\":\"y\",\"enabled\":true}}}"}))
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
		Expect(c.Notes).To(Equal([]string{"/tmp/a.json:2: mcpServers.a is left out: disabled is true"}))
	})

	It("gives the servers that were asked for, whatever is wrong with the others", func() {
		files := map[string]string{"/tmp/a.json": `{"mcpServers":{"a":{"command":"${GONE}"},"b":{"command":"y"}}}`}
		c, err := Load("/tmp/a.json", around(files), "b")
		Expect(err).NotTo(HaveOccurred())
		Expect(c.Servers).To(HaveLen(1))
		_, err = Load("/tmp/a.json", around(files), "c")
		Expect(err).To(MatchError(ContainSubstring(`/tmp/a.json: has no server "c"`)))
	})

	DescribeTable("says what is wrong with it, and where", func(name, text, want string) {
		_, err := Load(name, around(map[string]string{name: text}))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("no JSON", "/tmp/a.json", "{\n\"mcpServers\": {]}", "/tmp/a.json"),
		Entry("no object", "/tmp/a.json", "[]", "/tmp/a.json: is array"),
		Entry("no servers", "/tmp/a.json", "{}", "mcpServers, servers"),
		Entry("servers as a list", "/tmp/a.json", "{\n\"mcpServers\":[]}", "/tmp/a.json:2: mcpServers is array"),
		Entry("an entry that is no object", "/tmp/a.json", "{\"mcpServers\":{\n\"a\":\"x\"}}", "/tmp/a.json:2: mcpServers.a is string"),
		Entry("an argument that is no string", "/tmp/a.json", "{\"mcpServers\":{\"a\":{\"command\":\"x\",\n\"args\":[{}]}}}", "/tmp/a.json:2: mcpServers.a.args: is object"),
		Entry("neither command nor URL", "/tmp/a.json", "{\"mcpServers\":{\n\"a\":{}}}", "/tmp/a.json:2: mcpServers.a: names neither a command nor a URL"),
		Entry("a transport that MCP does not have", "/tmp/a.json", "{\"mcpServers\":{\"a\":{\n\"type\":\"ws\",\"url\":\"ws://x\"}}}", "/tmp/a.json:2: mcpServers.a.type: the transport \"ws\""),
		Entry("no YAML", "/tmp/a.yaml", "mcpServers:\n  - name: [\n", "/tmp/a.yaml:"),
		Entry("YAML of another kind", "/tmp/a.yml", "- 1\n", "/tmp/a.yml: is array, not an object"),
		Entry("YAML that names its servers by key", "/tmp/a.yaml", "x: 1\nmcpServers:\n  a: {command: x}\n", "/tmp/a.yaml:3: mcpServers is object, not a list of servers"),
		Entry("YAML with a wrong value", "/tmp/a.yaml", "mcpServers:\n- name: a\n  command: x\n  args:\n  - {}\n", "/tmp/a.yaml:5: mcpServers.a.args: is object"),
		Entry("a secret that is not there", "/tmp/a.yaml", "mcpServers:\n- name: a\n  command: ${{ secrets.GONE }}\n", "/tmp/a.yaml:3: mcpServers.a.command: ${{ secrets.GONE }}: the variable GONE is not set"),
		Entry("aliases of aliases", "/tmp/a.yaml", "a: &a [1,1,1,1,1,1,1,1,1]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: [*e,*e,*e,*e,*e,*e,*e,*e,*e]\n", "holds more than 200000 values"),
		Entry("no TOML", "/tmp/a.toml", "[mcp_servers.a]\ncommand=\n", "/tmp/a.toml:2"),
		Entry("TOML with a wrong value", "/tmp/a.toml", "[mcp_servers.a]\ncommand=\"x\"\nenv=\"y\"\n", "/tmp/a.toml:3: mcp_servers.a.env: is string"),
		Entry("a variable that is not there", "/tmp/a.toml", "[mcp_servers.a]\nurl=\"http://x\"\nbearer_token_env_var=\"GONE\"\n", "/tmp/a.toml:3: mcp_servers.a.bearer_token_env_var: the variable GONE is not set"),
		Entry("nested without end", "/tmp/a.json", strings.Repeat("[", 300_000), "holds 300000 brackets"),
		Entry("nested deep", "/tmp/a.json", strings.Repeat("[", 5000)+strings.Repeat("]", 5000), "depth"),
	)
})

var _ = Describe("The table of files", func() {
	It("names hosts that the capability table has", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		known := map[string]bool{}
		for _, h := range table.Hosts() {
			known[h.ID] = true
		}
		for _, id := range Hosts() {
			Expect(known).To(HaveKey(id))
		}
	})

	It("says where it is written and uses absolute places", func() {
		t, err := builtin()
		Expect(err).NotTo(HaveOccurred())
		a := around(nil)
		a.Env = func(string) (string, bool) { return "/env", true }
		for id, k := range t.Hosts {
			Expect(k.Source).NotTo(BeEmpty(), id)
			for _, f := range k.Files {
				Expect(f.Variable != "" || path.IsAbs(a.path(f.Path))).To(BeTrue(), "%s %s", id, f.Path)
			}
		}
		for id, s := range t.Shapes {
			Expect(s.Doc).NotTo(BeEmpty(), id)
		}
	})

	DescribeTable("is read strictly", func(text, want string) {
		_, err := parseTable([]byte(text))
		Expect(err).To(MatchError(ContainSubstring(want)))
	},
		Entry("unknown key", `{"hots":{}}`, "hots"),
		Entry("unknown shape", `{"hosts":{"x":{"files":[{"path":"~/x","shape":"y"}]}}}`, `no shape is called "y"`),
		Entry("unknown variables", `{"shapes":{"x":{"variables":["y"]}}}`, `"y"`),
		Entry("base that is not there", `{"shapes":{"x":{"extends":"y"}}}`, `extends "y"`),
		Entry("bad pattern", `{"variables":{"x":{"pattern":"("}}}`, "variables.x"),
	)
})
