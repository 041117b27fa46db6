package lab

import (
	"os"
	"path/filepath"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

var _ = It("the folders of a host's earlier runs go, once an hour has passed, and no other's", func() {
	runs := GinkgoT().TempDir()
	now := time.Now()
	for name, age := range map[string]time.Duration{"codex-1-default-11": 2 * time.Hour, "codex-1-default-22": time.Minute, "codex-2-default-33": 2 * time.Hour} {
		dir := filepath.Join(runs, name)
		Expect(os.MkdirAll(filepath.Join(dir, "home"), 0o755)).To(Succeed())
		Expect(os.Chtimes(dir, now.Add(-age), now.Add(-age))).To(Succeed())
	}
	prune(runs, "codex-1-default-", now.Add(-keptFor))
	left, err := filepath.Glob(filepath.Join(runs, "*"))
	Expect(err).NotTo(HaveOccurred())
	Expect(left).To(ConsistOf(filepath.Join(runs, "codex-1-default-22"), filepath.Join(runs, "codex-2-default-33")))
})
