package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the goldens in the scripts with what the command prints")

// TestMain makes this test binary the commands that the scripts run: the real
// program, and servers that misbehave on purpose.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"conform":   main,
		"badserver": badserver,
	})
}

// TestScripts runs testdata/script/*.txtar. Each one is a session of a person with
// the command: what goes to which stream, and the exit code.
func TestScripts(t *testing.T) {
	shared := os.Getenv("CONFORM_SHARED")
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Setenv("CONFORM_SHARED", shared)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":      exits,
			"httpserver": httpserver,
		},
	})
}
