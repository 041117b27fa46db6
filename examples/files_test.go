package examples_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"
)

// pipelines are the files that a CI system of GitHub reads.
func pipelines() []string {
	GinkgoHelper()
	out := []string{filepath.Join(root, "action.yml")}
	for _, pattern := range []string{".github/workflows/*.yml", "examples/github-*.yml"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		Expect(err).NotTo(HaveOccurred())
		Expect(found).NotTo(BeEmpty())
		out = append(out, found...)
	}
	return out
}

// step is a step of a job or of a composite action.
type step struct {
	Run   string            `yaml:"run"`
	Uses  string            `yaml:"uses"`
	Shell string            `yaml:"shell"`
	Env   map[string]string `yaml:"env"`
	With  map[string]string `yaml:"with"`
}

func stepsOf(file string) []step {
	GinkgoHelper()
	var doc struct {
		Permissions any `yaml:"permissions"`
		Jobs        map[string]struct {
			Steps          []step `yaml:"steps"`
			TimeoutMinutes int    `yaml:"timeout-minutes"`
		} `yaml:"jobs"`
		Runs struct {
			Using string `yaml:"using"`
			Steps []step `yaml:"steps"`
		} `yaml:"runs"`
	}
	Expect(yaml.Unmarshal([]byte(read(file)), &doc)).To(Succeed(), file)
	steps := doc.Runs.Steps
	for _, j := range doc.Jobs {
		steps = append(steps, j.Steps...)
	}
	if len(doc.Jobs) > 0 {
		Expect(doc.Permissions).To(Equal(map[string]any{"contents": "read"}), "%s: a workflow begins with the least it needs", file)
	}
	return steps
}

var _ = Describe("the files of CI systems", func() {
	It("run scripts of this repository and nothing else", func() {
		for _, file := range pipelines() {
			text := read(file)
			Expect(text).NotTo(ContainSubstring("pull_request_target"), file)
			steps := stepsOf(file)
			Expect(steps).NotTo(BeEmpty(), file)
			for _, s := range steps {
				if s.Run == "" {
					Expect(s.Uses).NotTo(BeEmpty(), file)
					continue
				}
				Expect(s.Run).NotTo(ContainSubstring("${{"), "%s: a value of an input or event in a script is code", file)
				script := strings.TrimPrefix(strings.Trim(s.Run, `"`), "$GITHUB_ACTION_PATH/")
				Expect(script).To(Or(MatchRegexp(`^scripts/[a-z-]+\.sh$`), Equal(".ci/run")), "%s: run is one script", file)
				info, err := os.Stat(filepath.Join(root, script))
				Expect(err).NotTo(HaveOccurred(), file)
				Expect(info.Mode()&0o111).NotTo(BeZero(), "%s can be run", script)
			}
		}
	})

	It("are made of scripts that stop at a fault and read nothing as code", func() {
		scripts, err := filepath.Glob(filepath.Join(root, "scripts", "*.sh"))
		Expect(err).NotTo(HaveOccurred())
		Expect(scripts).NotTo(BeEmpty())
		for _, file := range append(scripts, filepath.Join(root, ".ci", "run")) {
			text := read(file)
			Expect(text).To(HavePrefix("#!/usr/bin/env bash\n"), file)
			Expect(text).To(ContainSubstring("\nset -euo pipefail\n"), file)
			Expect(regexp.MustCompile(`(?m)^[^#\n]*\b(eval|source)\s`).FindString(text)).To(BeEmpty(), file)
			Expect(regexp.MustCompile(`(?m)^[^#\n]*\b(ba)?sh -c\b`).FindString(text)).To(BeEmpty(), file)
			out, err := exec.Command("bash", "-n", file).CombinedOutput()
			Expect(err).NotTo(HaveOccurred(), string(out))
		}
	})

	It("name what they use by commit, with the version beside it", func() {
		uses := regexp.MustCompile(`(?m)^\s*(?:- )?uses: (.+)$`)
		// conform init writes the last one.
		for _, file := range append(pipelines(), filepath.Join(root, "cmd/conform/workflow.yml")) {
			for _, m := range uses.FindAllStringSubmatch(read(file), -1) {
				// This project's own action has no release yet; its own workflows take the folder.
				if m[1] == "./" || m[1] == "hostmatrix/conform@main" {
					continue
				}
				Expect(m[1]).To(MatchRegexp(`^[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`), file)
			}
		}
	})

	It("hand every input of the action on, through a variable", func() {
		file := filepath.Join(root, "action.yml")
		var action struct {
			Inputs map[string]struct {
				Description string `yaml:"description"`
			} `yaml:"inputs"`
			Outputs map[string]struct {
				Value string `yaml:"value"`
			} `yaml:"outputs"`
		}
		Expect(yaml.Unmarshal([]byte(read(file)), &action)).To(Succeed())
		used := map[string]bool{}
		for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(read(file), -1) {
			Expect(action.Inputs).To(HaveKey(m[1]))
			used[m[1]] = true
		}
		for name, input := range action.Inputs {
			Expect(used).To(HaveKey(name), "an input without a reader")
			Expect(input.Description).NotTo(BeEmpty(), name)
		}
		variables := read(filepath.Join(root, "scripts", "ci-run.sh"))
		for _, s := range stepsOf(file) {
			Expect(s.Run == "" || s.Shell == "bash").To(BeTrue())
			if strings.Contains(s.Run, "ci-run.sh") {
				for name := range s.Env {
					Expect(variables).To(ContainSubstring("${"+name+":-"), "ci-run.sh reads %s", name)
				}
			}
		}
		Expect(action.Outputs).To(HaveKey("exit-code"))
	})

	It("give the action only inputs that it has", func() {
		var action struct {
			Inputs map[string]any `yaml:"inputs"`
		}
		Expect(yaml.Unmarshal([]byte(read(filepath.Join(root, "action.yml"))), &action)).To(Succeed())
		users := 0
		for _, file := range pipelines() {
			for _, s := range stepsOf(file) {
				if s.Uses != "./" && !strings.HasPrefix(s.Uses, "hostmatrix/conform@") {
					continue
				}
				users++
				for name := range s.With {
					Expect(action.Inputs).To(HaveKey(name), file)
				}
			}
		}
		Expect(users).To(BeNumerically(">=", 3))
	})

	It("cover every revision and kind of host at night", func() {
		text := read(filepath.Join(root, ".github/workflows/nightly.yml"))
		for _, part := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25", "2026-07-28", "schedule:", "nightly-oracle.sh", "lab-nightly.sh", "lab-issue.sh", "nightly-stale.sh", "integration.sh"} {
			Expect(text).To(ContainSubstring(part))
		}
	})
})
