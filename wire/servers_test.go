package wire_test

import (
	"fmt"
	"os"
)

// serveStdio acts as the named server and returns the exit status.
func serveStdio(name string) int {
	if name == "go-sdk" {
		return serveSDK()
	}
	fmt.Fprintln(os.Stderr, "no such server:", name)
	return 64
}
