package auth_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire/auth"
)

var _ = Describe("A stored token", Serial, func() {
	It("can be read by the user alone, whatever the umask", func(ctx SpecContext) {
		old := syscall.Umask(0)
		DeferCleanup(func() { syscall.Umask(old) })
		p := newProvider()
		directory := filepath.Join(GinkgoT().TempDir(), "new", "tokens")
		_, err := capture(ctx, p, handler(auth.Config{URL: p.URL + "/mcp", Directory: directory, Scopes: []string{"read", "write"}}))
		Expect(err).NotTo(HaveOccurred())
		modes := map[string]fs.FileMode{}
		Expect(filepath.WalkDir(filepath.Dir(directory), func(path string, _ fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := os.Stat(path)
			modes[filepath.Ext(path)] = info.Mode().Perm()
			return err
		})).To(Succeed())
		Expect(modes).To(Equal(map[string]fs.FileMode{"": 0o700, ".json": 0o600}))
	})
})
