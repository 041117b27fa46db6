//go:build integration && linux

package integration

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// maxResident is the bar for a run on a very large server, in bytes: 376 MB were
// measured with the shared corpus on 2026-12-01. Linux reports the greatest resident
// size of a child in kilobytes, hence the build tag.
const maxResident = 512 << 20

var _ = Describe("A server with 2,900 tools", func() {
	DescribeTable("is looked at in every host within bounds", func(ctx SpecContext, source func() string) {
		from := source()
		server := filepath.Join(GinkgoT().TempDir(), "loadserver")
		out, err := exec.Command("go", "build", "-o", server, "./testdata/loadserver").CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))
		limited, cancel := context.WithTimeout(ctx, 10*time.Minute)
		defer cancel()
		cmd := exec.CommandContext(limited, binary, "run", "--allow-calls=*", "--format", "json="+filepath.Join(GinkgoT().TempDir(), "r.json"), "--", server, from)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		_ = cmd.Run()
		Expect(cmd.ProcessState.ExitCode()).To(BeElementOf(0, 1), stderr.String())
		resident := cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10
		GinkgoWriter.Printf("%d MB, %s CPU\n", resident>>20, cmd.ProcessState.UserTime())
		Expect(resident).To(BeNumerically("<", maxResident))
	},
		Entry("tools made here", func() string { return "2900" }),
		Entry("the shared corpus", func() string {
			shared := os.Getenv("CONFORM_SHARED")
			if shared == "" {
				Skip("could not run: CONFORM_SHARED names no corpus")
			}
			return filepath.Join(shared, "corpus", "load")
		}),
	)
})
