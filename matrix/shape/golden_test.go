package shape_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-cmp/cmp"
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/matrix/shape"
	"github.com/hostmatrix/conform/schema"
)

const shapeDir = "../../capabilities/shapes"

// payload is one answer of our own making; every golden has a line for those of
// its parts. testdata/golden/README.md says how the goldens are remade.
type payload struct{ ID, Part, Payload string }

// verdict is what a real library said about a payload: no text means accepted.
type verdict struct {
	ID   string
	Text *string
}

func load() *shape.Set {
	set, err := shape.Load(os.DirFS(shapeDir))
	Expect(err).NotTo(HaveOccurred())
	return set
}

func jsonLines[T any](path string) []T {
	text, err := os.ReadFile(path)
	Expect(err).NotTo(HaveOccurred())
	var out []T
	scanner := bufio.NewScanner(bytes.NewReader(text))
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var item T
		Expect(json.Unmarshal(scanner.Bytes(), &item)).To(Succeed(), scanner.Text())
		out = append(out, item)
	}
	return out
}

// verdictsOnly names the shapes, or the payloads of a shape, whose words are not
// claimed to be exact.
var verdictsOnly = []string{
	"java-sdk-2/block-array",                // the type id is looked for in the array
	"kotlin-sdk-0.14/block-resource-no-uri", // the class of a resource is told by its members
	"kotlin-sdk-0.14/result-task",           // read as another kind of result
	"mcp-go-1.2/result-is-array",            // the type is named by two names
	"mcp-go-1.2/result-is-string",           // likewise
	"ai-sdk/result-input-required",          // the real text names the version
	"ai-sdk/result-input-required-bare",     // likewise
	"mcp-python-2-modern",                   // two types one after the other, see its file
	"mcp-python-2/iserror-null",             // the text goes on with a second type
}

func contains(list []string, s string) bool {
	for _, item := range list {
		if item == s {
			return true
		}
	}
	return false
}

var _ = Describe("what the real libraries said", func() {
	goldens, err := filepath.Glob("testdata/golden/*.jsonl")
	if err != nil {
		panic(err)
	}
	for _, golden := range goldens {
		id := strings.TrimSuffix(filepath.Base(golden), ".jsonl")
		if id == "payloads" {
			continue
		}
		It("is what "+id+" says", func() {
			sh, ok := load().Lookup(id)
			Expect(ok).To(BeTrue(), "no shape "+id)
			payloads := map[string]payload{}
			for _, p := range jsonLines[payload]("testdata/golden/payloads.jsonl") {
				payloads[p.ID] = p
			}
			verdicts := jsonLines[verdict](golden)
			Expect(len(verdicts)).To(BeNumerically(">", 100))
			var wrong []string
			for _, want := range verdicts {
				p := payloads[want.ID]
				value, err := schema.ParseString(p.Payload)
				Expect(err).NotTo(HaveOccurred())
				issues := sh.Check(p.Part, value)
				got := sh.Text(p.Part, issues)
				switch {
				case (issues != nil) != (want.Text != nil):
					wrong = append(wrong, fmt.Sprintf("%s: refused %v: %.200s", want.ID, issues != nil, got))
				case want.Text != nil && got != *want.Text && !strings.HasPrefix(id, "spec-") && !contains(verdictsOnly, id) && !contains(verdictsOnly, id+"/"+want.ID):
					wrong = append(wrong, want.ID+": "+cmp.Diff(*want.Text, got))
				}
			}
			Expect(wrong).To(BeEmpty(), "%d of %d:\n%s", len(wrong), len(verdicts), strings.Join(wrong, "\n"))
		})
	}
})
