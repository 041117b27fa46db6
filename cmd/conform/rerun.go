package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietTime is how long files must rest before a run begins again: editors and
// builds write several files at once.
const quietTime = 300 * time.Millisecond

// maxWatched bounds the folders that are watched.
const maxWatched = 5000

// listener waits between two runs for what else is a reason to run again, and tells
// what it was; it returns when the context ends. nil waits for nothing.
type listener func(ctx context.Context, tell func(what string))

// rerun runs again whenever a file below one of the paths changes or the listener
// tells of a change, until the context ends. What a run itself writes (ignored, as
// clean paths) starts none.
func (a *app) rerun(ctx context.Context, paths, ignored []string, run func(context.Context) error, listen listener) error {
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return fmt.Errorf("watching files: %w", err)
	}
	defer watcher.Close()
	for _, p := range paths {
		if err := watchBelow(watcher, p); err != nil {
			return usage("--watch: %w", err)
		}
	}
	before := map[string]bool{} // what changed while the run before was going
	for {
		if err := run(ctx); err != nil {
			complain(a.stderr, err)
		}
		if ctx.Err() != nil {
			return &exitError{code: exitInterrupted}
		}
		pending, during := "", changedSoFar(watcher, ignored)
		for name := range during {
			if before[name] {
				ignored = append(ignored, name)
				a.warn("%s changes while a run is going, as a log does; it starts no run from here on", name)
			} else {
				pending = name
			}
		}
		before = during
		a.warn("watching %s; interrupt to end", strings.Join(paths, ", "))
		changed, err := func() (string, error) {
			waiting, done := context.WithCancel(ctx)
			told := make(chan string, 1)
			var listening sync.WaitGroup
			defer listening.Wait() // the next run has the server for itself
			defer done()
			if listen != nil {
				listening.Go(func() {
					listen(waiting, func(what string) {
						select {
						case told <- what:
						default:
						}
					})
				})
			}
			return nextChange(ctx, watcher, ignored, pending, told)
		}()
		if err != nil {
			return err
		}
		a.warn("%s changed, running again", changed)
	}
}

// changedSoFar are the files that changed until now. A server's log changes in each
// run; without this one run would start the next for ever.
func changedSoFar(watcher *fsnotify.Watcher, ignored []string) map[string]bool {
	out := map[string]bool{}
	rest := time.NewTimer(quietTime)
	defer rest.Stop()
	for {
		select {
		case e := <-watcher.Events:
			if counts(watcher, e, ignored) {
				out[filepath.Clean(e.Name)] = true
			}
		case <-rest.C:
			return out
		}
	}
}

// counts says whether a change is a reason to run, and watches a folder that is new.
func counts(watcher *fsnotify.Watcher, e fsnotify.Event, ignored []string) bool {
	if e.Op == fsnotify.Chmod || skipped(e.Name) || isIgnored(e.Name, ignored) {
		return false
	}
	if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
		_ = watchBelow(watcher, e.Name) // gone again, or too many: the others stay watched
	}
	return true
}

// nextChange waits for a change, unless one is pending, and then for files to rest.
// New folders are watched too.
func nextChange(ctx context.Context, watcher *fsnotify.Watcher, ignored []string, pending string, told <-chan string) (string, error) {
	changed := pending
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	if pending != "" {
		rest.Reset(quietTime)
	}
	for {
		select {
		case <-ctx.Done():
			return "", &exitError{code: exitInterrupted}
		case changed = <-told:
			rest.Reset(quietTime)
		case err := <-watcher.Errors:
			return "", fmt.Errorf("watching files: %w", err)
		case e := <-watcher.Events:
			if !counts(watcher, e, ignored) {
				continue
			}
			changed = e.Name
			rest.Reset(quietTime)
		case <-rest.C:
			if changed != "" {
				return changed, nil
			}
		}
	}
}

func isIgnored(name string, ignored []string) bool {
	for _, i := range ignored {
		if clean := filepath.Clean(i); filepath.Clean(name) == clean || filepath.Clean(name) == clean+".part" {
			return true
		}
	}
	return false
}

// watchBelow watches a file, or a folder and all folders below it but those that
// tools fill (hidden ones, node_modules, target and the like).
func watchBelow(watcher *fsnotify.Watcher, path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return watcher.Add(path)
	}
	return filepath.WalkDir(path, func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || !d.IsDir():
			return nil // a folder that cannot be read cannot be watched either
		case name != path && skipped(name):
			return fs.SkipDir
		case len(watcher.WatchList()) >= maxWatched:
			return fmt.Errorf("more than %d folders below %s; name a smaller one", maxWatched, path)
		}
		return watcher.Add(name)
	})
}

// skipped are folders and files that change without anybody's doing.
func skipped(name string) bool {
	base := filepath.Base(name)
	if strings.HasPrefix(base, ".") && base != "." && base != ".." || strings.HasSuffix(base, "~") {
		return true
	}
	switch base {
	case "node_modules", "__pycache__", "target", "vendor":
		return true
	}
	return false
}
