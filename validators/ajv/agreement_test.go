package ajv_test

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv"
)

// The shared corpus holds what the real libraries said; it is compared when it is
// there. Each figure below is a floor: raise it with the agreement, never lower it.

// corpus opens a file of the shared corpus, or skips the spec.
func corpus(name string) *os.File {
	dir := os.Getenv("CONFORM_SHARED")
	if dir == "" {
		dir = filepath.Join("..", "..", "..", "shared")
	}
	f, err := os.Open(filepath.Join(dir, "corpus", name))
	if err != nil {
		Skip("no shared corpus: set CONFORM_SHARED to its folder; " + err.Error())
	}
	DeferCleanup(f.Close)
	return f
}

func unzip(r io.Reader) io.Reader {
	z, err := gzip.NewReader(r)
	Expect(err).NotTo(HaveOccurred())
	return z
}

type compiler func(*schema.Value) (validators.Validator, error)

func profile(id string) compiler {
	p, ok := validators.Lookup(id)
	Expect(ok).To(BeTrue(), id)
	return p.Compile
}

// verdict is an outcome with its words, as one string.
func verdict(outcome, text string) string { return strings.TrimSpace(outcome + ": " + text) }

// answer compiles a schema and validates one instance.
func answer(compile compiler, document, instance *schema.Value) string {
	v, err := compile(document)
	var refused *validators.CompileError
	switch {
	case errors.As(err, &refused):
		return verdict("compile-error", refused.Text)
	case err != nil:
		return verdict("unknown", err.Error())
	}
	r := v.Validate(instance)
	if r.Outcome == validators.Valid {
		return "valid"
	}
	return verdict(r.Outcome.String(), r.Text)
}

// tally counts how often a profile agrees with its library.
type tally struct {
	total, agree, outcomes int
	differences            []string
}

func (t *tally) note(id, got, want string) {
	t.total++
	gotKind, _, _ := strings.Cut(got, ":")
	wantKind, _, _ := strings.Cut(want, ":")
	if gotKind == wantKind {
		t.outcomes++
	}
	if got == want {
		t.agree++
	} else if len(t.differences) < 60 {
		t.differences = append(t.differences, fmt.Sprintf("%s\n  got  %s\n  want %s", id, got, want))
	}
}

// expect prints the figure and fails below the floor of agreements.
func (t *tally) expect(name string, floor int) {
	AddReportEntry(name, fmt.Sprintf("%d of %d agree in outcome and words, %d in outcome", t.agree, t.total, t.outcomes))
	GinkgoWriter.Printf("%s: %d of %d agree in outcome and words, %d in outcome\n", name, t.agree, t.total, t.outcomes)
	Expect(t.agree).To(BeNumerically(">=", floor), strings.Join(t.differences, "\n"))
}

// recorded is the verdict of a probe line on one instance.
func recorded(v *schema.Value, i int) string {
	if text, ok := v.Get("compile_error").IsString(); ok {
		return verdict("compile-error", text)
	}
	r := v.Get("results").Items[i]
	switch {
	case r.Get("thrown") != nil:
		return verdict("thrown", r.Get("thrown").Text)
	case r.Get("valid").IsTrue():
		return "valid"
	}
	return verdict("invalid", r.Get("text").Text)
}

var _ = Describe("agreement with the shared corpus", func() {
	DescribeTable("the probes",
		func(id, column string, floor int) {
			var t tally
			lines := bufio.NewScanner(unzip(corpus("validator-probes.jsonl.gz")))
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				line := schema.MustParse(lines.Text())
				document := schema.MustParse(line.Get("schema").Text)
				for i, instance := range line.Get("instances").Items {
					got := answer(profile(id), document, schema.MustParse(instance.Text))
					t.note(line.Get("id").Text+" "+instance.Text, got, recorded(line.Get("verdicts").Get(column), i))
				}
			}
			t.expect("probes "+id, floor)
		},
		Entry(nil, "ajv8-draft07-lax", "ts-sdk-1.32.2-ajv", 229),
		Entry(nil, "ajv8-dispatch", "ts-client-2.4.0-ajv", 229),
		Entry(nil, "ajv6", "ajv-6.15.0", 229),
		Entry(nil, "ajv8-strict", "ajv-8.20.0-strict", 229),
	)

	DescribeTable("the official suite",
		func(column string, compile func() compiler, floor int) {
			verdicts, err := io.ReadAll(unzip(corpus("json-schema-test-suite.verdicts.json.gz")))
			Expect(err).NotTo(HaveOccurred())
			want := schema.MustParse(string(verdicts))
			var t tally
			files := tar.NewReader(unzip(corpus("json-schema-test-suite.tar.gz")))
			for {
				header, err := files.Next()
				if err == io.EOF {
					break
				}
				Expect(err).NotTo(HaveOccurred())
				name, ok := strings.CutPrefix(strings.TrimPrefix(header.Name, "./"), "tests/")
				if !ok || !strings.HasSuffix(name, ".json") {
					continue
				}
				text, err := io.ReadAll(files)
				Expect(err).NotTo(HaveOccurred())
				draft, file, _ := strings.Cut(name, "/")
				suite, err := schema.Parse(bytes.TrimSpace(text), schema.Limits{})
				Expect(err).NotTo(HaveOccurred())
				for g, group := range suite.Items {
					for i, test := range group.Get("tests").Items {
						key := strings.Join([]string{draft, file, strconv.Itoa(g), strconv.Itoa(i)}, "|")
						real, ok := want.Get(key).Get(column).IsString()
						if !ok {
							continue
						}
						got := answer(compile(), group.Get("schema"), test.Get("data"))
						if !strings.Contains(real, ":") {
							got, _, _ = strings.Cut(got, ":")
						}
						real = strings.Replace(real, "throw:", "thrown:", 1)
						t.note(key+" "+group.Get("schema").Compact(), got, real)
					}
				}
			}
			t.expect("suite "+column, floor)
		},
		Entry("ajv7", "ajv7", func() compiler { return profile("ajv8-draft07-lax") }, 3946),
		Entry("ajv2020", "ajv2020", func() compiler { return ajv.Compile2020 }, 3946),
	)

	DescribeTable("the constructs that went through whole SDK clients",
		func(id, column string, floor int) {
			var t tally
			lines := bufio.NewScanner(corpus("sdk-constructs.jsonl"))
			lines.Buffer(nil, 64<<20)
			for lines.Scan() {
				line := schema.MustParse(lines.Text())
				content, ok := line.Get("structured_content").IsString()
				text, hasSchema := line.Get("schema").IsString()
				if !ok || !hasSchema || line.Get("is_error").Kind != schema.Null || len(line.Get("opts").Members) > 0 ||
					strings.Contains(content, `"__proto__"`) {
					continue // not the validator's doing, or changed before it
				}
				want, clip := observed(line.Get("observed").Get(column))
				if want == "" {
					continue
				}
				document, instance := schema.MustParse(text), schema.MustParse(content)
				got := answer(profile(id), document, instance)
				if want == "valid" && strings.HasPrefix(got, "compile-error") && swallows[id] {
					got = "valid" // the SDK drops a schema that doesn't compile
				}
				if kind, text, _ := strings.Cut(got, ": "); clip && len(text) > 200 {
					got = strings.TrimSpace(kind + ": " + text[:200])
				}
				t.note(line.Get("id").Text+" "+content, got, want)
			}
			t.expect("constructs "+id+" "+column, floor)
		},
		Entry(nil, "ajv8-draft07-noformats", "ts-1.11.4", 160),
		Entry(nil, "ajv6", "ts-1.12..1.20", 160),
		Entry(nil, "ajv8-draft07-lax", "ts-1.21..1.22", 160),
		Entry(nil, "ajv8-draft07-lax", "ts-1.23..1.32", 158),
		Entry(nil, "ajv8-2020-only", "ts-2.0.0-beta.5", 160),
		Entry(nil, "ajv8-dispatch", "ts-2.x-legacy", 160),
		Entry(nil, "ajv8-dispatch", "ts-2.x-modern", 168),
	)
})

// swallows are the profiles of SDKs that go on without a schema that doesn't compile.
var swallows = map[string]bool{"ajv6": true, "ajv8-draft07-noformats": true}

// observed turns what a client did into a verdict; "" when that wasn't the
// validator's doing. clipped: the client cuts the text at 200 characters.
func observed(o *schema.Value) (want string, clipped bool) {
	call, list := o.Get("call").Get("msg"), o.Get("list").Get("msg")
	after := func(v *schema.Value, kind, prefix string) string {
		_, text, ok := strings.Cut(v.Text, prefix)
		if !ok {
			return ""
		}
		return verdict(kind, text)
	}
	switch o.Get("verdict").Text {
	case "ok":
		return "valid", false
	case "INV":
		return after(call, "invalid", "tool's output schema: "), false
	case "THROW":
		return after(call, "thrown", "validate structured content: "), false
	case "COMP":
		return after(call, "compile-error", "has an invalid outputSchema: "), true
	case "LC":
		return verdict("compile-error", list.Text), false
	}
	return "", false
}
