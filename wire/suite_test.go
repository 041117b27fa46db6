package wire_test

import (
	"os"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/wire"
)

// serverVariable makes the test binary act as the named stdio server.
const serverVariable = "CONFORM_WIRE_SERVER"

func TestMain(m *testing.M) {
	if name := os.Getenv(serverVariable); name != "" {
		os.Exit(serveStdio(name))
	}
	os.Exit(m.Run())
}

func TestWire(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "wire")
}

// The bomb is built before any time limit runs.
var _ = BeforeSuite(func() { bomb() })

// stdioTarget is the test binary as the named server.
func stdioTarget(name string, env ...string) wire.Target {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return wire.Target{Command: []string{self}, Env: append(env, serverVariable+"="+name)}
}

// short are time limits for servers that misbehave. An honest answer in this
// process takes a few milliseconds; a busy machine may take a thousand times that.
func short() wire.Timeouts {
	return wire.Timeouts{Start: 15 * time.Second, Request: 10 * time.Second, Probe: 300 * time.Millisecond,
		Stop: 300 * time.Millisecond, Grace: 200 * time.Millisecond}
}

// waiting are limits for specs that wait for one of them to pass.
func waiting() wire.Timeouts {
	t := short()
	t.Start, t.Request = 2*time.Second, 400*time.Millisecond
	return t
}
