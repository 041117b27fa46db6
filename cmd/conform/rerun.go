package main

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/fsnotify/fsnotify"
)

// quietTime is how long files must rest before a run begins again: editors and
// builds write several files at once.
const quietTime = 300 * time.Millisecond

// maxWatched bounds the folders that are watched.
const maxWatched = 5000

// rerun runs again whenever a file below one of the paths changes, until the
// context ends. What a run itself writes (ignored, as clean paths) starts none.
func (a *app) rerun(ctx context.Context, paths, ignored []string, run func(context.Context) error) error {
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
	for {
		if err := run(ctx); err != nil {
			complain(a.stderr, err)
		}
		if ctx.Err() != nil {
			return &exitError{code: exitInterrupted}
		}
		a.warn("watching %s; interrupt to end", strings.Join(paths, ", "))
		changed, err := nextChange(ctx, watcher, ignored)
		if err != nil {
			return err
		}
		a.warn("%s changed, running again", changed)
	}
}

// nextChange waits for a change and then for files to rest. New folders are
// watched too.
func nextChange(ctx context.Context, watcher *fsnotify.Watcher, ignored []string) (string, error) {
	changed := ""
	rest := time.NewTimer(time.Hour)
	defer rest.Stop()
	for {
		select {
		case <-ctx.Done():
			return "", &exitError{code: exitInterrupted}
		case err := <-watcher.Errors:
			return "", fmt.Errorf("watching files: %w", err)
		case e := <-watcher.Events:
			if e.Op == fsnotify.Chmod || skipped(e.Name) || isIgnored(e.Name, ignored) {
				continue
			}
			if info, err := os.Stat(e.Name); err == nil && info.IsDir() {
				_ = watchBelow(watcher, e.Name) // gone again, or too many: the others stay watched
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
