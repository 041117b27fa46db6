package capabilities_test

import (
	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

var _ = DescribeTable("the word that was meant", func(word, meant string, known ...string) {
	Expect(capabilities.Nearest(word, known)).To(Equal(meant))
},
	Entry("is the one with a slip", "curser", "cursor", "codex", "cursor"),
	Entry("is rather one that begins with it than one with a slip", "ajv8", "ajv8-strict", "ajv6", "ajv8-dispatch", "ajv8-strict"),
	Entry("is the shortest of those that begin with it", "claude", "claude-code", "claude-desktop", "claude-code"),
	Entry("has no beginning of one letter", "c", "", "codex", "cursor"),
	Entry("is none when no word is like it", "zed", "", "codex", "cursor"),
)
