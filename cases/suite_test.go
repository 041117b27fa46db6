package cases_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/cases"
	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/recording"
	_ "github.com/hostmatrix/conform/validators/all"
)

// The corpus suite: one spec per case and host of cases/corpus, labelled by
// family and host, e.g. `go test ./cases -ginkgo.label-filter=dialect`.
func TestCases(t *testing.T) {
	RegisterFailHandler(Fail)
	defineCorpus(t)
	RunSpecs(t, "cases")
}

// newRunner loads the built-in table.
func newRunner() (cases.Runner, error) {
	table, err := capabilities.Builtin()
	if err != nil {
		return cases.Runner{}, err
	}
	shapes, err := shape.Load(capabilities.Shapes())
	return cases.Runner{Table: table, Shapes: shapes}, err
}

func readCases(pattern string) ([]*recording.Case, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, err
	}
	var out []*recording.Case
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		c, err := recording.ReadCase(f, data)
		if err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, nil
}

// defineCorpus makes the specs; the files are read before the suite runs because
// each expectation is a spec of its own.
func defineCorpus(t *testing.T) {
	runner, err := newRunner()
	if err != nil {
		t.Fatal(err)
	}
	all, err := readCases("corpus/*/*.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(all) == 0 {
		t.Fatal("cases/corpus holds no case")
	}
	for _, c := range all {
		Describe(c.Family+"/"+c.ID+": "+c.Title, Label(c.Family), func() {
			for i, e := range c.Expect {
				It(fmt.Sprintf("%s %s: %s", e.Host, e.Version, e.Verdict), Label(e.Host), func() {
					one := *c
					one.Expect = c.Expect[i : i+1]
					for _, r := range runner.Compare(&one) {
						Expect(r.Agrees).To(BeTrue(), r.String())
					}
				})
			}
		})
	}
}

var _ = Describe("The corpus as a whole", func() {
	It("shows every claim key that a row of the table makes at work", func() {
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		all, err := readCases("corpus/*/*.json")
		Expect(err).NotTo(HaveOccurred())
		seen := map[string]bool{"layers": true}
		for _, c := range all {
			for _, e := range c.Expect {
				spec := e.Host
				if e.Version != "" {
					spec += "@" + e.Version
				}
				host, err := runner.Table.Resolve(spec)
				Expect(err).NotTo(HaveOccurred(), "%s expects something of a host that the table lacks", c.ID)
				for _, key := range capabilities.ClaimKeys() {
					if host.Find(key) != nil {
						seen[key] = true
					}
				}
			}
		}
		claimed := map[string]bool{}
		for _, h := range runner.Table.Hosts() {
			h.EachClaim(func(_, key string, _ int, _ capabilities.Claim) { claimed[key] = true })
		}
		for key := range claimed {
			Expect(seen).To(HaveKey(key), "no case touches a host that claims %s", key)
		}
	})

	It("expects something of every row", func() {
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		all, err := readCases("corpus/*/*.json")
		Expect(err).NotTo(HaveOccurred())
		seen := map[string]bool{}
		for _, c := range all {
			for _, e := range c.Expect {
				id, _, _ := strings.Cut(e.Host, ":")
				seen[id] = true
			}
		}
		for _, h := range runner.Table.Hosts() {
			Expect(seen).To(HaveKey(h.ID), "no case expects anything of %s", h.ID)
		}
	})
})

// shared is the folder with further data, "" when there is none.
func shared() string {
	for _, dir := range []string{os.Getenv("CONFORM_SHARED"), "../../shared"} {
		if info, err := os.Stat(filepath.Join(dir, "corpus")); dir != "" && err == nil && info.IsDir() {
			return dir
		}
	}
	return ""
}

// known is an expectation of the further corpus that the table does not meet,
// with the reason.
type known struct {
	Case    string `json:"case"`
	Host    string `json:"host"`
	Version string `json:"version"`
	Verdict string `json:"verdict"` // that the case expects
	Reason  string `json:"reason"`
}

var _ = Describe("The further corpus", func() {
	BeforeEach(func() {
		if shared() == "" {
			Skip("no further corpus: CONFORM_SHARED is not set")
		}
	})

	DescribeTable("agrees, but for what known-disagreements.json names with a reason",
		func(folder string) {
			runner, err := newRunner()
			Expect(err).NotTo(HaveOccurred())
			all, err := readCases(filepath.Join(shared(), "corpus", folder, "*.json"))
			Expect(err).NotTo(HaveOccurred())
			listed := readKnown()
			var results []cases.Result
			for _, c := range all {
				results = append(results, runner.Compare(c)...)
			}
			sum := cases.Sum(results)
			GinkgoWriter.Printf("%s: %d of %d expectations agree, %d are of hosts that the table lacks\n", folder, sum.Agree, sum.Entries, sum.NoHost)
			for _, r := range results {
				key := known{Case: r.Case, Host: r.Host, Version: r.Version, Verdict: r.Expected.Verdict}
				if r.Got.Reason == "no such host" {
					continue
				}
				if r.Agrees {
					Expect(listed).NotTo(HaveKey(key), "listed as a disagreement and agrees")
				} else {
					Expect(listed).To(HaveKey(key), r.String())
				}
			}
		},
		Entry("public reports", "cases"),
		Entry("SDK constructs", "sdk-cases"),
	)
})

func readKnown() map[known]string {
	GinkgoHelper()
	data, err := os.ReadFile("known-disagreements.json")
	Expect(err).NotTo(HaveOccurred())
	var list []known
	Expect(json.Unmarshal(data, &list)).To(Succeed())
	out := map[known]string{}
	for _, k := range list {
		Expect(k.Reason).NotTo(BeEmpty(), "%s %s", k.Case, k.Host)
		reason := k.Reason
		k.Reason = ""
		out[k] = reason
	}
	return out
}

var _ = Describe("What real hosts did", func() {
	It("is reproduced from the table, offer by offer and view by view", func() {
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		files, err := filepath.Glob("../capabilities/observations/*.jsonl")
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, f := range files {
			data, err := os.ReadFile(f)
			Expect(err).NotTo(HaveOccurred())
			replay(runner, f, bytes.NewReader(data))
		}
	})

	It("is reproduced for the second catalogue of probes", func() {
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		files, err := filepath.Glob("../capabilities/observations/*.jsonl.gz")
		Expect(err).NotTo(HaveOccurred())
		Expect(files).NotTo(BeEmpty())
		for _, f := range files {
			replayZipped(runner, f)
		}
	})

	It("is reproduced in the further observations too", func() {
		if shared() == "" {
			Skip("no further corpus: CONFORM_SHARED is not set")
		}
		runner, err := newRunner()
		Expect(err).NotTo(HaveOccurred())
		replayZipped(runner, filepath.Join(shared(), "corpus", "observed-hosts.jsonl.gz"))
	})
})

func replayZipped(runner cases.Runner, path string) {
	GinkgoHelper()
	file, err := os.Open(path)
	Expect(err).NotTo(HaveOccurred())
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	Expect(err).NotTo(HaveOccurred())
	replay(runner, path, unzipped)
}

func replay(runner cases.Runner, name string, in io.Reader) {
	GinkgoHelper()
	v := verify.Runner{Table: runner.Table, Shapes: runner.Shapes}
	results, err := v.Read(name, in)
	Expect(err).NotTo(HaveOccurred())
	Expect(results).NotTo(BeEmpty(), name)
	for _, r := range results {
		Expect(r.Why).To(BeEmpty(), "%s: %s", name, r.ID)
	}
}
