//go:build linux

package isolate_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/lab/isolate"
)

// grasp is the first process of a room: it hides the folders, keeps run open, and runs
// the program "reach" there, confined.
func grasp(run, socket string, hide ...string) int {
	if err := isolate.Enter(isolate.Room{Hide: hide, Keep: []string{run, os.Args[0]}, Open: []string{run}}); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	_, err := isolate.Command(context.Background(), isolate.Program{Args: []string{os.Args[0], "reach", run, socket}, Dir: run, Stdout: os.Stdout, Stderr: os.Stderr,
		Limit: time.Minute, Confined: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// reached is what a program in the room got hold of; "" where it did, else why not.
type reached struct {
	Run, Etc, Mount, Remount, Socket, Self, Device, Capabilities, Sysctl, Room string
	Foreign                                                                    []string // processes that are not ours
}

// reach tries what a program could do harm with.
func reach(run, socket string) int {
	said := func(err error) string {
		if err != nil {
			return err.Error()
		}
		return ""
	}
	write := func(path string) string { return said(os.WriteFile(path, []byte("x"), 0o600)) }
	r := reached{
		Run:     write(filepath.Join(run, "mine")),
		Etc:     write("/etc/conform-lab-was-here"),
		Self:    write(os.Args[0]),
		Mount:   said(syscall.Mount("tmpfs", run, "tmpfs", 0, "")),
		Remount: said(syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, "")),
		Device:  said(syscall.Mknod(filepath.Join(run, "disk"), syscall.S_IFBLK|0o600, 8<<8)),
		Sysctl:  write("/proc/sys/kernel/hostname"),
		Room:    said(isolate.Available()),
	}
	c, err := net.Dial("unix", socket)
	if r.Socket = said(err); err == nil {
		c.Close()
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 1
	}
	for _, line := range strings.Split(string(status), "\n") {
		name, value, _ := strings.Cut(line, ":\t")
		if strings.HasPrefix(name, "Cap") && strings.Trim(value, "0") != "" || name == "NoNewPrivs" && value != "1" {
			r.Capabilities += line + ";"
		}
	}
	processes, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, p := range processes {
		if data, err := os.ReadFile(p); err == nil && !bytes.Contains(data, []byte(filepath.Base(os.Args[0]))) {
			r.Foreign = append(r.Foreign, string(data))
		}
	}
	if err := json.NewEncoder(os.Stdout).Encode(r); err != nil {
		return 1
	}
	return 0
}

var _ = Describe("A confined program", func() {
	It("writes below its own folder only, and can't mount, make devices, call sockets outside or see processes", func() {
		if err := isolate.Available(); err != nil {
			Skip(err.Error())
		}
		hidden, run := GinkgoT().TempDir(), GinkgoT().TempDir()
		socket := filepath.Join(hidden, "socket")
		listener, err := net.Listen("unix", socket)
		Expect(err).NotTo(HaveOccurred())
		defer listener.Close()
		var stdout, stderr bytes.Buffer
		code, err := isolate.Run(context.Background(), isolate.Spec{Path: self(), Args: []string{self(), "grasp", run, socket, hidden}, Dir: "/", Stdout: &stdout, Stderr: &stderr, Limit: time.Minute})
		Expect(err).NotTo(HaveOccurred())
		Expect(code).To(BeZero(), stderr.String())
		var r reached
		Expect(json.Unmarshal(stdout.Bytes(), &r)).To(Succeed(), stderr.String())
		Expect(r.Run).To(BeEmpty(), "its own folder is writable")
		Expect(r.Etc).To(ContainSubstring("read-only file system"))
		Expect(r.Self).To(Or(ContainSubstring("read-only file system"), ContainSubstring("text file busy")))
		Expect(r.Sysctl).To(ContainSubstring("read-only file system"))
		Expect(r.Mount).To(ContainSubstring("operation not permitted"))
		Expect(r.Remount).To(ContainSubstring("operation not permitted"))
		Expect(r.Device).To(ContainSubstring("operation not permitted"))
		Expect(r.Socket).To(ContainSubstring("no such file"))
		Expect(r.Capabilities).To(BeEmpty())
		Expect(r.Room).To(And(ContainSubstring("operation not permitted"), ContainSubstring("--no-isolation")), "nor a room of its own")
		Expect(r.Foreign).To(BeEmpty())
		Expect("/etc/conform-lab-was-here").NotTo(BeAnExistingFile())
	})
})
