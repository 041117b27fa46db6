package lab

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/hostmatrix/conform/lab/adapters"
	"github.com/hostmatrix/conform/lab/isolate"
	"github.com/hostmatrix/conform/lab/observe"
	"github.com/hostmatrix/conform/lab/probe"
)

// Lab is where hosts are installed and run.
type Lab struct {
	Cache    string   // folder of installations and runs
	Self     string   // path of this program
	Inner    []string // arguments that lead it to Inner, before the job's path
	Limit    time.Duration
	Patience time.Duration // for one call; 0 is DefaultPatience
	Memory   int64
	Disk     int64    // bytes of all that a host writes; 0 is DefaultDisk
	Tasks    int64    // processes and threads that a host may have at once; 0 is DefaultTasks
	Open     bool     // run without namespaces
	Program  string   // path of the host's program, for hosts that the lab can't install
	Servers  []string // restricts to these probe servers; empty is all
	Probes   string   // path of a catalogue of one's own; "" is the lab's
	Progress func(string)
}

// DefaultCache is the folder for installations: conform/lab in the user's cache.
func DefaultCache() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("no folder for caches: %w; give one with --cache", err)
	}
	return filepath.Join(dir, "conform", "lab"), nil
}

// Batch is the outcome of one start of a host.
type Batch struct {
	Run     observe.Run
	Outcome isolate.Outcome
	Dir     string
	Again   bool   // of what another batch missed
	Stuck   string // the probe whose call the host did not get over
}

// Observe installs a version if need be and runs it in each mode, once per batch of
// servers; the batches come in the order of the modes. A host that ends badly still
// leaves what it did; an error means that nothing can be said.
func (l Lab) Observe(ctx context.Context, a adapters.Adapter, version string, modes ...adapters.Mode) ([]Batch, error) {
	if !l.Open {
		if err := isolate.Available(); err != nil {
			return nil, err
		}
	}
	unlock, err := l.lock(ctx, a, version)
	if err != nil {
		return nil, err
	}
	defer unlock()
	installed, err := l.install(ctx, a, version)
	if err != nil {
		return nil, err
	}
	var telling sync.Mutex
	progress := l.Progress
	l.Progress = func(line string) {
		telling.Lock()
		defer telling.Unlock()
		progress(line)
	}
	return beside(ctx, modes, func(ctx context.Context, mode adapters.Mode) ([]Batch, error) {
		return l.observe(ctx, a, installed, version, mode)
	})
}

// Install installs a version, unless it is there, and returns where.
func (l Lab) Install(ctx context.Context, a adapters.Adapter, version string) (adapters.Installed, error) {
	unlock, err := l.lock(ctx, a, version)
	if err != nil {
		return adapters.Installed{}, err
	}
	defer unlock()
	return l.install(ctx, a, version)
}

func (l Lab) install(ctx context.Context, a adapters.Adapter, version string) (adapters.Installed, error) {
	if l.Program != "" {
		return a.Given(l.Program)
	}
	return a.Install(ctx, l.Cache, version, l.Progress)
}

func (l Lab) observe(ctx context.Context, a adapters.Adapter, installed adapters.Installed, version string, mode adapters.Mode) ([]Batch, error) {
	catalogue, err := probe.Open(l.Probes)
	if err != nil {
		return nil, err
	}
	names := l.choose(catalogue, a, mode)
	if len(names) == 0 {
		return nil, nil // a mode of probe servers that are not asked now
	}
	size := a.Batch
	if size == 0 {
		size = max(1, len(names))
	}
	var out []Batch
	for part := range slices.Chunk(names, size) {
		b, err := l.once(ctx, a, installed, version, mode, part, nil, catalogue)
		if err != nil {
			return out, err
		}
		both, err := l.again(ctx, a, installed, version, mode, b, catalogue)
		out = append(out, both...)
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// choose lists the probe servers of a run, in catalogue order.
func (l Lab) choose(c *probe.Catalogue, a adapters.Adapter, mode adapters.Mode) []string {
	var out []string
	for _, s := range c.Servers {
		_, without := a.Without[s.Name]
		if without || s.Apart && !slices.Contains(mode.Only, s.Name) || len(mode.Only) > 0 && !slices.Contains(mode.Only, s.Name) || len(l.Servers) > 0 && !slices.Contains(l.Servers, s.Name) {
			continue
		}
		out = append(out, s.Name)
	}
	return out
}

// once starts the host one time; probes in skip are not called.
func (l Lab) once(ctx context.Context, a adapters.Adapter, installed adapters.Installed, version string, mode adapters.Mode, servers, skip []string, c *probe.Catalogue) (Batch, error) {
	name := strings.Join([]string{a.ID, version, mode.Name}, "-")
	job, err := l.job(a, installed, version, mode, servers, name)
	if err != nil {
		return Batch{}, err
	}
	job.Skip = skip
	if err := writeJSON(job.path(jobFile), job); err != nil {
		return Batch{}, err
	}
	l.Progress(fmt.Sprintf("running %s with %d probe servers, logs in %s", name, len(servers), job.Run))
	if err := l.enter(ctx, job); err != nil {
		return Batch{}, err
	}
	var report Left
	if err := readJSON(job.path(reportFile), &report); err != nil {
		return Batch{}, fmt.Errorf("%s left no report: %w; see %s", name, err, job.path("room.txt"))
	}
	if report.Error != "" {
		return Batch{}, fmt.Errorf("%s: %s; logs in %s", name, report.Error, job.Run)
	}
	traffic, err := observe.ReadTraffic(job.path(probeLog))
	if err != nil {
		return Batch{}, err
	}
	run := observe.Run{Host: a.ID, Version: version, Mode: mode, Transport: transport(mode), Traffic: traffic, Record: report.Record,
		Lost: report.Lost, Noise: a.Noise, Volatile: append(slices.Clone(a.Volatile), ownPath(l.Cache)), Listing: report.Lost != nil && mode.Model == ""}
	if run.Dropped, err = dropped(job.path(stderrFile), a, c); err != nil {
		return Batch{}, err
	}
	for _, name := range servers {
		s, _ := c.Server(name)
		run.Servers = append(run.Servers, s)
	}
	return Batch{Run: run, Outcome: report.Outcome, Dir: job.Run, Stuck: report.Stuck}, nil
}

func transport(m adapters.Mode) string {
	if m.HTTP {
		return "http"
	}
	return "stdio"
}

// ownPath is a path below the lab's folder (of the run, or of what is installed), as
// a host may show it to the model.
func ownPath(dir string) adapters.Volatile {
	return adapters.Volatile{Name: "path", Pattern: regexp.MustCompile(`(` + regexp.QuoteMeta(dir) + `[^\s"'\\)\]]*)`)}
}

// dropped reads what the host said of tools that it left out, by probe. The name it
// says may be its own: the probe is the longest id that the name ends with.
func dropped(path string, a adapters.Adapter, c *probe.Catalogue) (map[string]string, error) {
	if a.Drops == nil {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, m := range a.Drops.FindAllSubmatch(data, -1) {
		best := ""
		for _, s := range c.Servers {
			for _, p := range s.Probes {
				if strings.HasSuffix(string(m[1]), p.ID) && len(p.ID) > len(best) {
					best = p.ID
				}
			}
		}
		out[best] = string(m[2])
	}
	return out, nil
}

func (l Lab) job(a adapters.Adapter, installed adapters.Installed, version string, mode adapters.Mode, servers []string, name string) (Job, error) {
	runs := filepath.Join(l.Cache, "runs")
	if err := os.MkdirAll(runs, 0o755); err != nil {
		return Job{}, err
	}
	prune(runs, name+"-", time.Now().Add(-keptFor))
	dir, err := os.MkdirTemp(runs, name+"-")
	if err != nil {
		return Job{}, err
	}
	limit := l.Limit
	if limit == 0 {
		limit = cmp.Or(mode.Limit, max(a.Limit, DefaultLimit))
	}
	probes := ""
	if l.Probes != "" { // a copy in the run's folder: the room shows no other
		data, err := os.ReadFile(l.Probes)
		if err != nil {
			return Job{}, err
		}
		probes = filepath.Join(dir, probesFile)
		if err := os.WriteFile(probes, data, 0o644); err != nil {
			return Job{}, err
		}
	}
	j := Job{Catalogue: probes, Host: a.ID, Version: version, Mode: mode, Installed: installed, Run: dir, Self: l.Self, Servers: servers, Limit: limit, Patience: l.patience(), Memory: l.Memory, Disk: cmp.Or(l.Disk, DefaultDisk), Tasks: cmp.Or(l.Tasks, DefaultTasks), Open: l.Open}
	// The user's own folder is out of sight wherever it lies; what was installed stays.
	hide, keep := isolate.Outlook()
	j.Hide, j.Keep = hide, slices.Concat(keep, []string{dir, l.Self, installed.Dir, installed.Program, nodeDir(installed.Node)}, a.Keep())
	if home, err := os.UserHomeDir(); err == nil && filepath.Clean(home) != "/" {
		j.Hide = append([]string{home}, j.Hide...)
	}
	return j, nil
}

// keptFor is how long the folder of a run is kept at the least, for a person who looks
// into its logs: a host writes up to 350 MB there.
const keptFor = time.Hour

// prune removes the folders of earlier runs of a host. What can't be removed stays:
// it is a cache.
func prune(runs, prefix string, before time.Time) {
	entries, err := os.ReadDir(runs)
	if err != nil {
		return
	}
	for _, e := range entries {
		if !strings.HasPrefix(e.Name(), prefix) {
			continue
		}
		if info, err := e.Info(); err == nil && info.ModTime().Before(before) {
			_ = os.RemoveAll(filepath.Join(runs, e.Name()))
		}
	}
}

// nodeDir is the folder of an installation of Node, four above its program.
func nodeDir(node string) string {
	if node == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(node), "..", "..", "..")
}

// enter runs this program inside a new room.
func (l Lab) enter(ctx context.Context, j Job) error {
	room, err := os.Create(j.path("room.txt"))
	if err != nil {
		return err
	}
	defer room.Close()
	args := slices.Concat([]string{"conform"}, l.Inner, []string{j.path(jobFile)})
	// The room outlives the host by the time that reading its logs takes.
	code, err := isolate.Run(ctx, isolate.Spec{Path: l.Self, Args: args, Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + j.path("home")},
		Dir: j.Run, Stdout: room, Stderr: room, Limit: j.Limit + time.Minute, Open: l.Open})
	if err != nil {
		return err
	}
	if code != 0 {
		said, _ := os.ReadFile(j.path("room.txt"))
		return fmt.Errorf("the process inside the room ended with %d: %.2000q", code, said) // quoted: the host may have written it
	}
	return nil
}
