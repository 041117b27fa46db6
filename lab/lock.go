package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
)

// lockEvery is how often a lab looks whether another one is done.
const lockEvery = 200 * time.Millisecond

// lock keeps an installation to one lab at a time: it is made, and gets the driver of
// a run, in place. It waits for another lab, of this user or on this cache, until ctx
// ends; a lab that dies leaves no lock behind. The caller must call unlock.
func (l Lab) lock(ctx context.Context, a adapters.Adapter, version string) (unlock func(), err error) {
	dir := filepath.Join(l.Cache, "locks")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(dir, a.ID+"-"+version+".lock")
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	wait := time.NewTicker(lockEvery)
	defer wait.Stop()
	for told := false; ; told = true {
		held, err := lockFile(f)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if held {
			return func() { f.Close() }, nil
		}
		if !told {
			l.Progress(fmt.Sprintf("another lab uses %s %s; waiting for it (%s)", a.ID, version, path))
		}
		select {
		case <-ctx.Done():
			f.Close()
			return nil, ctx.Err()
		case <-wait.C:
		}
	}
}
