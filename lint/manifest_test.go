package lint_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lint"
	"github.com/hostmatrix/conform/schema"
)

var _ = Describe("server.json", func() {
	said := func(manifest string) []string {
		var out []string
		for _, a := range lint.Run(list(d, ""), lint.Input{Manifest: schema.MustParse(manifest)}).Advice {
			out = append(out, string(a.Severity)+" "+a.Rule+" "+a.Pointer)
		}
		return out
	}

	DescribeTable("is checked", func(manifest string, want ...string) {
		if len(want) == 0 {
			Expect(said(manifest)).To(BeEmpty())
			return
		}
		Expect(said(manifest)).To(ConsistOf(want))
	},
		Entry("a whole one", `{"name":"io.github.example/depot","description":"Depots.","version":"1.2.0","repository":{"url":"https://github.com/example/depot","source":"github"},
			"packages":[{"registryType":"npm","identifier":"depot","version":"1.2.0","transport":{"type":"stdio"},"packageArguments":[{"type":"named","name":"--x"},{"type":"positional","valueHint":"dir","format":"filepath"}],"environmentVariables":[{"name":"KEY","description":"Key."}]}],
			"remotes":[{"type":"streamable-http","url":"https://example.com/mcp"}]}`),
		Entry("a pre-release that has an x in it", `{"name":"a.b/depot","description":"D.","version":"1.2.0-next.1"}`, "warning manifest-live /version"),
		Entry("no object", `[]`, "error manifest "),
		Entry("an empty one", `{}`, "error manifest /name", "error manifest /description", "error manifest /version"),
		Entry("a range", `{"name":"a.b/depot","description":"D.","version":"^1.2.0"}`, "error manifest /version", "warning manifest-live /version"),
		Entry("latest", `{"name":"a.b/depot","description":"D.","version":"latest"}`, "error manifest /version", "warning manifest-live /version"),
		Entry("a name without a namespace", `{"name":"depot","description":"D.","version":"1.2.0"}`, "error manifest /name"),
		Entry("another name", `{"name":"a.b/other","description":"D.","version":"1.2.0"}`, "info manifest-live /name"),
		Entry("packages without anything", `{"name":"a.b/depot","description":"D.","version":"1.2.0","packages":[{}]}`,
			"error manifest /packages/0/registryType", "error manifest /packages/0/identifier", "error manifest /packages/0/transport"),
		Entry("a remote on stdio", `{"name":"a.b/depot","description":"D.","version":"1.2.0","remotes":[{"type":"stdio"}]}`, "error manifest /remotes/0/type"),
		Entry("arguments that are none", `{"name":"a.b/depot","description":"D.","version":"1.2.0","packages":[{"registryType":"npm","identifier":"x","transport":{"type":"http"},"runtimeArguments":[{"type":"named"},{"type":"positional"},{}],"environmentVariables":[{}]}]}`,
			"error manifest /packages/0/transport/type", "error manifest /packages/0/runtimeArguments/0/name", "error manifest /packages/0/runtimeArguments/1",
			"error manifest /packages/0/runtimeArguments/2/type", "error manifest /packages/0/environmentVariables/0/name", "warning manifest /packages/0/environmentVariables/0/description"),
	)

	It("is not asked for", func() {
		Expect(lint.Run(list(d, ""), lint.Input{}).Advice).To(BeEmpty())
	})
})
