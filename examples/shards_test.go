package examples_test

import (
	"bytes"
	"errors"
	"io"
	"net/http/httptest"
	"path/filepath"
	"strconv"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"go.yaml.in/yaml/v3"

	"github.com/hostmatrix/conform/fixture"
)

// manifest is what the specs look at in a Kubernetes object.
type manifest struct {
	APIVersion string `yaml:"apiVersion"`
	Kind       string `yaml:"kind"`
	Metadata   struct {
		Name string `yaml:"name"`
	} `yaml:"metadata"`
	Spec struct {
		CompletionMode        string `yaml:"completionMode"`
		Completions           int    `yaml:"completions"`
		Parallelism           int    `yaml:"parallelism"`
		ActiveDeadlineSeconds int    `yaml:"activeDeadlineSeconds"`
		Template              struct {
			Spec struct {
				RestartPolicy                string `yaml:"restartPolicy"`
				AutomountServiceAccountToken *bool  `yaml:"automountServiceAccountToken"`
				SecurityContext              struct {
					RunAsNonRoot   bool              `yaml:"runAsNonRoot"`
					SeccompProfile map[string]string `yaml:"seccompProfile"`
				} `yaml:"securityContext"`
				Containers []struct {
					Image string   `yaml:"image"`
					Args  []string `yaml:"args"`
					Env   []struct {
						Name  string `yaml:"name"`
						Value string `yaml:"value"`
					} `yaml:"env"`
					Resources struct {
						Limits map[string]string `yaml:"limits"`
					} `yaml:"resources"`
					SecurityContext struct {
						AllowPrivilegeEscalation *bool `yaml:"allowPrivilegeEscalation"`
						ReadOnlyRootFilesystem   bool  `yaml:"readOnlyRootFilesystem"`
						Capabilities             struct {
							Drop []string `yaml:"drop"`
						} `yaml:"capabilities"`
					} `yaml:"securityContext"`
					VolumeMounts []struct {
						Name      string `yaml:"name"`
						MountPath string `yaml:"mountPath"`
					} `yaml:"volumeMounts"`
				} `yaml:"containers"`
				Volumes []struct {
					Name string `yaml:"name"`
				} `yaml:"volumes"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

func jobIn(file string) manifest {
	GinkgoHelper()
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(read(file))))
	for {
		var m manifest
		err := decoder.Decode(&m)
		if errors.Is(err, io.EOF) {
			Fail(file + " holds no Job")
		}
		Expect(err).NotTo(HaveOccurred())
		Expect(m.APIVersion).NotTo(BeEmpty())
		Expect(m.Metadata.Name).NotTo(BeEmpty())
		if m.Kind == "Job" {
			Expect(m.APIVersion).To(Equal("batch/v1"))
			return m
		}
	}
}

// restricted is what the Pod Security Standard of that name asks for.
func restricted(m manifest) {
	GinkgoHelper()
	pod := m.Spec.Template.Spec
	Expect(pod.RestartPolicy).To(Equal("Never"))
	Expect(*pod.AutomountServiceAccountToken).To(BeFalse())
	Expect(pod.SecurityContext.RunAsNonRoot).To(BeTrue())
	Expect(pod.SecurityContext.SeccompProfile).To(HaveKeyWithValue("type", "RuntimeDefault"))
	Expect(m.Spec.ActiveDeadlineSeconds).To(BeNumerically(">", 0))
	for _, c := range pod.Containers {
		Expect(*c.SecurityContext.AllowPrivilegeEscalation).To(BeFalse())
		Expect(c.SecurityContext.ReadOnlyRootFilesystem).To(BeTrue())
		Expect(c.SecurityContext.Capabilities.Drop).To(Equal([]string{"ALL"}))
		Expect(c.Resources.Limits).To(HaveKey("memory"))
		for _, v := range c.VolumeMounts {
			Expect(pod.Volumes).To(ContainElement(HaveField("Name", v.Name)))
		}
	}
}

var _ = Describe("the examples that share the work", func() {
	var server *httptest.Server

	BeforeEach(func() {
		set, err := fixture.Find("demo")
		Expect(err).NotTo(HaveOccurred())
		server = httptest.NewServer(fixture.Handler(set))
		DeferCleanup(server.Close)
	})

	It("run as an Indexed Job of Kubernetes and are merged", func() {
		job, merge := jobIn("kubernetes/shards.yaml"), jobIn("kubernetes/merge.yaml")
		restricted(job)
		restricted(merge)
		Expect(job.Spec.CompletionMode).To(Equal("Indexed"))
		Expect(job.Spec.Parallelism).To(Equal(job.Spec.Completions))
		container := job.Spec.Template.Spec.Containers[0]
		Expect(container.Env).To(ContainElement(And(HaveField("Name", "JOB_COMPLETIONS"), HaveField("Value", strconv.Itoa(job.Spec.Completions)))))
		Expect(container.Env).To(ContainElement(HaveField("Name", "JOB_COMPLETION_INDEX")))

		dir := GinkgoT().TempDir()
		local := func(args []string, index string) []string {
			out := []string{}
			for _, a := range args {
				a = strings.NewReplacer("http://my-server:8080/mcp", server.URL, "/reports/", dir+"/", "$(JOB_COMPLETION_INDEX)", index).Replace(a)
				out = append(out, a)
			}
			return out
		}
		for i := range job.Spec.Completions {
			index := strconv.Itoa(i)
			args := append(local(container.Args, index), "--host=cursor,codex")
			r := run(dir, map[string]string{"JOB_COMPLETION_INDEX": index, "JOB_COMPLETIONS": strconv.Itoa(job.Spec.Completions)}, conform, args...)
			Expect(r.code).To(BeZero(), r.stderr)
		}
		r := run(dir, nil, conform, local(merge.Spec.Template.Spec.Containers[0].Args, "")...)
		Expect(r.code).To(Equal(1), r.stderr)
		Expect(r.stdout).To(ContainSubstring("hauler_status"))
		whole := run(dir, nil, conform, "run", "--url", server.URL, "--host=cursor,codex", "--format", "json")
		Expect(withoutTime(read(filepath.Join(dir, "report.json")))).To(Equal(withoutTime(whole.stdout)))
	})

	It("run in GitLab and are merged", func() {
		var pipeline map[string]any
		Expect(yaml.Unmarshal([]byte(read("gitlab-ci.yml")), &pipeline)).To(Succeed())
		dir := GinkgoT().TempDir()
		Expect(run(dir, nil, conform, "init", "--url", server.URL).code).To(BeZero())
		script := func(job string) string {
			var out []string
			for _, line := range pipeline[job].(map[string]any)["script"].([]any) {
				out = append(out, line.(string))
			}
			return strings.Join(out, "\n")
		}
		parallel := pipeline["conform"].(map[string]any)["parallel"].(int)
		for i := range parallel {
			r := run(dir, map[string]string{"CI_NODE_INDEX": strconv.Itoa(i + 1), "CI_NODE_TOTAL": strconv.Itoa(parallel)}, "bash", "-euo", "pipefail", "-c", script("conform"))
			Expect(r.code).To(BeZero(), r.stderr)
		}
		r := run(dir, nil, "bash", "-euo", "pipefail", "-c", script("conform-report"))
		Expect(r.code).To(Equal(1), r.stderr)
		for _, name := range []string{"conform.html", "conform.xml", "conform-quality.json"} {
			Expect(read(filepath.Join(dir, name))).NotTo(BeEmpty())
		}
	})
})
