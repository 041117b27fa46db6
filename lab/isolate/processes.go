//go:build linux

package isolate

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"time"
)

// prSetChildSubreaper is PR_SET_CHILD_SUBREAPER of prctl(2): orphans become
// children of this process and not of the system's first one, so that a daemon
// which detached itself can still be found.
const prSetChildSubreaper = 36

func becomeReaper() error {
	if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return errno
	}
	return nil
}

// process is one line of the process table.
type process struct {
	pid, parent int
	threads     int64
	name, state string
}

// processes reads /proc; processes that end meanwhile are left out.
func processes() []process {
	folders, _ := filepath.Glob("/proc/[0-9]*")
	var out []process
	for _, dir := range folders {
		data, err := os.ReadFile(filepath.Join(dir, "stat"))
		if err != nil {
			continue
		}
		// pid (comm) state ppid …; comm may hold spaces and parentheses: proc(5).
		text := string(data)
		open, end := strings.IndexByte(text, '('), strings.LastIndexByte(text, ')')
		if open < 0 || end < open {
			continue
		}
		fields := strings.Fields(text[end+1:])
		pid, _ := strconv.Atoi(filepath.Base(dir))
		if len(fields) < 2 || pid == 0 {
			continue
		}
		parent, _ := strconv.Atoi(fields[1])
		threads := int64(1)
		if len(fields) > 17 {
			threads, _ = strconv.ParseInt(fields[17], 10, 64)
		}
		out = append(out, process{pid: pid, parent: parent, threads: threads, name: text[open+1 : end], state: fields[0]})
	}
	return out
}

// descendants returns the living processes below root.
func descendants(root int) []process {
	all := processes()
	below := map[int]bool{root: true}
	for grown := true; grown; {
		grown = false
		for _, p := range all {
			if below[p.parent] && !below[p.pid] {
				below[p.pid], grown = true, true
			}
		}
	}
	var out []process
	for _, p := range all {
		if p.pid != root && below[p.pid] && p.state != "Z" {
			out = append(out, p)
		}
	}
	return out
}

// endDescendants kills everything below root, again and again while something is
// left (a process may fork meanwhile), and returns the sorted names of what it met.
func endDescendants(root int) []string {
	var names []string
	for range 50 {
		left := descendants(root)
		if len(left) == 0 {
			break
		}
		for _, p := range left {
			if !slices.Contains(names, p.name) {
				names = append(names, p.name)
			}
			_ = syscall.Kill(p.pid, syscall.SIGKILL) // it may have ended by itself
		}
		reap()
		time.Sleep(10 * time.Millisecond) // the kernel needs a moment to end them
	}
	slices.Sort(names)
	return names
}

// endAll ends what the program started, and returns the names of what it met. In a
// room the kernel ends them all at once: a program that forks faster than a list of
// processes can be read would get away from one that ends them one by one.
func (p Program) endAll() []string {
	if p.Confined && os.Getpid() == 1 {
		names := map[string]bool{}
		for _, left := range descendants(1) {
			names[left.name] = true
		}
		_ = syscall.Kill(-1, syscall.SIGKILL) // ESRCH: there is none
		reap()
		return slices.Sorted(maps.Keys(names))
	}
	return endDescendants(os.Getpid())
}

// settleTime is how long a host's servers get to notice that it is gone. What is
// there afterwards was left behind.
const settleTime = 2 * time.Second

// settle waits until nothing is below this process, or the time is over.
func settle() {
	for end := time.Now().Add(settleTime); time.Now().Before(end) && len(descendants(os.Getpid())) > 0; {
		reap()
		time.Sleep(20 * time.Millisecond)
	}
}

// reap collects ended children that no one waits for.
func reap() {
	for {
		if pid, err := syscall.Wait4(-1, nil, syscall.WNOHANG, nil); pid <= 0 || err != nil {
			return
		}
	}
}

// watch cancels when taken, of everything below this process together, is more than
// limit bytes; 0 is no limit. Limits of the kernel would be simpler and useless:
// JavaScript engines reserve many gigabytes of addresses that they never touch, and
// a limit of one file's size is none of all.
func (p Program) watch(ctx context.Context, limit int64, taken func() int64, cancel func()) (exceeded func() bool) {
	var over atomic.Bool
	if limit <= 0 {
		return over.Load
	}
	go func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if taken() > limit {
					over.Store(true)
					p.endAll()
					cancel()
					return
				}
			}
		}
	}()
	return over.Load
}

// tasks counts the descendants and their threads.
func tasks() int64 {
	var sum int64
	for _, p := range descendants(os.Getpid()) {
		sum += p.threads
	}
	return sum
}

// used is the size of all files below a folder, in bytes, as they lie on the disk.
// Links are counted once and not followed; what can't be read is left out.
func used(dir string) int64 {
	var sum int64
	seen := map[uint64]bool{}
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return nil
		}
		if stat, ok := info.Sys().(*syscall.Stat_t); ok && !seen[stat.Ino] {
			seen[stat.Ino] = true
			sum += stat.Blocks * 512
		}
		return nil
	})
	return sum
}
