//go:build linux

package isolate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// memory is what the program holds of it: what is resident of each process, files that
// lie in memory alone (memfd_create(2)) and, in a room, shared segments that nobody is
// attached to. A file that is mapped too counts twice; hosts hold few and small ones.
func (p Program) memory() int64 {
	all := descendants(os.Getpid())
	sum := resident(all) + memoryFiles(all)
	if p.Confined { // elsewhere the segments are the user's
		sum += segments()
	}
	return sum
}

// resident is the resident memory of processes, in bytes.
func resident(all []process) int64 {
	var sum int64
	for _, p := range all {
		data, err := os.ReadFile("/proc/" + strconv.Itoa(p.pid) + "/statm")
		if err != nil {
			continue
		}
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64)
			sum += pages * int64(os.Getpagesize())
		}
	}
	return sum
}

// memoryFiles is the size, in bytes, of the open files of processes that lie in memory
// alone, each counted once.
func memoryFiles(all []process) int64 {
	var sum int64
	seen := map[uint64]bool{}
	for _, p := range all {
		open, _ := filepath.Glob("/proc/" + strconv.Itoa(p.pid) + "/fd/*")
		for _, link := range open {
			if to, err := os.Readlink(link); err != nil || !strings.HasPrefix(to, "/memfd:") {
				continue
			}
			var stat syscall.Stat_t
			if syscall.Stat(link, &stat) == nil && !seen[stat.Ino] {
				seen[stat.Ino] = true
				sum += stat.Blocks * 512
			}
		}
	}
	return sum
}

// segments is the memory, in bytes, of this namespace's shared segments that no process
// is attached to. The columns are those of proc_sysvipc_shm(5).
func segments() int64 {
	data, err := os.ReadFile("/proc/sysvipc/shm")
	if err != nil {
		return 0
	}
	const attached, resident, swapped = 6, 14, 15
	var sum int64
	for _, line := range strings.Split(string(data), "\n") {
		if fields := strings.Fields(line); len(fields) > swapped && fields[attached] == "0" {
			for _, i := range []int{resident, swapped} {
				bytes, _ := strconv.ParseInt(fields[i], 10, 64)
				sum += bytes
			}
		}
	}
	return sum
}
