//go:build linux

package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unsafe"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"golang.org/x/sys/unix"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
)

// targets are what a hostile host goes for: all of it lies outside of its room.
type targets struct {
	Home      string   // of the user who runs the lab, with a credential in it
	Cache     string   // the lab's folder, where other hosts and runs lie
	Process   int      // of the user
	Port      string   // of a server on the user's loopback interface
	Addresses []string // of the machine
	Socket    string   // of a program of the user
	Abstract  string
	Segment   uintptr // key of shared memory
}

// tried is what a hostile host tried, and what came back; "" where it had its way.
type tried map[string]string

func (t tried) note(what string, err error) {
	t[what] = ""
	if err != nil {
		t[what] = err.Error()
	}
}

// shareMemory fills segments and lets go of them: they are in no process's own memory.
func shareMemory() {
	for range 8 {
		const size = 64 << 20
		id, err := unix.SysvShmGet(unix.IPC_PRIVATE, size, unix.IPC_CREAT|0o600)
		if err != nil {
			panic(err)
		}
		block, err := unix.SysvShmAttach(id, 0, 0)
		if err != nil {
			panic(err)
		}
		for i := 0; i < size; i += 4096 {
			block[i] = 1
		}
		if err := unix.SysvShmDetach(block); err != nil {
			panic(err)
		}
	}
}

// attack is a host that tries to get out of its room, and writes down how it went.
func attack(run string) {
	var job Job
	if err := readJSON(filepath.Join(run, jobFile), &job); err != nil {
		panic(err)
	}
	var at targets
	if err := json.Unmarshal([]byte(job.Mode.Flag), &at); err != nil {
		panic(err)
	}
	t := tried{}
	t.dial(at)
	t.read(at)
	t.write(at)
	t.others(at)
	t.note("undo from namespaces of its own", undoElsewhere(at))
	if err := writeJSON(filepath.Join(run, "tried.json"), t); err != nil {
		panic(err)
	}
}

func (t tried) dial(at targets) {
	dial := func(what, network, address string) {
		c, err := net.DialTimeout(network, address, 3*time.Second)
		if err == nil {
			defer c.Close()
			_, err = c.Write([]byte("x"))
		}
		t.note(what, err)
	}
	dial("an address", "tcp", "192.0.2.1:443") // RFC 5737
	dial("an address, by datagram", "udp", "192.0.2.1:53")
	dial("an address of IPv6", "tcp", "[2001:db8::1]:443") // RFC 3849
	dial("a server on the user's loopback", "tcp", "127.0.0.1:"+at.Port)
	for _, a := range at.Addresses {
		dial("the machine's own address "+a, "tcp", net.JoinHostPort(a, at.Port))
	}
	dial("a socket of the user's", "unix", at.Socket)
	dial("a socket without a file", "unix", at.Abstract)
	for _, path := range []string{"/run/dbus/system_bus_socket", "/var/run/docker.sock", "/run/containerd/containerd.sock", "/tmp/.X11-unix/X0", "/var/lib/mysql/mysql.sock"} {
		dial("the socket "+path, "unix", path)
	}
	for what, domain := range map[string]int{"raw packets": syscall.AF_PACKET, "the hypervisor": 40 /* AF_VSOCK */, "bluetooth": 31} {
		fd, err := syscall.Socket(domain, syscall.SOCK_STREAM, 0)
		if domain == syscall.AF_PACKET {
			fd, err = syscall.Socket(domain, syscall.SOCK_RAW, 0)
		}
		if err == nil {
			syscall.Close(fd)
		}
		t.note("a socket for "+what, err)
	}
}

func (t tried) read(at targets) {
	read := func(what, path string) {
		_, err := os.ReadFile(path)
		t.note(what, err)
	}
	read("the user's credentials", filepath.Join(at.Home, ".codex", "auth.json"))
	read("what keeps passwords", "/etc/shadow")
	read("a terminal", "/dev/tty")
	read("making a terminal", "/dev/ptmx")
	read("memory of the machine", "/dev/mem")
	read("the environment of the lab's process", "/proc/1/environ")
	read("the memory of the lab's process", "/proc/1/mem")
	read("the root of the lab's process", "/proc/1/root/etc/passwd")
	read("a process of the user's", fmt.Sprintf("/proc/%d/cmdline", at.Process))
	devices, err := os.ReadDir("/dev")
	if err != nil {
		panic(err)
	}
	for _, d := range devices {
		switch d.Name() {
		case "null", "zero", "full", "random", "urandom", "fd", "stdin", "stdout", "stderr", "shm":
		default:
			t.note("the device "+d.Name(), nil)
		}
	}
	open, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		panic(err)
	}
	for _, f := range open {
		if to, err := os.Readlink("/proc/self/fd/" + f.Name()); err == nil && strings.Contains(to, at.Home) {
			t.note("an open file of the user's", nil)
		}
	}
	if os.Getenv("LAB_TEST_SECRET") != "" {
		t.note("the user's environment", nil)
	}
	_, _, errno := syscall.Syscall(syscall.SYS_SHMGET, at.Segment, 0, 0)
	t.note("shared memory of the user's", errnoError(errno))
}

func (t tried) write(at targets) {
	write := func(what, path string) { t.note(what, os.WriteFile(path, []byte("x"), 0o600)) }
	write("the machine's configuration", "/etc/conform-lab-was-here")
	write("the machine's programs", "/usr/bin/conform-lab-was-here")
	write("its own program", os.Args[0])
	write("beside its own folder", filepath.Join(at.Cache, "runs", "conform-lab-was-here"))
	write("settings of the kernel", "/proc/sys/kernel/core_pattern")
	// In a hidden folder there is an empty one that the host may fill; nothing of it stays.
	_ = os.WriteFile(filepath.Join(at.Home, "conform-lab-was-here"), nil, 0o600)
}

func (t tried) others(at targets) {
	t.note("a signal to a process of the user's", syscall.Kill(at.Process, syscall.SIGKILL))
	t.note("tracing the lab's process", syscall.PtraceAttach(1))
	t.note("another system's root", syscall.Chroot("/usr"))
	t.note("the name of the machine", syscall.Sethostname([]byte("owned")))
	_, _, errno := syscall.Syscall(syscall.SYS_KEYCTL, 0 /* KEYCTL_GET_KEYRING_ID */, ^uintptr(3) /* the user's */, 1)
	t.note("the user's keys", errnoError(errno))
}

func errnoError(errno syscall.Errno) error {
	if errno == 0 {
		return nil
	}
	return errno
}

// undoElsewhere takes what a host can take without privileges: namespaces of its own,
// in which it is root, and tries to undo the room from there.
func undoElsewhere(at targets) error {
	cmd := exec.Command(os.Args[0], "host", "undo", at.Home, "")
	const administer, makeDevices, override = 21, 27, 1 // CAP_SYS_ADMIN, CAP_MKNOD, CAP_DAC_OVERRIDE
	cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET, AmbientCaps: []uintptr{administer, makeDevices, override}}
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

// undo ends well where one of its tries does.
func undo(home string) int {
	try := map[string]error{
		"uncover the home":    syscall.Unmount(home, 0),
		"uncover the devices": syscall.Unmount("/dev", syscall.MNT_DETACH),
		"thaw the root":       syscall.Mount("", "/", "", syscall.MS_REMOUNT|syscall.MS_BIND, ""),
		"make a device":       syscall.Mknod(filepath.Join(os.TempDir(), "disk"), syscall.S_IFBLK|0o600, 8<<8),
	}
	_, try["read the credentials"] = os.ReadFile(filepath.Join(home, ".codex", "auth.json"))
	try["write"] = os.WriteFile("/etc/conform-lab-was-here", nil, 0o600)
	for what, err := range try {
		if err == nil {
			fmt.Println("could", what)
			return 0
		}
		fmt.Println(what+":", err)
	}
	return 1
}

var _ = Describe("A hostile host", Ordered, func() {
	var got tried
	var at targets
	var user *exec.Cmd
	BeforeAll(func() {
		if err := isolate.Available(); err != nil {
			Skip(err.Error())
		}
		GinkgoT().Setenv("LAB_TEST_SECRET", "x")
		at.Home = GinkgoT().TempDir()
		GinkgoT().Setenv("HOME", at.Home)
		at.Cache = GinkgoT().TempDir()
		secret := filepath.Join(at.Home, ".codex", "auth.json")
		Expect(os.MkdirAll(filepath.Dir(secret), 0o755)).To(Succeed())
		Expect(os.WriteFile(secret, []byte("{}"), 0o600)).To(Succeed())

		user = exec.Command("sleep", "600")
		Expect(user.Start()).To(Succeed())
		DeferCleanup(func() { _ = user.Process.Kill(); _ = user.Wait() })
		at.Process = user.Process.Pid
		serve, err := net.Listen("tcp", ":0")
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(serve.Close)
		_, at.Port, err = net.SplitHostPort(serve.Addr().String())
		Expect(err).NotTo(HaveOccurred())
		addresses, err := net.InterfaceAddrs()
		Expect(err).NotTo(HaveOccurred())
		for _, a := range addresses {
			if ip, ok := a.(*net.IPNet); ok && !ip.IP.IsLoopback() && !ip.IP.IsLinkLocalUnicast() {
				at.Addresses = append(at.Addresses, ip.IP.String())
			}
		}
		at.Socket, at.Abstract = filepath.Join(at.Home, "s"), fmt.Sprintf("@conform-lab-test-%d", os.Getpid())
		for _, name := range []string{at.Socket, at.Abstract} {
			l, err := net.Listen("unix", name)
			Expect(err).NotTo(HaveOccurred())
			DeferCleanup(l.Close)
		}
		at.Segment = uintptr(os.Getpid())
		const create, remove = 0o1600, 0 // IPC_CREAT, IPC_RMID
		segment, _, errno := syscall.Syscall(syscall.SYS_SHMGET, at.Segment, 4096, create)
		Expect(errno).To(BeZero())
		DeferCleanup(func() { _, _, _ = syscall.Syscall(syscall.SYS_SHMCTL, segment, remove, uintptr(unsafe.Pointer(nil))) })
		// Whoever starts the lab may leave a file open to it.
		fd, err := syscall.Open(secret, syscall.O_RDONLY, 0)
		Expect(err).NotTo(HaveOccurred())
		DeferCleanup(syscall.Close, fd)

		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		flag, err := json.Marshal(at)
		Expect(err).NotTo(HaveOccurred())
		l := Lab{Cache: at.Cache, Self: self, Inner: []string{"lab", "inner"}, Limit: time.Minute, Memory: DefaultMemory, Servers: []string{"fp_items_array"}, Progress: func(string) {}}
		batches, err := l.observe(context.Background(), adapters.Adapter{ID: "fake"}, adapters.Installed{}, "1", adapters.Mode{Name: "attacks", Model: "fake-model", Flag: string(flag)})
		Expect(err).NotTo(HaveOccurred())
		Expect(readJSON(filepath.Join(batches[0].Dir, "tried.json"), &got)).To(Succeed())
	})

	DescribeTable("is refused", func(what, because string) {
		Expect(got).To(HaveKeyWithValue(what, ContainSubstring(because)))
	},
		Entry(nil, "an address", "network is unreachable"),
		Entry(nil, "an address, by datagram", "network is unreachable"),
		Entry(nil, "an address of IPv6", "unreachable"),
		Entry(nil, "a server on the user's loopback", "connection refused"),
		Entry(nil, "a socket of the user's", "no such file"),
		Entry(nil, "a socket without a file", "connection refused"),
		Entry(nil, "the socket /run/dbus/system_bus_socket", "no such file"),
		Entry(nil, "the socket /var/run/docker.sock", "no such file"),
		Entry(nil, "the socket /var/lib/mysql/mysql.sock", "no such file"),
		Entry(nil, "a socket for raw packets", "not permitted"),
		Entry(nil, "a socket for the hypervisor", "not permitted"),
		Entry(nil, "the user's credentials", "no such file"),
		Entry(nil, "what keeps passwords", "no such file"),
		Entry(nil, "a terminal", "no such file"),
		Entry(nil, "making a terminal", "no such file"),
		Entry(nil, "memory of the machine", "no such file"),
		Entry(nil, "the environment of the lab's process", "permission denied"),
		Entry(nil, "the memory of the lab's process", "permission denied"),
		Entry(nil, "the root of the lab's process", "permission denied"),
		Entry(nil, "a process of the user's", "no such file"),
		Entry(nil, "shared memory of the user's", "no such file"),
		Entry(nil, "the machine's configuration", "read-only file system"),
		Entry(nil, "the machine's programs", "read-only file system"),
		Entry(nil, "settings of the kernel", "read-only file system"),
		Entry(nil, "a signal to a process of the user's", "no such process"),
		Entry(nil, "tracing the lab's process", "not permitted"),
		Entry(nil, "another system's root", "not permitted"),
		Entry(nil, "the name of the machine", "not permitted"),
		Entry(nil, "the user's keys", "not permitted"),
		Entry(nil, "undo from namespaces of its own", "thaw the root: operation not permitted"),
	)

	It("gets nothing at all, and leaves nothing behind", func() {
		for what, because := range got {
			if what != "beside its own folder" { // a folder of the room's own, gone with it
				Expect(because).NotTo(BeEmpty(), what)
			}
		}
		for _, path := range []string{"/etc/conform-lab-was-here", "/usr/bin/conform-lab-was-here", filepath.Join(at.Home, "conform-lab-was-here"), filepath.Join(at.Cache, "runs", "conform-lab-was-here")} {
			Expect(path).NotTo(BeAnExistingFile())
		}
		Expect(errors.Is(user.Process.Signal(syscall.Signal(0)), os.ErrProcessDone)).To(BeFalse(), "the user's process lives")
	})

	It("is ended when it keeps memory in segments that nobody is attached to", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		l := Lab{Cache: at.Cache, Self: self, Inner: []string{"lab", "inner"}, Limit: time.Minute, Memory: 256 << 20, Servers: []string{"fp_items_array"}, Progress: func(string) {}}
		batches, err := l.observe(context.Background(), adapters.Adapter{ID: "fake"}, adapters.Installed{}, "1", adapters.Mode{Name: "shares-memory", Model: "fake-model"})
		Expect(err).NotTo(HaveOccurred())
		Expect(batches[0].Outcome.Ended).To(Equal("memory"))
	})

	It("is ended with all that it forked", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		l := Lab{Cache: at.Cache, Self: self, Inner: []string{"lab", "inner"}, Limit: time.Minute, Memory: DefaultMemory, Tasks: 300, Servers: []string{"fp_items_array"}, Progress: func(string) {}}
		batches, err := l.observe(context.Background(), adapters.Adapter{ID: "fake"}, adapters.Installed{}, "1", adapters.Mode{Name: "forks", Model: "fake-model"})
		Expect(err).NotTo(HaveOccurred())
		Expect(batches[0].Outcome.Ended).To(Equal("tasks"))
	})

	It("ends nobody but itself with a signal to everyone", func() {
		self, err := os.Executable()
		Expect(err).NotTo(HaveOccurred())
		l := Lab{Cache: at.Cache, Self: self, Inner: []string{"lab", "inner"}, Limit: time.Minute, Memory: DefaultMemory, Servers: []string{"fp_items_array"}, Progress: func(string) {}}
		_, err = l.observe(context.Background(), adapters.Adapter{ID: "fake"}, adapters.Installed{}, "1", adapters.Mode{Name: "kills-everyone", Model: "fake-model"})
		Expect(err).NotTo(HaveOccurred())
		Expect(user.Process.Signal(syscall.Signal(0))).To(Succeed())
	})
})
