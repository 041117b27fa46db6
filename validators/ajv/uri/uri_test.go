package uri_test

import (
	"bufio"
	"bytes"
	_ "embed"
	"errors"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/ajv/uri"
)

func TestURI(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "validators/ajv/uri")
}

// Each line is a base and a reference with what four real resolvers made of them:
// resolved, the full path of the reference alone, its fragment; "!" marks the
// message of an exception.
//
//go:embed testdata/resolved.jsonl
var resolved []byte

var flavors = map[string]uri.Flavor{"FastURI": uri.FastURI, "FastURI318": uri.FastURI318,
	"FastURI310": uri.FastURI310, "URIJS": uri.URIJS}

func orError(s string, err error) string {
	if err != nil {
		return "!" + err.Error()
	}
	return s
}

var _ = Describe("references", func() {
	lines := bufio.NewScanner(bytes.NewReader(resolved))
	for lines.Scan() {
		line := schema.MustParse(lines.Text())
		base, reference := line.Get("base").Text, line.Get("reference").Text
		It("resolve as the real libraries do: "+base+" and "+reference, func() {
			for name, flavor := range flavors {
				want := line.Get(name)
				Expect(orError(flavor.Resolve(base, reference))).To(Equal(want.Get("resolved").Text), name)
				c, err := flavor.Parse(reference)
				if err != nil {
					Expect("!"+err.Error()).To(Equal(want.Get("full").Text), name)
					continue
				}
				Expect(orError(c.Base())).To(Equal(want.Get("full").Text), name)
				Expect(c.Fragment()).To(Equal(want.Get("fragment").Text), name)
			}
		})
	}

	It("refuse hosts that need Unicode mapping", func() {
		_, err := uri.FastURI.Resolve("", "http://ﬁ.test/")
		Expect(errors.Is(err, uri.ErrHost)).To(BeTrue())
	})
})

// FuzzResolve: no resolver panics, whatever the texts.
func FuzzResolve(f *testing.F) {
	f.Add("https://x.test/a", "../b#/c%25")
	f.Add("urn:x:y", "//h:8x/%zz?q#\u2028")
	f.Add("http://[::1%25e]", "http://0x7f.1/é")
	f.Fuzz(func(t *testing.T, base, reference string) {
		for _, flavor := range flavors {
			if c, err := flavor.Parse(reference); err == nil {
				_, _ = c.Base()
			}
			_, _ = flavor.Resolve(base, reference)
		}
	})
}
