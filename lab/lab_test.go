package lab

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/model"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// TestMain makes this test binary what the program is to the lab: the process inside
// the room, and the probe servers.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "lab" {
		var err error
		switch os.Args[2] {
		case "inner":
			err = Inner(context.Background(), os.Args[3], fakeAdapter)
		case "probe-server": // --server NAME --era ERA --log FILE [--catalogue FILE]
			catalogue := ""
			if len(os.Args) > 10 {
				catalogue = os.Args[10]
			}
			err = serve(os.Args[4], os.Args[6], os.Args[8], catalogue)
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(name, era, path, catalogue string) error {
	c, err := probe.Open(catalogue)
	if err != nil {
		return err
	}
	log, err := probe.OpenLog(path)
	if err != nil {
		return err
	}
	defer log.Close()
	s, _ := c.Server(name)
	return s.ServeStdio(probe.Era(era), os.Stdin, os.Stdout, log)
}

func TestLab(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "lab")
}

// open makes drive do without a room, own is a catalogue in place of the lab's.
var (
	open bool
	own  string
)

// drive runs a fake host; without namespaces it runs open, so that the lab's logic
// is covered there too.
func drive(kind string, limit time.Duration) Batch {
	GinkgoHelper()
	batches := driveAll(kind, limit)
	Expect(batches).To(HaveLen(1))
	return batches[0]
}

func driveAll(kind string, limit time.Duration) []Batch {
	GinkgoHelper()
	self, err := os.Executable()
	Expect(err).NotTo(HaveOccurred())
	l := Lab{Cache: GinkgoT().TempDir(), Self: self, Inner: []string{"lab", "inner"}, Limit: limit, Memory: DefaultMemory,
		Open: open || isolate.Available() != nil, Servers: []string{"probe", "fp_items_array"}, Probes: own, Progress: func(string) {}}
	switch kind {
	case "fills-memory":
		l.Memory = 256 << 20
	case "fills-disk":
		l.Disk = 64 << 20
	case "never-comes-back":
		l.Patience = 2 * time.Second
	}
	if kind == "loops" {
		l.Servers = l.Servers[1:] // a short plan has a short patience
	}
	batches, err := l.observe(context.Background(), adapters.Adapter{ID: "fake"}, adapters.Installed{}, "1", adapters.Mode{Name: kind, Model: "fake-model"})
	Expect(err).NotTo(HaveOccurred())
	return batches
}

func collect(b Batch) File {
	GinkgoHelper()
	c, err := probe.Builtin()
	Expect(err).NotTo(HaveOccurred())
	return Collect("fake", "1", "2026-01-02", nil, c, []Batch{b})
}

func lineOf(b Batch, id string) observe.Line {
	GinkgoHelper()
	for _, l := range b.Run.Lines() {
		if l.Probe == id {
			return l
		}
	}
	Fail("no observation of " + id)
	return observe.Line{}
}

var _ = Describe("The lab", func() {
	It("observes a host that does nothing odd", func() {
		b := drive("plain", time.Minute)
		Expect(b.Outcome.Ended).To(Equal("exit"))
		l := lineOf(b, "both_diff")
		Expect(l.Protocol).To(Equal("2025-06-18"))
		Expect(l.Offered.Present).To(BeTrue())
		Expect(l.Offered.Name).To(Equal("both_diff"))
		Expect(l.Offered.Schema).To(MatchJSON(`{"type":"object","properties":{"q":{"type":"string","description":"any text"}}}`))
		Expect(l.Called).To(Equal(1))
		Expect(*l.Seen.Text).To(MatchJSON(l.Result))
		Expect(lineOf(b, "fp_items_array").Reached).To(HaveKeyWithValue("ctl_fp_items_array", true))
	})

	It("gives the same file twice", func() {
		file := func(b Batch) string {
			f := collect(b)
			data, err := observe.Write(f.Header, f.Lines)
			Expect(err).NotTo(HaveOccurred())
			return string(data)
		}
		Expect(file(drive("plain", time.Minute))).To(Equal(file(drive("plain", time.Minute))))
	})

	It("asks the probes of a catalogue of one's own", func() {
		own = filepath.Join(GinkgoT().TempDir(), "mine.json")
		DeferCleanup(func() { own = "" })
		Expect(os.WriteFile(own, []byte(`{"format":"conform-probes/1","version":"mine","servers":[{"name":"probe","probes":[{"id":"mine_only"}]}]}`), 0o600)).To(Succeed())
		b := drive("plain", time.Minute)
		Expect(b.Run.Lines()).To(HaveLen(1))
		Expect(*lineOf(b, "mine_only").Seen.Text).To(ContainSubstring("CT_mine_only"))
	})

	It("keeps two labs from one installation", func() {
		l := Lab{Cache: GinkgoT().TempDir(), Progress: func(string) {}}
		a := adapters.Adapter{ID: "fake"}
		unlock, err := l.lock(context.Background(), a, "1")
		Expect(err).NotTo(HaveOccurred())
		ctx, cancel := context.WithCancel(context.Background())
		var said []string
		other := l
		other.Progress = func(line string) { said = append(said, line); cancel() }
		_, err = other.lock(ctx, a, "1")
		Expect(err).To(MatchError(context.Canceled))
		Expect(said).To(ConsistOf(ContainSubstring("another lab uses fake 1")))
		second, err := other.lock(context.Background(), a, "2")
		Expect(err).NotTo(HaveOccurred(), "another version is another installation")
		second()
		unlock()
		again, err := other.lock(context.Background(), a, "1")
		Expect(err).NotTo(HaveOccurred())
		again()
	})

	It("says nothing about offers of a host that never connects", func() {
		l := lineOf(drive("never-connects", time.Minute), "both_diff")
		Expect(l.Offered).To(BeNil())
		Expect(l.Seen).To(BeNil())
		Expect(l.Note).To(ContainSubstring("never started this server"))
	})

	It("tells a dropped tool from a lost list", func() {
		l := lineOf(drive("drops-a-tool", time.Minute), "sc_mismatch")
		Expect(l.Offered.Present).To(BeFalse())
		Expect(l.Offered.Lost).To(BeFalse())
		Expect(l.Called).To(BeZero())
	})

	It("finds a tool again that was rewritten", func() {
		l := lineOf(drive("rewrites", time.Minute), "both_diff")
		Expect(l.Offered.Name).To(Equal("probe-BOTH_DIFF"))
		Expect(l.Offered.Schema).To(MatchJSON(`{"type":"object"}`))
		Expect(l.Called).To(Equal(1))
	})

	It("ends a host that loops, and keeps what it did", func() {
		b := drive("loops", 5*time.Second)
		Expect(b.Outcome.Ended).To(Equal("time"))
		Expect(b.Run.Record.Looped).To(BeTrue())
		Expect(lineOf(b, "fp_items_array").Seen).NotTo(BeNil())
	})

	It("goes on without the calls that a host does not come back from", func() {
		batches := driveAll("never-comes-back", time.Minute)
		last := batches[len(batches)-1]
		Expect(last.Run.Servers).To(HaveLen(2), "the last start says more of every server")
		for _, id := range []string{"tuple_ok", "both_diff"} {
			l := lineOf(last, id)
			Expect(l.Offered.Present).To(BeTrue())
			Expect(l.Called).To(Equal(1))
			Expect(l.Seen).To(BeNil())
			Expect(l.Note).To(ContainSubstring("never came back"))
		}
		Expect(lineOf(last, "fp_items_array").Seen).NotTo(BeNil())
		Expect(lineOf(last, "sc_null").Seen).NotTo(BeNil())
	})

	It("ends a host that hangs", func() {
		b := drive("hangs", 5*time.Second)
		Expect(b.Outcome.Ended).To(Equal("time"))
		Expect(lineOf(b, "both_diff").Note).To(ContainSubstring("ended before it offered any tool"))
	})

	It("ends a daemon that a host leaves behind, and says so", func() {
		b := drive("leaves-a-daemon", time.Minute)
		Expect(b.Outcome.Left).To(ContainElement(Or(Equal("sleep"), Equal("sh"), Equal("setsid"))))
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		for _, f := range files {
			data, err := os.ReadFile(f)
			if err == nil {
				Expect(bytes.Contains(data, []byte("sleep\x00984"))).To(BeFalse())
			}
		}
	})

	DescribeTable("ends a host that takes too much", func(kind, ended string) {
		b := drive(kind, time.Minute)
		Expect(b.Outcome.Ended).To(Equal(ended))
		Expect(lineOf(b, "both_diff").Note).To(ContainSubstring("ended before it offered any tool"))
	},
		Entry("memory", "fills-memory", "memory"),
		Entry("disk", "fills-disk", "disk"),
	)

	It("shows a host nothing of the user's, and no network", func() {
		if err := isolate.Available(); err != nil {
			Skip(err.Error())
		}
		GinkgoT().Setenv("LAB_TEST_SECRET", "x")
		home := GinkgoT().TempDir()
		GinkgoT().Setenv("HOME", home)
		Expect(os.WriteFile(filepath.Join(home, ".credentials"), nil, 0o600)).To(Succeed())
		b := drive("snoops", time.Minute)
		var found snooped
		Expect(readJSON(filepath.Join(b.Dir, "snooped.json"), &found)).To(Succeed())
		Expect(found.Env).To(ConsistOf("HOME", "PATH", "TMPDIR", "LANG", "TERM", "CI", "NO_COLOR", "NO_PROXY", "DO_NOT_TRACK", "SECRET_OF_HOST"))
		Expect(found.Outside).To(ContainSubstring("network is unreachable"))
		Expect(found.Name).NotTo(BeEmpty())
		Expect(filepath.Join(home, ".credentials")).To(BeAnExistingFile())
	})

	It("records what a host writes to a terminal as text", func() {
		b := drive("escapes", time.Minute)
		Expect(lineOf(b, "both_diff").Offered.Name).To(Equal("\x1b[31mboth_diff"))
		f := collect(b)
		data, err := observe.Write(f.Header, f.Lines)
		Expect(err).NotTo(HaveOccurred())
		Expect(bytes.ContainsRune(data, 0x1b)).To(BeFalse())
	})

	It("refuses a room that it can't have", func() {
		if err := isolate.Available(); err != nil {
			l := Lab{Cache: GinkgoT().TempDir(), Progress: func(string) {}}
			_, err := l.Observe(context.Background(), adapters.All()[0], "1", adapters.Mode{})
			Expect(err).To(MatchError(ContainSubstring("--no-isolation")))
			return
		}
		// Inside a room there is none to be had.
		said, err := os.ReadFile(filepath.Join(drive("runs-the-lab", time.Minute).Dir, "nested.txt"))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(said)).To(And(ContainSubstring("no network and process namespaces here"), ContainSubstring("--no-isolation")))
	})

	It("does without a room when the user accepts that", func() {
		open = true
		DeferCleanup(func() { open = false })
		b := drive("plain", time.Minute)
		Expect(b.Outcome.Ended).To(Equal("exit"))
		Expect(lineOf(b, "both_diff").Called).To(Equal(1))
	})
})

var _ = Describe("A run that says less than it could", func() {
	run := func(listed []string, answered ...string) Batch {
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		b := Batch{Run: observe.Run{Traffic: map[string]*observe.Traffic{}}}
		for _, name := range []string{"paged", "twins", "quiet_control"} {
			s, _ := c.Server(name)
			b.Run.Servers = append(b.Run.Servers, s)
			b.Run.Traffic[name] = &observe.Traffic{Listed: slices.Contains(listed, name)}
			for _, p := range s.Probes {
				if slices.Contains(listed, name) {
					b.Run.Record.Tools = append(b.Run.Record.Tools, model.Tool{Probe: p.ID})
				}
			}
		}
		for _, id := range answered {
			b.Run.Record.Answers = append(b.Run.Record.Answers, model.Answer{Probe: id})
		}
		return b
	}
	names := func(b Batch) (out []string) {
		for _, s := range b.Run.Servers {
			out = append(out, s.Name)
		}
		return out
	}

	DescribeTable("names the servers to ask again", func(listed, answered, want []string) {
		Expect(missing(run(listed, answered...).Run)).To(Equal(want))
	},
		Entry("never asked", []string{"paged"}, []string{"page_1", "page_2", "page_3"}, []string{"twins"}),
		Entry("not all answered", []string{"paged", "twins"}, []string{"page_1", "page_2", "name_twin_dot", "name_twin_dash"}, []string{"paged"}),
		Entry("nothing at all", []string{}, []string{}, nil),
	)

	It("takes of the second run what it says more of", func() {
		first, second := run([]string{"paged"}, "page_1"), run([]string{"paged", "twins"}, "page_1", "name_twin_dot")
		got := split(first, second)
		Expect(got).To(HaveLen(2))
		got[1].Again = true
		c, err := probe.Builtin()
		Expect(err).NotTo(HaveOccurred())
		Expect(Collect("h", "1", "2026-01-02", nil, c, got).Header.Again).To(HaveKeyWithValue("", []string{"twins"}), "the file says so")
		Expect(names(got[0])).To(Equal([]string{"paged", "quiet_control"}))
		Expect(names(got[1])).To(Equal([]string{"twins"}))
		Expect(split(first, run([]string{"paged"}, "page_1"))).To(HaveLen(1))
	})
})

var _ = Describe("Saving a file", func() {
	file := func(origin string, lines ...string) File {
		f := File{Header: observe.Header{Host: "h", Version: "1", Origin: origin, Handshakes: map[string][]observe.Step{}}}
		for _, id := range lines {
			mode, p, _ := bytes.Cut([]byte(id), []byte(" "))
			f.Lines = append(f.Lines, observe.Line{ID: id, Mode: string(mode), Probe: string(p), Tool: []byte(`{}`), Result: []byte(`null`)})
		}
		return f
	}

	It("leaves a hand-made file alone that has more", func() {
		dir := GinkgoT().TempDir()
		Expect(file("by hand", "a x", "a y").Save(dir)).To(HaveSuffix("h-1.jsonl"))
		Expect(file(Origin, "a x").Save(dir)).To(HaveSuffix("h-1-lab.jsonl"))
	})

	It("replaces a hand-made file by one that has everything", func() {
		dir := GinkgoT().TempDir()
		Expect(file("by hand", "a x").Save(dir)).To(HaveSuffix("h-1.jsonl"))
		Expect(file(Origin, "a x", "a y").Save(dir)).To(HaveSuffix("h-1.jsonl"))
	})

	It("reads the names of hand-made lines in another form", func() {
		dir := GinkgoT().TempDir()
		text := `{"format":"conform-observation/1","host":"h","version":"1","origin":"by hand"}` + "\n" + `{"id":"i","mode":"a","probe":"z","seen":{"texts":[{"head":"x"}]}}` + "\n"
		Expect(os.WriteFile(filepath.Join(dir, "h-1.jsonl"), []byte(text), 0o600)).To(Succeed())
		Expect(file(Origin, "a x").Save(dir)).To(HaveSuffix("h-1-lab.jsonl"))
	})

	It("writes what two modes of a part have in common once", func() {
		dir := GinkgoT().TempDir()
		f := file(Origin, "http x", "http y", "stdio x", "stdio y", "whole x", "whole y")
		f.Lines[5].Called = 1
		f.parts = []string{"stdio", "http"}
		path, err := f.Save(dir)
		Expect(err).NotTo(HaveOccurred())
		saved, err := Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(saved.Modes()).To(Equal([]string{"stdio", "whole"}))
		Expect(saved.Header.Same).To(Equal(map[string]string{"http": "stdio"}))
		again := file(Origin, "stdio x")
		_, err = again.Save(dir)
		Expect(err).NotTo(HaveOccurred())
		saved, err = Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(saved.Header.Same).To(BeEmpty(), "what it was the same as is another now")
	})

	It("joins what a person served on several days, and keeps who ran it", func() {
		dir := GinkgoT().TempDir()
		_, err := file("served; ran by: Ada", "a x", "a y").Save(dir)
		Expect(err).NotTo(HaveOccurred())
		now := file("served; ran by: (add who)", "a y", "a z")
		now.Lines[0].Called = 7
		path, err := now.Save(dir)
		Expect(err).NotTo(HaveOccurred())
		f, err := Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(filepath.Base(path)).To(Equal("h-1.jsonl"))
		Expect(f.Header.Origin).To(Equal("served; ran by: Ada"))
		Expect(f.Lines).To(HaveLen(3))
		Expect(f.Lines[0].Called).To(Equal(7), "what was asked again is taken from now")
	})

	It("keeps the modes that did not run now", func() {
		dir := GinkgoT().TempDir()
		_, err := file(Origin, "a x", "b x").Save(dir)
		Expect(err).NotTo(HaveOccurred())
		path, err := file(Origin, "b x", "b y").Save(dir)
		Expect(err).NotTo(HaveOccurred())
		f, err := Open(path)
		Expect(err).NotTo(HaveOccurred())
		Expect(f.Modes()).To(Equal([]string{"a", "b"}))
		Expect(f.Lines).To(HaveLen(3))
	})
})
