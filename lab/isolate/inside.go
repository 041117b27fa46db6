//go:build linux

package isolate

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unsafe"
)

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
	var hidden []string
	keep := followed(r.Keep)
	for _, dir := range r.Hide {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() || slices.ContainsFunc(r.Hide, func(o string) bool { return o != dir && below(dir, o) }) {
			continue // nothing to see, or hidden with what it lies in
		}
		if err := hide(dir, keep); err != nil {
			return fmt.Errorf("hiding %s: %w", dir, err)
		}
		switch dir {
		case "/etc": // what is left of it is to be read only
		case "/dev":
			shm, err := furnish(dir)
			if err != nil {
				return fmt.Errorf("furnishing %s: %w", dir, err)
			}
			hidden = append(hidden, shm)
		default:
			hidden = append(hidden, dir)
		}
	}
	return freeze(r.Open, hidden)
}

// followed adds where links lead: a home that is a link to /var/home is hidden there.
func followed(paths []string) []string {
	out := slices.Clone(paths)
	for _, p := range paths {
		if real, err := filepath.EvalSymlinks(p); err == nil && real != p {
			out = append(out, real)
		}
	}
	return out
}

// furnish makes what programs expect of a folder of devices besides the devices, and
// returns the one folder in it that stays writable.
func furnish(dir string) (string, error) {
	for name, to := range map[string]string{"fd": "/proc/self/fd", "stdin": "/proc/self/fd/0", "stdout": "/proc/self/fd/1", "stderr": "/proc/self/fd/2"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			return "", err
		}
	}
	shm := filepath.Join(dir, "shm")
	if err := os.Mkdir(shm, 0o700); os.IsExist(err) {
		return "", fmt.Errorf("what the room must show lies below %s, which it lays out anew: give the lab a folder elsewhere (--cache)", shm)
	} else if err != nil {
		return "", err
	}
	return shm, syscall.Mount("tmpfs", shm, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, "mode=1777,size=256m")
}

// below says whether a path is a folder or lies in it.
func below(path, dir string) bool {
	return strings.HasPrefix(path+"/", strings.TrimSuffix(dir, "/")+"/")
}

// hide lays an empty folder over dir and puts the kept folders below it back in
// their places. They are opened before, because their paths are gone after.
func hide(dir string, keep []string) error {
	kept := map[string]*os.File{}
	for _, k := range keep {
		if !below(k, dir) {
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
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	mode := info.Mode().Perm() | os.FileMode(unixSticky(info))
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_NOSUID|syscall.MS_NODEV, fmt.Sprintf("mode=%04o,size=256m", mode)); err != nil {
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

// unixSticky is the bit of a folder in which everyone may write, as mount options
// want it.
func unixSticky(info os.FileInfo) uint32 {
	if info.Mode()&os.ModeSticky != 0 {
		return 0o1000
	}
	return 0
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
