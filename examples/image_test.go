package examples_test

import (
	"debug/elf"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/fixture"
)

// There is no builder of images here. The spec does what the Dockerfile says: its
// build, and its entry point as the Job runs it.
var _ = Describe("the image of the Kubernetes example", func() {
	It("builds to one static program that runs with nothing beside it", func() {
		text := read("kubernetes/Dockerfile")
		build := regexp.MustCompile(`(?m)^RUN CGO_ENABLED=0 (go build .*-o )/conform (\./\S+)$`).FindStringSubmatch(text)
		Expect(build).NotTo(BeNil(), "the line that builds")
		Expect(text).To(ContainSubstring("\nENTRYPOINT [\"/conform\"]\n"))
		Expect(text).To(ContainSubstring("COPY --from=build /conform /conform"))

		dir := GinkgoT().TempDir()
		program := filepath.Join(dir, "conform")
		args := append(strings.Fields(build[1])[1:], program, build[2])
		cmd := exec.Command("go", args...)
		cmd.Dir, cmd.Env = root, append(os.Environ(), "CGO_ENABLED=0")
		out, err := cmd.CombinedOutput()
		Expect(err).NotTo(HaveOccurred(), string(out))

		binary, err := elf.Open(program)
		Expect(err).NotTo(HaveOccurred())
		defer binary.Close()
		for _, p := range binary.Progs {
			Expect(p.Type).NotTo(Equal(elf.PT_INTERP), "a static program needs no loader")
		}

		set, err := fixture.Find("demo")
		Expect(err).NotTo(HaveOccurred())
		server := httptest.NewServer(fixture.Handler(set))
		DeferCleanup(server.Close)
		job := exec.Command("/conform", "run", "--url="+server.URL, "--host=codex", "--shard=auto", "--fail-on=never", "--format=json")
		job.Dir, job.Env = "/", []string{"JOB_COMPLETION_INDEX=0", "JOB_COMPLETIONS=4"}
		job.SysProcAttr = &syscall.SysProcAttr{Chroot: dir, Credential: &syscall.Credential{Uid: 65532, Gid: 65532}}
		if os.Geteuid() != 0 {
			job.SysProcAttr, job.Path, job.Dir = nil, program, dir
		}
		Expect(os.Chmod(dir, 0o555)).To(Succeed(), "the root file system is read-only")
		report, err := job.Output()
		DeferCleanup(os.Chmod, dir, os.FileMode(0o755))
		Expect(err).NotTo(HaveOccurred())
		Expect(string(report)).To(ContainSubstring(`"format": "conform-report/1"`))
	})
})
