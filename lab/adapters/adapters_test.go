package adapters_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/probe"
)

func TestAdapters(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "adapters")
}

// setup is a place to prepare a host in, with two servers whose paths need quotes.
func setup(a adapters.Adapter, mode adapters.Mode) *adapters.Setup {
	dir := GinkgoT().TempDir()
	s := &adapters.Setup{Install: filepath.Join(dir, "install"), Node: "/n/node", Run: dir, Home: filepath.Join(dir, "home"), Work: filepath.Join(dir, "work"),
		Version: a.Versions[0], Mode: mode, Program: "/p/program", Model: "http://127.0.0.1:1",
		Servers: []adapters.Server{{Name: "one", Command: "/c d/conform", Args: []string{"lab", "x\"y"}}, {Name: "two", Command: "/c", Args: []string{}}}}
	if mode.HTTP {
		s.Servers = []adapters.Server{{Name: "one", URL: "http://127.0.0.1:2/mcp/one"}, {Name: "two", URL: "http://127.0.0.1:2/mcp/two"}}
	}
	for _, sub := range []string{s.Home, s.Work, filepath.Join(s.Install, "node_modules", ".bin")} {
		Expect(os.MkdirAll(sub, 0o755)).To(Succeed())
	}
	// The one adapter that resolves a link needs something to resolve.
	Expect(os.WriteFile(s.Bin("mcp-inspector"), nil, 0o755)).To(Succeed())
	return s
}

var _ = Describe("The adapters", func() {
	It("lists the modes that a spec asks for", func() {
		names := func(spec string) []string {
			_, _, modes, err := adapters.Chosen(spec)
			Expect(err).NotTo(HaveOccurred())
			var out []string
			for _, m := range modes {
				out = append(out, m.Name)
			}
			return out
		}
		Expect(names("codex:code_mode@0.171.0")).To(Equal([]string{"code_mode"}))
		Expect(names("codex")).To(ContainElements("direct", "code_mode", "count", "quiet"))
		Expect(names("codex:apart")).To(And(ContainElements("count", "quiet"), Not(ContainElement("direct"))))
	})

	It("belong to rows of the table and pin their versions", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		for _, a := range adapters.All() {
			_, known := table.Host(a.ID)
			Expect(known).To(BeTrue(), a.ID)
			Expect(a.Versions).NotTo(BeEmpty(), a.ID)
			Expect(a.Modes).NotTo(BeEmpty(), a.ID)
			packages := append(append([]string{a.Source.Go}, a.Source.Npm...), a.Source.Pip...)
			for _, p := range packages {
				if p != "" {
					Expect(strings.LastIndexAny(p, "@=")).To(BeNumerically(">", 0), "%s: %s is not pinned", a.ID, p)
				}
			}
		}
	})

	It("are all asked by every transport, era and apart server", func() {
		for _, a := range adapters.All() {
			http, modern, dual := false, false, false
			asked := map[string]bool{}
			for _, m := range a.Modes {
				http = http || m.HTTP
				modern = modern || m.Era == probe.Modern
				dual = dual || m.Era == probe.Dual
				for _, s := range m.Only {
					asked[s] = true
				}
			}
			Expect([]bool{http, modern, dual}).To(HaveEach(true), a.ID)
			c, err := probe.Builtin()
			Expect(err).NotTo(HaveOccurred())
			for _, s := range c.Servers {
				Expect(!s.Apart || asked[s.Name]).To(BeTrue(), "%s: no mode asks %s", a.ID, s.Name)
			}
		}
	})

	It("leave out only probe servers that exist", func() {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		for _, a := range adapters.All() {
			for name, why := range a.Without {
				_, ok := c.Server(name)
				Expect(ok).To(BeTrue(), "%s without %s", a.ID, name)
				Expect(why).NotTo(BeEmpty())
			}
			for _, m := range a.Modes {
				for _, name := range m.Only {
					_, ok := c.Server(name)
					Expect(ok).To(BeTrue(), "%s only %s", a.ID, name)
				}
			}
		}
	})

	It("configure every host in every mode with every server, below its own folders only", func() {
		for _, a := range adapters.All() {
			for _, m := range a.Modes {
				s := setup(a, m)
				c, err := a.Prepare(s)
				Expect(err).NotTo(HaveOccurred(), "%s:%s", a.ID, m.Name)
				Expect(filepath.IsAbs(c.Args[0])).To(BeTrue(), "%s: %s", a.ID, c.Args[0])
				var all bytes.Buffer
				Expect(filepath.Walk(s.Run, func(path string, info os.FileInfo, err error) error {
					if err == nil && info.Mode().IsRegular() && !strings.HasPrefix(path, s.Install) {
						var data []byte
						data, err = os.ReadFile(path)
						if strings.HasSuffix(path, ".json") {
							Expect(json.Valid(data)).To(BeTrue(), path)
						}
						all.Write(data)
					}
					return err
				})).To(Succeed())
				driven := strings.Contains(strings.Join(c.Env, " "), "LAB_RUN=")
				if m.HTTP && !driven {
					Expect(all.String()).To(And(ContainSubstring("http://127.0.0.1:2/mcp/one"), ContainSubstring("http://127.0.0.1:2/mcp/two")), a.ID)
				} else if !driven {
					Expect(all.String()).To(And(ContainSubstring("one"), ContainSubstring("two"), ContainSubstring(`x\"y`)), a.ID)
				}
				Expect(all.String()+strings.Join(c.Env, " ")+a.Source.Go).To(Or(ContainSubstring("http://127.0.0.1:1"), ContainSubstring("LAB_RUN")), a.ID)
			}
		}
	})

	DescribeTable("are found by id, mode and version", func(spec, version, mode string) {
		_, v, m, err := adapters.Find(spec)
		Expect(err).NotTo(HaveOccurred())
		Expect(v).To(Equal(version))
		Expect(m.Name).To(Equal(mode))
	},
		Entry("id", "codex", "0.171.0", "direct"),
		Entry("mode", "codex:code_mode", "0.171.0", "code_mode"),
		Entry("version", "codex@9", "9", "direct"),
		Entry("both", "ts-sdk-v2:auto@2.3.0", "2.3.0", "auto"),
	)

	It("say what there is when something is not", func() {
		_, _, _, err := adapters.Find("nobody")
		Expect(err).To(MatchError(ContainSubstring("the lab drives ai-sdk, ")))
		_, _, _, err = adapters.Find("codex:x")
		Expect(err).To(MatchError(ContainSubstring("it has direct, tool_search")))
	})
})

var _ = Describe("A host whose program the user gives", func() {
	It("is the program, and nothing is installed", func() {
		a, _, _, err := adapters.Find("crush")
		Expect(err).NotTo(HaveOccurred())
		program := filepath.Join(GinkgoT().TempDir(), "crush")
		Expect(os.WriteFile(program, []byte("#!/bin/sh\n"), 0o755)).To(Succeed())
		in, err := a.Given(program)
		Expect(err).NotTo(HaveOccurred())
		Expect(filepath.Base(in.Program)).To(Equal("crush"))
		_, err = a.Install(GinkgoT().Context(), GinkgoT().TempDir(), "1", func(string) {})
		Expect(err).To(MatchError(ContainSubstring("--program")))
	})

	It("must be a program, of a host that the lab does not install", func() {
		a, _, _, _ := adapters.Find("crush")
		_, err := a.Given("/nowhere/crush")
		Expect(err).To(MatchError(ContainSubstring("no such file")))
		_, err = a.Given(GinkgoT().TempDir())
		Expect(err).To(MatchError(ContainSubstring("no program")))
		a, _, _, _ = adapters.Find("codex")
		_, err = a.Given("/bin/sh")
		Expect(err).To(MatchError(ContainSubstring("installs codex itself")))
	})
})

var _ = Describe("An installation", func() {
	It("says in a line what went wrong and leaves no mark", func() {
		dir := GinkgoT().TempDir()
		bin := filepath.Join(dir, "bin")
		Expect(os.MkdirAll(bin, 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\necho no such version >&2\nexit 1\n"), 0o755)).To(Succeed())
		GinkgoT().Setenv("PATH", bin+":/bin:/usr/bin")
		a := adapters.Adapter{ID: "x", Source: adapters.Source{Npm: []string{"x@{version}"}}}
		_, err := a.Install(GinkgoT().Context(), dir, "1.2.3", func(string) {})
		Expect(err).To(MatchError(And(ContainSubstring("installing x@1.2.3"), ContainSubstring("no such version"))))
		Expect(a.Ready(dir, "1.2.3")).To(BeFalse())
	})

	It("is made once, with none of the user's secrets in its environment", func() {
		dir := GinkgoT().TempDir()
		bin := filepath.Join(dir, "bin")
		Expect(os.MkdirAll(bin, 0o755)).To(Succeed())
		Expect(os.WriteFile(filepath.Join(bin, "npm"), []byte("#!/bin/sh\nenv >> env.txt\n"), 0o755)).To(Succeed())
		GinkgoT().Setenv("PATH", bin+":/bin:/usr/bin")
		GinkgoT().Setenv("NPM_TOKEN", "do-not-pass")
		a := adapters.Adapter{ID: "x", Source: adapters.Source{Npm: []string{"x@{version}"}}}
		for range 2 {
			in, err := a.Install(GinkgoT().Context(), dir, "1.2.3", func(string) {})
			Expect(err).NotTo(HaveOccurred())
			data, err := os.ReadFile(filepath.Join(in.Dir, "env.txt"))
			Expect(err).NotTo(HaveOccurred())
			Expect(strings.Count(string(data), "HOME=")).To(Equal(1))
			Expect(string(data)).NotTo(ContainSubstring("do-not-pass"))
		}
		Expect(a.Ready(dir, "1.2.3")).To(BeTrue())
	})
})
