//go:build linux

package isolate

import (
	"fmt"
	"os"
	"syscall"
	"unsafe"
)

// Numbers that package syscall lacks, the same on every architecture that Go
// supports on Linux: mount_setattr(2), prctl(2).
const (
	sysMountSetattr   = 442
	atRecursive       = 0x8000
	mountAttrReadOnly = 0x1
	prCapBoundingDrop = 24
	prSetNoNewPrivs   = 38
	prCapAmbient      = 47
	prCapAmbientClear = 4
	lastCapability    = 63
)

// mountAttributes is struct mount_attr.
type mountAttributes struct{ set, clear, propagation, userns uint64 }

// freeze makes everything read-only but the open folders, with what lies below them,
// and the empty ones that hide others.
// Each becomes a mount of its own, which alone can differ from what is around it. It
// comes before files are opened: a mount with a file that is being written can't
// become read-only.
func freeze(open, hidden []string) error {
	for _, dir := range open {
		if err := syscall.Mount(dir, dir, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			return fmt.Errorf("keeping %s apart: %w", dir, err)
		}
	}
	if err := setAttributes("/", mountAttributes{set: mountAttrReadOnly}, atRecursive); err != nil {
		return fmt.Errorf("making the file system read-only (Linux 5.12 can): %w", err)
	}
	for _, dir := range open {
		if err := setAttributes(dir, mountAttributes{clear: mountAttrReadOnly}, atRecursive); err != nil {
			return fmt.Errorf("keeping %s writable: %w", dir, err)
		}
	}
	for _, dir := range hidden { // what was kept below an empty folder stays read-only
		if err := setAttributes(dir, mountAttributes{clear: mountAttrReadOnly}, 0); err != nil {
			return fmt.Errorf("keeping %s writable: %w", dir, err)
		}
	}
	return nil
}

// Close makes one of the open folders of a room read-only too.
func Close(dir string) error {
	if err := setAttributes(dir, mountAttributes{set: mountAttrReadOnly}, atRecursive); err != nil {
		return fmt.Errorf("making %s read-only: %w", dir, err)
	}
	return nil
}

func setAttributes(path string, a mountAttributes, flags uintptr) error {
	p, err := syscall.BytePtrFromString(path)
	if err != nil {
		return err
	}
	const currentFolder = -100 // AT_FDCWD
	at := currentFolder
	if _, _, errno := syscall.Syscall6(sysMountSetattr, uintptr(at), uintptr(unsafe.Pointer(p)), flags, uintptr(unsafe.Pointer(&a)), unsafe.Sizeof(a), 0); errno != 0 {
		return errno
	}
	return nil
}

// giveUpPrivileges takes every capability from what the calling thread starts from
// now on, for good: without them even root can't mount, change the network, or undo
// what Enter and Freeze did.
func giveUpPrivileges() error {
	for c := uintptr(0); c <= lastCapability; c++ {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prCapBoundingDrop, c, 0); errno == syscall.EINVAL {
			break // the kernel knows no more
		} else if errno != 0 {
			return os.NewSyscallError("prctl(PR_CAPBSET_DROP)", errno)
		}
	}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prCapAmbient, prCapAmbientClear, 0, 0, 0, 0); errno != 0 {
		return os.NewSyscallError("prctl(PR_CAP_AMBIENT)", errno)
	}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_PRCTL, prSetNoNewPrivs, 1, 0, 0, 0, 0); errno != 0 {
		return os.NewSyscallError("prctl(PR_SET_NO_NEW_PRIVS)", errno)
	}
	return forbidCalls()
}
