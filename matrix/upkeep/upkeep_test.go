package upkeep_test

import (
	"io/fs"
	"os"
	"strings"
	"testing/fstest"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/upkeep"
	"github.com/hostmatrix/conform/validators"
	_ "github.com/hostmatrix/conform/validators/all"
)

const good = `{"format":"conform-host/1","id":"a","name":"A","kind":"host",
 "releases":{"2.0":{"date":"2026-03-01"}},
 "claims":{
  "view.surface":[{"until":"2.0","value":{"prefers":"content"},"evidence":["ran"]},{"since":"2.0","value":{"prefers":"structured"},"evidence":["ran"]}],
  "connect.handshake":[{"value":{"tries":[{"version":"2025-06-18","method":"initialize"}]},"evidence":["ran"]}]},
 "evidence":{"ran":{"basis":"observed","version":"1.0","date":"2026-01-02","text":"ran it"}}}`

func files(pairs ...string) fs.FS {
	out := fstest.MapFS{}
	for i := 0; i < len(pairs); i += 2 {
		out[pairs[i]] = &fstest.MapFile{Data: []byte(pairs[i+1])}
	}
	return out
}

func known() upkeep.Known {
	shapes, err := shape.Load(capabilities.Shapes())
	Expect(err).NotTo(HaveOccurred())
	k := upkeep.Known{Shapes: shapes}
	for _, p := range validators.Profiles() {
		k.Profiles = append(k.Profiles, p.ID)
	}
	return k
}

var _ = Describe("Lint", func() {
	It("finds nothing in a good file", func() {
		Expect(upkeep.Lint(files("a.json", good), known())).To(BeEmpty())
	})

	It("finds no error in the project's own table", func() {
		k := known()
		k.Whole = true
		faults, err := upkeep.Lint(os.DirFS("../../capabilities"), k)
		Expect(err).NotTo(HaveOccurred())
		for _, f := range faults {
			Expect(f.Level).NotTo(Equal(upkeep.Error), f.String())
		}
	})

	DescribeTable("finds", func(old, new, want string) {
		Expect(good).To(ContainSubstring(old))
		faults, err := upkeep.Lint(files("a.json", strings.Replace(good, old, new, 1)), known())
		Expect(err).NotTo(HaveOccurred())
		var all []string
		for _, f := range faults {
			all = append(all, f.String())
		}
		Expect(strings.Join(all, "\n")).To(ContainSubstring(want))
	},
		Entry("an unknown key", `"name":"A"`, `"nmae":"A"`, `a.json: error: line 1: unknown key "nmae"; did you mean "name"?`),
		Entry("an unknown kind", `"kind":"host"`, `"kind":"hots"`, `a.json:1: error: kind "hots"`),
		Entry("a hole between ranges", `"since":"2.0"`, `"since":"2.1"`, "a.json:4: warning: view.surface[0]: versions from 2.0 up to the next claim have none"),
		Entry("ranges that overlap", `"since":"2.0"`, `"since":"1.0"`, "hold for the same versions and differ"),
		Entry("a range the wrong way round", `"until":"2.0"`, `"since":"3.0","until":"2.0"`, "since 3.0 is not before until 2.0"),
		Entry("an unknown shape", `"view.surface":[{"until"`, `"list.shape":[{"value":{"shape":"ts-sdk-1.2"},"evidence":["ran"]}],"view.surface":[{"until"`, `list.shape: no shape "ts-sdk-1.2"; did you mean "ts-sdk-1`),
		Entry("a parameter that an operation does not have", `"view.surface":[{"until"`, `"offer.precheck":[{"value":[{"check":{"op":"property-keys","patern":"x"},"on_failure":"tool"}],"evidence":["ran"]}],"view.surface":[{"until"`, `operation "property-keys"`),
		Entry("evidence without a date", `"date":"2026-01-02",`, ``, "a.json:6: warning: evidence \"ran\": it has no date"),
		Entry("evidence that nothing uses", `"evidence":{"ran"`, `"evidence":{"b":{"basis":"reported","date":"2026-01-02","url":"https://x.example/1"},"ran"`, `evidence "b": no claim uses it`),
		Entry("a record that is not there", `"text":"ran it"`, `"record":"observations/a.jsonl"`, "record observations/a.jsonl is not there"),
		Entry("a release without a date", `"2026-03-01"`, `"March"`, `release 2.0: date "March"`),
		Entry("a layer that no row is", `"kind":"host",`, `"kind":"host","layers":["b"],`, `layer "b" is no row of the table`),
	)
})

var _ = Describe("Format", func() {
	It("is stable, keeps every value and orders claims by the pipeline", func() {
		once, err := upkeep.Format("a.json", []byte(good))
		Expect(err).NotTo(HaveOccurred())
		twice, err := upkeep.Format("a.json", once)
		Expect(err).NotTo(HaveOccurred())
		Expect(string(twice)).To(Equal(string(once)))
		Expect(strings.Index(string(once), "connect.handshake")).To(BeNumerically("<", strings.Index(string(once), "view.surface")))
		Expect(strings.Index(string(once), `"version": "2025-06-18"`)).To(BeNumerically("<", strings.Index(string(once), `"method": "initialize"`)),
			"the members of a value stand as they were written")
		old, err := capabilities.Load(files("a.json", good))
		Expect(err).NotTo(HaveOccurred())
		new, err := capabilities.Load(files("a.json", string(once)))
		Expect(err).NotTo(HaveOccurred())
		Expect(upkeep.Diff(old, new)).To(BeEmpty())
	})

	It("loses nothing of the project's own table", func() {
		dir := os.DirFS("../../capabilities")
		names, err := fs.Glob(dir, "*.json")
		Expect(err).NotTo(HaveOccurred())
		written := fstest.MapFS{}
		for _, name := range names {
			text, err := fs.ReadFile(dir, name)
			Expect(err).NotTo(HaveOccurred())
			if strings.HasSuffix(name, ".schema.json") {
				continue
			}
			canonical, err := upkeep.Format(name, text)
			Expect(err).NotTo(HaveOccurred())
			written[name] = &fstest.MapFile{Data: canonical}
		}
		old, err := capabilities.Load(dir)
		Expect(err).NotTo(HaveOccurred())
		new, err := capabilities.Load(written)
		Expect(err).NotTo(HaveOccurred())
		Expect(upkeep.Diff(old, new)).To(BeEmpty())
	})

	It("refuses what it cannot read", func() {
		_, err := upkeep.Format("a.json", []byte(`{"format":`))
		Expect(err).To(MatchError(ContainSubstring("a.json")))
	})
})

var _ = Describe("counting", func() {
	table := func(text string) *capabilities.Table {
		t, err := capabilities.Load(files("a.json", text))
		Expect(err).NotTo(HaveOccurred())
		return t
	}

	It("counts claims by their strongest evidence", func() {
		s := upkeep.Count(table(good))
		Expect(s).To(And(HaveField("Rows", 1), HaveField("Claims", 3), HaveField("ByBasis", map[string]int{"observed": 3}),
			HaveField("ByStage", map[string]int{"connect": 1, "view": 2})))
		Expect(s.Hosts[0]).To(And(HaveField("Modelled", 2), HaveField("Observed", 3), HaveField("LastSeen", "2026-01-02")))
	})

	It("calls a row stale from the day on, and names the releases since", func() {
		day := time.Date(2026, 4, 2, 0, 0, 0, 0, time.UTC) // 90 days later
		Expect(upkeep.FindStale(table(good), day, 91)).To(BeEmpty())
		Expect(upkeep.FindStale(table(good), day, 90)).To(ConsistOf(And(HaveField("ID", "a"), HaveField("Days", 90), HaveField("Releases", []string{"2.0"}))))
		Expect(upkeep.FindStale(table(strings.Replace(good, `"basis":"observed"`, `"basis":"reported"`, 1)), day, 9000)).
			To(ConsistOf(HaveField("Days", -1)), "never observed is always stale")
	})

	It("tells what changed between two tables", func() {
		changed := strings.Replace(good, `"prefers":"structured"`, `"prefers":"raw"`, 1)
		Expect(upkeep.Diff(table(good), table(changed))).To(ConsistOf(And(HaveField("Kind", "changed"), HaveField("Key", "view.surface"))))
		empty, err := capabilities.Load(files())
		Expect(err).NotTo(HaveOccurred())
		Expect(upkeep.Diff(empty, table(good))).To(ConsistOf(upkeep.Change{Host: "a", Kind: "added"}))
		Expect(upkeep.Diff(table(good), empty)).To(ConsistOf(upkeep.Change{Host: "a", Kind: "removed"}))
	})
})
