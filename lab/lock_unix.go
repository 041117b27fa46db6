//go:build unix

package lab

import (
	"errors"
	"os"
	"syscall"
)

// lockFile takes the lock of a file that ends with it; false means that another
// process has it.
func lockFile(f *os.File) (bool, error) {
	err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}
