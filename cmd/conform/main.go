// Command conform shows which tools of an MCP server break in which host, and
// why. It holds flags, streams and exit codes only; what hosts do is in the
// table, and how a server is judged in the packages below.
package main

import (
	"context"
	"io"
	"log"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
)

func main() {
	// net/http logs what a server sends unasked, in the server's words; what is worth
	// knowing of that is in the report.
	log.SetOutput(io.Discard)
	boundMemory()
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// memoryGoal is the heap at which Go begins to collect harder, in bytes. It is a goal,
// no limit: the collector takes at most half of the time for it. A run on 2,900 tools
// in all hosts stays near it: 376 MB were resident at most.
const memoryGoal = 352 << 20

// boundMemory sets the goal unless the user has set one (GOMEMLIMIT).
func boundMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(memoryGoal)
	}
}

// run is the whole program: it returns the exit code. The first interrupt ends
// what is running and lets it write what was established; the second one kills.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	return execute(ctx, args, stdin, stdout, stderr)
}
