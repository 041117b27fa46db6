package adapters

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Installed is where a version lies.
type Installed struct {
	Dir  string
	Node string // path of node, "" without
	// Program is a program that the user gave, "" without; then there is no Dir.
	Program string
}

// Install installs a version below cache, unless it is there. Nothing of the
// user's is used: npm and pip get an empty configuration and their own cache.
// progress gets one line per step.
func (a Adapter) Install(ctx context.Context, cache, version string, progress func(string)) (Installed, error) {
	var in Installed
	if a.Source.Program != "" {
		return a.Given("")
	}
	if a.Source.Node != "" {
		dir := filepath.Join(cache, "npm", "node-"+a.Source.Node)
		if err := npm(ctx, cache, dir, "", []string{"node@" + a.Source.Node}, false, progress); err != nil {
			return in, err
		}
		in.Node = filepath.Join(dir, "node_modules", "node", "bin", "node")
	}
	if len(a.Source.Npm) > 0 {
		in.Dir = filepath.Join(cache, "npm", a.ID+"-"+version)
		return in, npm(ctx, cache, in.Dir, in.Node, versions(a.Source.Npm, version), a.Source.Bare, progress)
	}
	if a.Source.Go != "" {
		in.Dir = filepath.Join(cache, "go", a.ID+"-"+version)
		return in, golang(ctx, cache, in.Dir, versions([]string{a.Source.Go}, version)[0], a.Source.Driver, progress)
	}
	in.Dir = filepath.Join(cache, "pip", a.ID+"-"+version)
	return in, pip(ctx, cache, in.Dir, versions(a.Source.Pip, version), progress)
}

// Ready says whether Install would find everything in place.
func (a Adapter) Ready(cache, version string) bool {
	if a.Source.Program != "" {
		return false
	}
	kind := "npm"
	switch {
	case a.Source.Go != "":
		kind = "go"
	case len(a.Source.Pip) > 0:
		kind = "pip"
	}
	_, err := os.Stat(filepath.Join(cache, kind, a.ID+"-"+version, done))
	return err == nil
}

func versions(packages []string, version string) []string {
	out := make([]string, len(packages))
	for i, p := range packages {
		out[i] = strings.ReplaceAll(p, "{version}", version)
	}
	return out
}

// done marks a finished installation.
const done = ".installed"

// npm installs packages. It runs under the Node that the host wants: under an older
// one npm silently takes older versions whose "engines" fit (seen with npm 10).
func npm(ctx context.Context, cache, dir, node string, packages []string, bare bool, progress func(string)) error {
	args := []string{"install", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error", "--save-exact"}
	if bare {
		args = append(args, "--ignore-scripts")
	}
	return install(ctx, dir, packages, progress, func() (*exec.Cmd, error) {
		if err := os.WriteFile(filepath.Join(dir, "package.json"), []byte("{\"private\":true}\n"), 0o644); err != nil {
			return nil, err
		}
		path, err := exec.LookPath("npm")
		if err != nil {
			return nil, fmt.Errorf("npm is not installed: %w; install Node.js, or skip this host", err)
		}
		cmd := exec.CommandContext(ctx, path, append(args, packages...)...)
		cmd.Env = cleanEnv(cache, "npm_config_cache="+filepath.Join(cache, "npm-cache"))
		if node != "" {
			cmd.Env = append(cmd.Env, "PATH="+filepath.Dir(node)+":"+os.Getenv("PATH"))
		}
		return cmd, nil
	})
}

func pip(ctx context.Context, cache, dir string, packages []string, progress func(string)) error {
	return install(ctx, dir, packages, progress, func() (*exec.Cmd, error) {
		python, err := exec.LookPath("python3")
		if err != nil {
			return nil, fmt.Errorf("python3 is not installed: %w; install Python 3.10 or newer, or skip this host", err)
		}
		if out, err := exec.CommandContext(ctx, python, "-m", "venv", dir).CombinedOutput(); err != nil {
			return nil, fmt.Errorf("making a virtual environment in %s: %w: %s", dir, err, out)
		}
		cmd := exec.CommandContext(ctx, filepath.Join(dir, "bin", "python"), append([]string{"-m", "pip", "install", "--disable-pip-version-check", "--quiet"}, packages...)...)
		cmd.Env = cleanEnv(cache, "PIP_CACHE_DIR="+filepath.Join(cache, "pip-cache"))
		return cmd, nil
	})
}

// install runs a command in a fresh dir, unless a mark says that it ran for the
// same content before.
func install(ctx context.Context, dir string, packages []string, progress func(string), command func() (*exec.Cmd, error), built ...string) error {
	mark := filepath.Join(dir, done)
	content := strings.Join(slices.Concat(packages, built), "\n") + "\n"
	if had, err := os.ReadFile(mark); err == nil && string(had) == content {
		return nil
	}
	progress("installing " + strings.Join(packages, " "))
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	cmd, err := command()
	if err != nil {
		return err
	}
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("installing %s: %w: %s", strings.Join(packages, " "), err, tail(string(out), 800))
	}
	return os.WriteFile(mark, []byte(content), 0o644)
}

// passed are variables that reaching a registry may need: proxies, certificates
// and addresses, no tokens.
var passed = []string{"PATH", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy", "SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS",
	"REQUESTS_CA_BUNDLE", "npm_config_registry", "NPM_CONFIG_REGISTRY", "GOPROXY", "GOSUMDB", "GONOSUMDB", "PIP_INDEX_URL", "PIP_FIND_LINKS", "PIP_CERT"}

func cleanEnv(cache string, extra ...string) []string {
	env := []string{"HOME=" + filepath.Join(cache, "home"), "LANG=C.UTF-8"}
	for _, name := range passed {
		if v, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+v)
		}
	}
	return append(env, extra...)
}

func tail(s string, n int) string {
	if len(s) > n {
		return "…" + s[len(s)-n:]
	}
	return s
}

// Keep lists folders outside of the installation that the host needs at run time:
// a virtual environment of Python only points at the interpreter that made it.
func (a Adapter) Keep() []string {
	if len(a.Source.Pip) == 0 {
		return nil
	}
	out, err := exec.Command("python3", "-c", "import sys; print(sys.base_prefix)").Output()
	if err != nil {
		return nil
	}
	return []string{strings.TrimSpace(string(out))}
}
