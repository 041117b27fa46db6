package adapters

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// goClients are clients in Go: a driver is built against an exact version of the
// module.
var goClients = []Adapter{
	{
		ID: "go-sdk", Versions: []string{"1.8.0"},
		Source:  Source{Go: "github.com/modelcontextprotocol/go-sdk@v{version}", Driver: "go_sdk.go.txt"},
		Modes:   []Mode{{Name: "default"}},
		Prepare: prepareGo,
	},
	{
		ID: "mcp-go", Versions: []string{"1.2.1"},
		Source:  Source{Go: "github.com/mark3labs/mcp-go@v{version}", Driver: "mcp_go.go.txt"},
		Modes:   []Mode{{Name: "default"}},
		Prepare: prepareGo,
	},
}

func prepareGo(s *Setup) (Command, error) {
	return Command{Args: []string{filepath.Join(s.Install, "driver")}, Env: []string{"LAB_RUN=" + s.Run}}, nil
}

// golang builds a driver in a module of its own. The module cache is the lab's.
func golang(ctx context.Context, cache, dir, module, driver string, progress func(string)) error {
	sources := []string{driver, "go_drive.go.txt"}
	sum, err := digest(sources)
	if err != nil {
		return err
	}
	return install(ctx, dir, []string{module}, progress, func() (*exec.Cmd, error) {
		for _, name := range sources {
			data, err := drivers.ReadFile("drivers/" + name)
			if err != nil {
				return nil, err
			}
			if err := os.WriteFile(filepath.Join(dir, strings.TrimSuffix(name, ".txt")), data, 0o644); err != nil {
				return nil, err
			}
		}
		if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module driver\n\ngo 1.25\n"), 0o644); err != nil {
			return nil, err
		}
		path, err := exec.LookPath("go")
		if err != nil {
			return nil, fmt.Errorf("go is not installed: %w; install Go, or skip this host", err)
		}
		env := cleanEnv(cache, "GOMODCACHE="+filepath.Join(cache, "go-mod"), "GOCACHE="+filepath.Join(cache, "go-build"), "GOFLAGS=-mod=mod", "GOTOOLCHAIN=local", "CGO_ENABLED=0")
		get := exec.CommandContext(ctx, path, "get", module)
		get.Dir, get.Env = dir, env
		if out, err := get.CombinedOutput(); err != nil {
			return nil, fmt.Errorf("getting %s: %w: %s", module, err, tail(string(out), 800))
		}
		cmd := exec.CommandContext(ctx, path, "build", "-o", "driver", ".")
		cmd.Env = env
		return cmd, nil
	}, sum)
}

// digest tells drivers apart: one that changed is built anew.
func digest(names []string) (string, error) {
	h := sha256.New()
	for _, name := range names {
		data, err := drivers.ReadFile("drivers/" + name)
		if err != nil {
			return "", err
		}
		h.Write(data)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
