package conformtest_test

import (
	"fmt"
	"strings"

	"github.com/onsi/gomega"

	"github.com/hostmatrix/conform/conformtest"
	"github.com/hostmatrix/conform/matrix/verdict"
)

// A server of the Go SDK, in the process of the test: no port, no command.
func Example() {
	server := newServer(pairsAsList)
	g := gomega.NewGomega(func(message string, _ ...int) { fmt.Println(message) })
	g.Expect(server).To(conformtest.WorkIn("cursor", "codex"))
	fmt.Println("checked")
	// Output: checked
}

// The same tool with its pairs declared as a tuple: right by the specification, and
// rejected by every host that reads it as an older draft.
func ExampleWorkIn() {
	server := newServer(pairsAsTuple)
	g := gomega.NewGomega(func(message string, _ ...int) {
		for _, line := range strings.Split(message, "\n") {
			if strings.HasPrefix(line, "Expected") || strings.HasPrefix(line, "1. ") {
				fmt.Println(line)
			}
		}
	})
	g.Expect(server).To(conformtest.WorkIn("cursor"))
	// Output:
	// Expected the server "hauler" to work in cursor.
	// 1. hauler_status breaks in 1 host at result · result-schema-mismatch
}

// A server that answers message by message, as mcp-go's HandleMessage does.
func ExampleHandler() {
	server := conformtest.Handler(answer(pairsAsList))
	works, err := conformtest.WorkIn("cursor").Match(server)
	fmt.Println(works, err)
	// Output: true <nil>
}

// The report itself, for tests that decide otherwise.
func ExampleMatcher_Report() {
	report, err := conformtest.WorkIn("cursor", "codex").FailOn(verdict.Degraded).Report(newServer(pairsAsTuple))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, cell := range report.Cells {
		fmt.Println(cell.Tool, cell.Host, cell.Verdict)
	}
	// Output:
	// hauler_status cursor breaks
	// hauler_status codex works
}
