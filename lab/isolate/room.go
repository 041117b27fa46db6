package isolate

import (
	"fmt"
	"io"
	"time"
)

// Spec is one room to open.
type Spec struct {
	Path   string   // program to run inside, an absolute path
	Args   []string // its argv, Args[0] included
	Env    []string // its whole environment
	Dir    string   // its working folder
	Stdout io.Writer
	Stderr io.Writer
	Limit  time.Duration // after this everything inside is killed
	Open   bool          // run without namespaces: the user said --no-isolation
}

// UnavailableError says that this machine grants no namespaces.
type UnavailableError struct{ Err error }

func (e *UnavailableError) Error() string {
	return fmt.Sprintf("no network and process namespaces here: %v; run as root, allow unprivileged user namespaces, "+
		"or accept with --no-isolation that the host can reach the network and your files", e.Err)
}

func (e *UnavailableError) Unwrap() error { return e.Err }

// Program is what runs in the room.
type Program struct {
	Args   []string // argv; Args[0] is a path
	Env    []string // whole environment
	Dir    string
	Stdout io.Writer
	Stderr io.Writer
	Limit  time.Duration
	Memory int64 // bytes of resident memory of everything inside; 0 is no limit
	Disk   int64 // bytes of all files below Scratch; 0 is no limit
	Tasks  int64 // processes and their threads; 0 is no limit
	// Scratch is the folder whose size is watched: all that the program can write to.
	Scratch string
	// Confined takes every privilege from the program. Only what runs in a room can be:
	// it needs privileges to give them up.
	Confined bool
}

// Outcome says how the program ended.
type Outcome struct {
	Exit    int      `json:"exit"`           // -1 when it was killed
	Ended   string   `json:"ended"`          // "exit", "signal", "time", "memory", "disk" or "tasks"
	Left    []string `json:"left,omitempty"` // names of processes that it left behind
	Seconds float64  `json:"seconds"`
}

// Room is what Enter changes.
type Room struct {
	Hide []string // folders out of sight: an empty one lies over each
	Keep []string // folders below a hidden one that stay visible
	Open []string // folders that stay writable; everything else does not, but for hidden ones
}
