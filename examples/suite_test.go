// Package examples_test runs what the examples, the action and the workflows run.
package examples_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

func TestExamples(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "examples")
}

const root = ".."

// conform is the program, built once; everything the scripts run is this one.
var conform string

var _ = BeforeSuite(func() {
	conform = filepath.Join(GinkgoT().TempDir(), "conform")
	out, err := exec.Command("go", "build", "-o", conform, filepath.Join(root, "cmd", "conform")).CombinedOutput()
	Expect(err).NotTo(HaveOccurred(), string(out))
})

// result is what a script did.
type result struct {
	code           int
	stdout, stderr string
}

// run runs a program in a folder with exactly these variables besides PATH and HOME.
func run(dir string, env map[string]string, name string, args ...string) result {
	GinkgoHelper()
	if strings.HasPrefix(name, "scripts/") || strings.HasPrefix(name, ".ci/") {
		absolute, err := filepath.Abs(filepath.Join(root, name))
		Expect(err).NotTo(HaveOccurred())
		name = absolute
	}
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + filepath.Dir(conform) + ":" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOCACHE=" + os.Getenv("GOCACHE"), "GOFLAGS=" + os.Getenv("GOFLAGS"), "CONFORM_BIN=" + conform}
	if os.Getenv("GOCACHE") == "" {
		cmd.Env = append(cmd.Env[:2:2], "CONFORM_BIN="+conform)
	}
	for k, v := range env {
		cmd.Env = append(cmd.Env, k+"="+v)
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		Expect(err).NotTo(HaveOccurred())
	}
	return result{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

func read(name string) string {
	GinkgoHelper()
	text, err := os.ReadFile(name)
	Expect(err).NotTo(HaveOccurred())
	return string(text)
}
