package examples_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"
)

// actionStep is a step of action.yml with what decides whether it runs.
type actionStep struct {
	step            `yaml:",inline"`
	ID              string `yaml:"id"`
	If              string `yaml:"if"`
	ContinueOnError bool   `yaml:"continue-on-error"`
}

// runner does with action.yml what GitHub's runner does: fills inputs in, evaluates the
// conditions, and runs each script in a folder of its own with the files that a runner
// gives. Other actions are noted, not run.
type runner struct {
	dir     string
	in      contexts
	uses    []string // name of the action, and each of its inputs
	scripts []string
	code    int
	summary string
}

// runAction runs it for an event; what "with" does not give is the default.
func runAction(event map[string]any, with, env map[string]string) *runner {
	GinkgoHelper()
	var action struct {
		Inputs map[string]struct {
			Default string `yaml:"default"`
		} `yaml:"inputs"`
		Outputs map[string]struct {
			Value string `yaml:"value"`
		} `yaml:"outputs"`
		Runs struct {
			Steps []actionStep `yaml:"steps"`
		} `yaml:"runs"`
	}
	Expect(yaml.Unmarshal([]byte(read(filepath.Join(root, "action.yml"))), &action)).To(Succeed())
	r := &runner{dir: GinkgoT().TempDir()}
	Expect(os.WriteFile(filepath.Join(r.dir, "package.json"), []byte("{}\n"), 0o644)).To(Succeed()) // what actions/checkout leaves
	github := map[string]any{"event": event, "token": "the-token"}
	inputs, steps := map[string]any{}, map[string]any{}
	r.in = contexts{"inputs": inputs, "steps": steps, "github": github}
	for name, input := range action.Inputs {
		inputs[name] = r.in.fill(input.Default)
		if value, given := with[name]; given {
			inputs[name] = value
		}
	}
	text, err := json.Marshal(event)
	Expect(err).NotTo(HaveOccurred())
	temp := GinkgoT().TempDir()
	eventFile := filepath.Join(temp, "event.json")
	Expect(os.WriteFile(eventFile, text, 0o644)).To(Succeed())
	actionPath, err := filepath.Abs(root)
	Expect(err).NotTo(HaveOccurred())
	summary := filepath.Join(temp, "summary")
	for i, s := range action.Runs.Steps {
		if s.If != "" && !truthy(r.in.eval(s.If)) {
			continue
		}
		if s.Uses != "" {
			r.uses = append(r.uses, strings.Split(s.Uses, "@")[0])
			for name, value := range s.With {
				r.uses = append(r.uses, name+"="+r.in.fill(value))
			}
			continue
		}
		out := filepath.Join(temp, "output-"+string(rune('a'+i)))
		vars := map[string]string{"GITHUB_ACTIONS": "true", "CI": "true", "GITHUB_ACTION_PATH": actionPath, "GITHUB_OUTPUT": out, "GITHUB_STEP_SUMMARY": summary,
			"GITHUB_EVENT_PATH": eventFile, "GITHUB_WORKSPACE": r.dir, "RUNNER_TEMP": temp, "GITHUB_REPOSITORY": "acme/hauler"}
		for name, value := range env {
			vars[name] = value
		}
		for name, value := range s.Env {
			vars[name] = r.in.fill(value)
		}
		script := filepath.Join(temp, "step.sh")
		Expect(os.WriteFile(script, []byte(s.Run+"\n"), 0o644)).To(Succeed())
		result := run(r.dir, vars, "bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		r.scripts = append(r.scripts, filepath.Base(strings.Trim(s.Run, `"`)))
		if s.ID != "" {
			steps[s.ID] = map[string]any{"outputs": outputsOf(out)}
		}
		if result.code != 0 {
			r.code = result.code
			break
		}
	}
	if text, err := os.ReadFile(summary); err == nil {
		r.summary = string(text)
	}
	return r
}

// outputsOf reads a file of NAME=VALUE lines.
func outputsOf(file string) map[string]any {
	out := map[string]any{}
	text, err := os.ReadFile(file)
	if err != nil {
		return out
	}
	for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
		name, value, _ := strings.Cut(line, "=")
		out[name] = value
	}
	return out
}

func pullRequest(fork bool) map[string]any {
	return map[string]any{"pull_request": map[string]any{"number": "7", "head": map[string]any{"repo": map[string]any{"fork": fork}}}}
}

var _ = Describe("the action, step by step", func() {
	var api *comments
	var env map[string]string

	BeforeEach(func() {
		api = &comments{list: []map[string]any{}}
		server := httptest.NewServer(api)
		DeferCleanup(server.Close)
		env = map[string]string{"GITHUB_API_URL": server.URL}
	})

	with := func(set string) map[string]string {
		return map[string]string{"command": lines(conform, "fixture", "--set", set), "hosts": "cursor, codex", "binary": conform, "manifest": "package.json"}
	}

	It("uploads after a push and comments on nothing", func() {
		r := runAction(map[string]any{"ref": "refs/heads/main"}, with("demo"), env)
		Expect(r.code).To(Equal(1))
		Expect(r.scripts).To(Equal([]string{"ci-install.sh", "ci-run.sh", "ci-verdict.sh"}))
		Expect(r.uses).To(ConsistOf("github/codeql-action/upload-sarif", "sarif_file="+filepath.Join(r.dir, "conform-report/report.sarif"), "category=conform"))
		Expect(r.summary).To(ContainSubstring("hauler_status"))
		Expect(api.list).To(BeEmpty())
	})

	It("uploads and comments in a pull request", func() {
		r := runAction(pullRequest(false), with("demo"), env)
		Expect(r.code).To(Equal(1))
		Expect(r.uses).To(ContainElement("github/codeql-action/upload-sarif"))
		Expect(api.list).To(HaveLen(1))
		Expect(api.auth).To(HaveEach("Bearer the-token"))
	})

	It("uploads nothing in a pull request from a fork, fails no step over it, and writes the summary", func() {
		api.status = 403
		r := runAction(pullRequest(true), with("demo"), env)
		Expect(r.code).To(Equal(1), "what conform found, not what a token may not do")
		Expect(r.scripts).To(Equal([]string{"ci-install.sh", "ci-run.sh", "ci-comment.sh", "ci-verdict.sh"}))
		Expect(r.uses).To(BeEmpty())
		Expect(r.summary).To(ContainSubstring("hauler_status"))
	})

	It("ends with success where nothing breaks", func() {
		r := runAction(map[string]any{}, with("good"), env)
		Expect(r.code).To(BeZero())
		Expect(r.uses).To(ContainElement("github/codeql-action/upload-sarif"), "an empty list closes old alerts")
	})

	It("closes no alerts after a run that could not do its work", func() {
		broken := with("demo")
		broken["command"] = "./no-such-server"
		r := runAction(pullRequest(false), broken, env)
		Expect(r.code).To(Equal(4))
		Expect(r.uses).To(BeEmpty())
		Expect(api.list).To(BeEmpty())
		incomplete := with("demo")
		incomplete["command"] = lines("bash", "-c", `read -r line; exit 1`)
		r = runAction(pullRequest(false), incomplete, env)
		Expect(r.code).To(BeElementOf(3, 4))
		Expect(r.uses).To(BeEmpty())
	})

	It("does what its inputs say", func() {
		off := with("demo")
		off["sarif"], off["comment"], off["summary"], off["fail-on"], off["output"] = "false", "false", "false", "never", "elsewhere"
		r := runAction(pullRequest(false), off, env)
		Expect(r.code).To(BeZero())
		Expect(r.scripts).To(Equal([]string{"ci-install.sh", "ci-run.sh", "ci-verdict.sh"}))
		Expect(r.uses).To(BeEmpty())
		Expect(r.summary).To(BeEmpty())
		Expect(filepath.Join(r.dir, "elsewhere/report.html")).To(BeAnExistingFile())
	})

	It("is evaluated as GitHub evaluates", func() {
		in := contexts{"github": map[string]any{"event": map[string]any{"n": "1", "yes": true}}}
		for text, want := range map[string]bool{"github.event.no != true": true, "github.event.yes != true": false, "github.event.n == '1' && !github.event.no": true,
			"github.event.no": false, "'' || github.event.n": true, "(github.event.yes == true) && always()": true, "github.event.n == true": false} {
			Expect(truthy(in.eval(text))).To(Equal(want), text)
		}
	})
})
