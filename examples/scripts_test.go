package examples_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
)

// lines is one argument a line, as the action takes a command.
func lines(args ...string) string { return strings.Join(args, "\n") }

var _ = Describe("the scripts of the action", func() {
	var dir, outputs, summary string

	BeforeEach(func() {
		dir = GinkgoT().TempDir()
		outputs, summary = filepath.Join(dir, "outputs"), filepath.Join(dir, "summary.md")
	})

	env := func(more map[string]string) map[string]string {
		out := map[string]string{"GITHUB_OUTPUT": outputs, "GITHUB_STEP_SUMMARY": summary, "CONFORM_HOSTS": "cursor, codex",
			"CONFORM_COMMAND": lines(conform, "fixture", "--set", "demo"), "CONFORM_DIR": "."}
		for k, v := range more {
			out[k] = v
		}
		return out
	}

	It("run the server, write every report and note the exit code", func() {
		r := run(dir, env(nil), "scripts/ci-run.sh")
		Expect(r.code).To(BeZero(), r.stderr)
		Expect(r.stdout).To(ContainSubstring("hauler_status"))
		Expect(read(outputs)).To(SatisfyAll(ContainSubstring("exit-code=1\n"), ContainSubstring("reported=true\n"), ContainSubstring("directory="+filepath.Join(dir, "conform-report"))))
		Expect(read(summary)).To(ContainSubstring("hauler_status"))
		for _, name := range []string{"report.json", "report.html", "report.md", "report.sarif", "report.xml"} {
			Expect(read(filepath.Join(dir, "conform-report", name))).NotTo(BeEmpty(), name)
		}
		var report struct{ Hosts []struct{ ID string } }
		Expect(json.Unmarshal([]byte(read(filepath.Join(dir, "conform-report/report.json"))), &report)).To(Succeed())
		Expect(report.Hosts).To(HaveLen(2))
	})

	It("take a value as a value, whatever is in it", func() {
		seen := filepath.Join(dir, "seen")
		stub := filepath.Join(dir, "stub")
		Expect(os.WriteFile(stub, []byte("#!/usr/bin/env bash\nprintf '%s\\0' \"$@\" >"+seen+"\n"), 0o755)).To(Succeed())
		evil := []string{`$(touch pwned)`, "`touch pwned`", `"; touch pwned; "`, `' || touch pwned '`, `--help`, `*`, `$HOME`, `a\nb`}
		for name, flag := range map[string]string{"CONFORM_URL": "--url=", "CONFORM_SAMPLES": "--samples=", "CONFORM_HEADERS": "--header=", "CONFORM_REPLAY": "--replay=", "CONFORM_COMMAND": ""} {
			for _, text := range evil {
				r := run(dir, env(map[string]string{name: text, "CONFORM_BIN": stub}), "scripts/ci-run.sh")
				Expect(r.code).To(BeZero(), r.stderr)
				Expect(filepath.Join(dir, "pwned")).NotTo(BeAnExistingFile(), "%s=%s", name, text)
				Expect(strings.Split(read(seen), "\x00")).To(ContainElement(flag+text), "one argument, as it was")
			}
		}
		r := run(dir, env(map[string]string{"CONFORM_COMMAND": lines("node", "my server.js", "", "--port", "1"), "CONFORM_BIN": stub}), "scripts/ci-run.sh")
		Expect(r.code).To(BeZero())
		Expect(read(seen)).To(HaveSuffix("--\x00node\x00my server.js\x00--port\x001\x00"))
	})

	It("note that nothing was reported when the server could not be reached", func() {
		r := run(dir, env(map[string]string{"CONFORM_COMMAND": "./no-such-server"}), "scripts/ci-run.sh")
		Expect(r.code).To(BeZero(), "the verdict comes last, after what could be published")
		Expect(read(outputs)).To(SatisfyAll(ContainSubstring("exit-code=4\n"), ContainSubstring("reported=false\n")))
		Expect(r.stderr).To(ContainSubstring("no-such-server"))
	})

	DescribeTable("end as conform did", func(code string, want int, says string) {
		r := run(dir, map[string]string{"CONFORM_EXIT_CODE": code}, "scripts/ci-verdict.sh")
		Expect(r.code).To(Equal(want))
		Expect(r.stdout + r.stderr).To(ContainSubstring(says))
	},
		Entry(nil, "0", 0, "nothing"), Entry(nil, "1", 1, "tools that break"), Entry(nil, "6", 6, "baseline prune"),
		Entry(nil, "4", 4, "could not do its work"), Entry("never ran", "", 2, "did not run"), Entry("hostile", "0; exit 0", 2, "did not run"))

	It("take a binary, or say what is wrong with it", func() {
		r := run(dir, map[string]string{"CONFORM_BINARY": conform, "GITHUB_OUTPUT": outputs}, "scripts/ci-install.sh")
		Expect(r.code).To(BeZero(), r.stderr)
		Expect(strings.TrimSpace(r.stdout)).To(Equal(conform))
		Expect(read(outputs)).To(Equal("binary=" + conform + "\n"))
		r = run(dir, map[string]string{"CONFORM_BINARY": "nowhere/conform"}, "scripts/ci-install.sh")
		Expect(r.code).To(Equal(2))
		Expect(r.stderr).To(ContainSubstring("nowhere/conform"))
	})

	It("build the binary where none is given", func() {
		r := run(dir, map[string]string{"RUNNER_TEMP": dir, "GITHUB_OUTPUT": outputs}, "scripts/ci-install.sh")
		Expect(r.code).To(BeZero(), r.stderr)
		Expect(filepath.Join(dir, "conform")).To(BeAnExistingFile())
	})

	It("put shards together to the report of the whole run", func() {
		whole := run(dir, env(map[string]string{"CONFORM_OUT": "whole"}), "scripts/ci-run.sh")
		Expect(whole.code).To(BeZero())
		for _, part := range []string{"1/2", "2/2"} {
			r := run(dir, env(map[string]string{"CONFORM_SHARD": part, "CONFORM_OUT": "shards/" + part[:1], "CONFORM_FAIL_ON": "never"}), "scripts/ci-run.sh")
			Expect(r.code).To(BeZero(), r.stderr)
		}
		merged := run(dir, map[string]string{"CONFORM_SHARDS": "shards", "CONFORM_OUT": "merged", "GITHUB_STEP_SUMMARY": summary}, "scripts/ci-merge.sh")
		Expect(merged.code).To(Equal(1), merged.stderr)
		Expect(withoutTime(read(filepath.Join(dir, "merged/report.json")))).To(Equal(withoutTime(read(filepath.Join(dir, "whole/report.json")))))
		none := run(dir, map[string]string{"CONFORM_SHARDS": GinkgoT().TempDir()}, "scripts/ci-merge.sh")
		Expect(none.code).To(Equal(2))
	})

	It("run a square of the nightly matrix", func() {
		r := run(dir, map[string]string{"CONFORM_ERA": "2025-06-18", "CONFORM_HOST_SET": "ide", "CONFORM_OUT": dir}, "scripts/nightly-fixture.sh")
		Expect(r.code).To(BeZero(), r.stdout+r.stderr)
		Expect(r.stdout).To(MatchRegexp(`ide over 2025-06-18: [1-9]\d* cells`))
		r = run(dir, map[string]string{"CONFORM_STALE_AFTER": "1d", "GITHUB_STEP_SUMMARY": summary}, "scripts/nightly-stale.sh")
		Expect(r.code).To(BeZero(), r.stderr)
		Expect(read(summary)).To(ContainSubstring("Hosts not observed for 1d"))
	})
})

// withoutTime drops the line that differs between two runs.
func withoutTime(report string) string {
	var out []string
	for _, l := range strings.Split(report, "\n") {
		if !strings.HasPrefix(l, `"conform":`) {
			out = append(out, l)
		}
	}
	return strings.Join(out, "\n")
}

var _ = Describe("the hook for pre-commit", func() {
	It("runs what conform.yaml says", func() {
		text := read(filepath.Join(root, ".pre-commit-hooks.yaml"))
		Expect(text).To(ContainSubstring("entry: conform run --quiet\n"))
		dir := GinkgoT().TempDir()
		Expect(run(dir, nil, conform, "init", "--", conform, "fixture", "--set", "good").code).To(BeZero())
		r := run(dir, nil, conform, "run", "--quiet")
		Expect(r.code).To(BeZero(), r.stdout+r.stderr)
		Expect(os.Remove(filepath.Join(dir, "conform.yaml"))).To(Succeed())
		Expect(run(dir, nil, conform, "run", "--quiet").code).To(Equal(2))
	})
})
