package isolate

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unsafe"
)

// Room is what Enter changes.
type Room struct {
	Hide []string // folders out of sight: an empty one lies over each
	Keep []string // folders below a hidden one that stay visible
}

// Enter finishes the room from inside: loopback up, own /proc, folders hidden.
// It must be called by the first process of the namespaces that Run made.
func Enter(r Room) error {
	if err := raiseLoopback(); err != nil {
		return fmt.Errorf("raising the loopback interface: %w", err)
	}
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := syscall.Mount("proc", "/proc", "proc", syscall.MS_NOSUID|syscall.MS_NODEV|syscall.MS_NOEXEC, ""); err != nil {
		return fmt.Errorf("mounting /proc of the new process namespace: %w", err)
	}
	for _, dir := range r.Hide {
		if err := hide(dir, r.Keep); err != nil {
			return fmt.Errorf("hiding %s: %w", dir, err)
		}
	}
	return nil
}

// hide lays an empty folder over dir and puts the kept folders below it back in
// their places. They are opened before, because their paths are gone after.
func hide(dir string, keep []string) error {
	kept := map[string]*os.File{}
	for _, k := range keep {
		if !strings.HasPrefix(k+"/", strings.TrimSuffix(dir, "/")+"/") {
			continue
		}
		f, err := os.Open(k)
		if os.IsNotExist(err) {
			continue
		} else if err != nil {
			return err
		}
		defer f.Close()
		kept[k] = f
	}
	if _, err := os.Stat(dir); os.IsNotExist(err) {
		return nil
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=0755,size=64m"); err != nil {
		return err
	}
	for path, f := range kept {
		info, err := f.Stat()
		if err != nil {
			return err
		}
		if err := mountPoint(path, info.IsDir()); err != nil {
			return err
		}
		source := fmt.Sprintf("/proc/self/fd/%d", f.Fd())
		if err := syscall.Mount(source, path, "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			return fmt.Errorf("keeping %s: %w", path, err)
		}
	}
	return nil
}

func mountPoint(path string, folder bool) error {
	if folder {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o600)
}

// raiseLoopback does `ip link set lo up` without the ip program: SIOCSIFFLAGS on
// any socket, see netdevice(7).
func raiseLoopback() error {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer syscall.Close(fd)
	var request struct {
		name  [16]byte
		flags uint16
		_     [22]byte
	}
	copy(request.name[:], "lo")
	request.flags = syscall.IFF_UP | syscall.IFF_RUNNING
	if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); errno != 0 {
		return errno
	}
	return nil
}
