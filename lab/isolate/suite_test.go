//go:build linux

package isolate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/hostmatrix/conform/lab/isolate"
)

// TestMain makes this test binary the programs that run inside: what a room looks
// like can only be told from there.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "look":
			os.Exit(look(os.Args[2], os.Args[3]))
		case "command":
			os.Exit(command(os.Args[2:]))
		case "eat":
			eat()
		case "hold":
			hold()
		case "fill":
			fill(os.Args[2])
		case "grasp":
			os.Exit(grasp(os.Args[2], os.Args[3], os.Args[4:]...))
		case "reach":
			os.Exit(reach(os.Args[2], os.Args[3]))
		}
	}
	os.Exit(m.Run())
}

func TestIsolate(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "isolate")
}

// view is what a program sees from inside.
type view struct {
	PID      int
	Loopback bool
	Outside  string
	Hidden   []string
	Kept     []string
	Env      []string
}

func look(hidden, kept string) int {
	if err := isolate.Enter(isolate.Room{Hide: []string{hidden}, Keep: []string{kept}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	v := view{PID: os.Getpid(), Env: os.Environ(), Hidden: names(hidden), Kept: names(kept)}
	if l, err := net.Listen("tcp", "127.0.0.1:0"); err == nil {
		c, err := net.Dial("tcp", l.Addr().String())
		v.Loopback = err == nil
		if err == nil {
			c.Close()
		}
		l.Close()
	}
	// A documentation address (RFC 5737): it must not even be routed.
	if _, err := net.DialTimeout("tcp", "192.0.2.1:80", 10*time.Second); err != nil {
		v.Outside = err.Error()
	}
	return write(v)
}

func names(dir string) []string {
	entries, _ := os.ReadDir(dir)
	out := []string{}
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// command runs a program as the lab runs a host, in a process of its own: it kills
// everything below itself. args: limit, memory in MiB, argv.
func command(args []string) int {
	limit, err := time.ParseDuration(args[0])
	if err != nil {
		return 2
	}
	var memory int64
	if _, err := fmt.Sscan(args[1], &memory); err != nil {
		return 2
	}
	var disk int64
	scratch, filling := strings.CutPrefix(args[2], "--disk=")
	if filling {
		disk, args = 16<<20, append(args[:2:2], args[3:]...)
	}
	out, err := isolate.Command(context.Background(), isolate.Program{Args: args[2:], Disk: disk, Scratch: scratch, Env: []string{"ONLY=this", "PATH=/usr/bin:/bin"}, Dir: "/",
		Limit: limit, Memory: memory << 20, Stderr: os.Stderr})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return write(out)
}

func write(v any) int {
	if err := json.NewEncoder(os.Stdout).Encode(v); err != nil {
		return 1
	}
	return 0
}

// fill writes to a folder until it is killed.
func fill(dir string) {
	block := make([]byte, 1<<20)
	for i := 0; ; i++ {
		if err := os.WriteFile(filepath.Join(dir, strconv.Itoa(i%4096)), block, 0o600); err != nil {
			time.Sleep(time.Millisecond) // the disk is full before the limit: go on trying
		}
	}
}

// hold keeps memory in a file that is nowhere, and is in no process's own memory.
func hold() {
	fd, err := unix.MemfdCreate("held", 0)
	if err != nil {
		panic(err)
	}
	block := make([]byte, 1<<20)
	for range 512 {
		if _, err := unix.Write(fd, block); err != nil {
			panic(err)
		}
	}
	select {}
}

// eat takes memory and keeps it until it is killed.
func eat() {
	block := make([]byte, 512<<20)
	for i := 0; i < len(block); i += 4096 {
		block[i] = 1
	}
	runtime.KeepAlive(block)
	select {}
}
