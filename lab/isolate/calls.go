//go:build linux

package isolate

import (
	"os"
	"runtime"
	"syscall"
	"unsafe"
)

// abi is what a filter of system calls must know of an architecture.
type abi struct {
	name                                         uint32 // AUDIT_ARCH of linux/audit.h
	socket, addKey, requestKey, keyControl, ring uint32 // socket(2), add_key(2), request_key(2), keyctl(2), io_uring_setup(2)
}

// abis are the architectures whose calls are filtered. On others a room keeps out what
// namespaces keep out.
var abis = map[string]abi{
	"amd64": {name: 0xC000003E, socket: 41, addKey: 248, requestKey: 249, keyControl: 250, ring: 425},
	"arm64": {name: 0xC00000B7, socket: 198, addKey: 217, requestKey: 218, keyControl: 219, ring: 425},
}

// families are the sockets that a host may have. Others (AF_VSOCK reaches the
// hypervisor, AF_BLUETOOTH what is in the air) are in no network namespace.
var families = []uint32{syscall.AF_UNIX, syscall.AF_INET, syscall.AF_INET6, syscall.AF_NETLINK}

// instruction is struct sock_filter.
type instruction struct {
	code   uint16
	jt, jf uint8 // how many to skip where the test holds, and where not
	k      uint32
}

// Codes of linux/bpf_common.h and linux/seccomp.h.
const (
	load      = 0x20 // BPF_LD|BPF_W|BPF_ABS
	isEqual   = 0x15 // BPF_JMP|BPF_JEQ|BPF_K
	isAtLeast = 0x35 // BPF_JMP|BPF_JGE|BPF_K
	answer    = 0x06 // BPF_RET|BPF_K

	allow = 0x7fff0000
	deny  = 0x00050000 | uint32(syscall.EPERM)

	numberAt, architectureAt, argumentAt = 0, 4, 16 // in struct seccomp_data
)

// filter denies the calls that no namespace confines: sockets of other families, the
// kernel's keys, which belong to the user and not to the room, and io_uring, which
// makes sockets without the call that makes sockets.
func filter(a abi) []instruction {
	no, yes := instruction{code: answer, k: deny}, instruction{code: answer, k: allow}
	out := []instruction{
		{code: load, k: architectureAt}, {code: isEqual, jt: 1, k: a.name}, no,
		{code: load, k: numberAt}, {code: isAtLeast, jf: 1, k: 1 << 30}, no, // numbers of another ABI of amd64
	}
	for _, call := range []uint32{a.addKey, a.requestKey, a.keyControl, a.ring} {
		out = append(out, instruction{code: isEqual, jf: 1, k: call}, no)
	}
	out = append(out, instruction{code: isEqual, jt: 1, k: a.socket}, yes, instruction{code: load, k: argumentAt})
	for _, family := range families {
		out = append(out, instruction{code: isEqual, jf: 1, k: family}, yes)
	}
	return append(out, no)
}

// forbidCalls filters what the calling thread starts from now on, for good. It comes
// after prctl(PR_SET_NO_NEW_PRIVS).
func forbidCalls() error {
	a, known := abis[runtime.GOARCH]
	if !known {
		return nil
	}
	list := filter(a)
	program := struct {
		length uint16
		first  *instruction
	}{uint16(len(list)), &list[0]}
	const prSetSeccomp, modeFilter = 22, 2
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetSeccomp, modeFilter, uintptr(unsafe.Pointer(&program))); errno != 0 {
		return os.NewSyscallError("prctl(PR_SET_SECCOMP)", errno)
	}
	return nil
}
