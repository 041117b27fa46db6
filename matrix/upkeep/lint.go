package upkeep

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
	"github.com/hostmatrix/conform/matrix/operation"
	"github.com/hostmatrix/conform/matrix/shape"
)

// Level is how bad a fault of the table is.
type Level string

// Error is a fault that makes a claim wrong or useless; Warning one that makes it
// harder to believe.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Fault is one thing that is wrong with a table.
type Fault struct {
	Level   Level  `json:"level"`
	File    string `json:"file"`
	Line    int    `json:"line,omitempty"` // 0 when the fault has no line
	Message string `json:"message"`
}

// String is "file:line: level: message".
func (f Fault) String() string {
	at := f.File
	if f.Line > 0 {
		at += fmt.Sprintf(":%d", f.Line)
	}
	return at + ": " + string(f.Level) + ": " + f.Message
}

// Known is what claims may name beyond their own folder.
type Known struct {
	Shapes   *shape.Set
	Profiles []string // validator profiles
	Rows     []string // rows of the built-in table, which layers may name
	// Whole is set for the project's own table: operations that no claim of it uses
	// are faults.
	Whole bool
}

// Lint looks for faults in the capability files at the top of fsys. Files that
// cannot be read strictly are faults too, and hide nothing of the others.
func Lint(fsys fs.FS, known Known) ([]Fault, error) {
	names, err := fs.Glob(fsys, "*.json")
	if err != nil {
		return nil, err
	}
	l := &linter{fsys: fsys, known: known, ops: map[string]bool{}, ids: map[string]bool{}}
	for _, id := range known.Rows {
		l.ids[id] = true
	}
	var hosts []*capabilities.Host
	for _, name := range names {
		if strings.HasSuffix(name, ".schema.json") {
			continue
		}
		text, err := fs.ReadFile(fsys, name)
		if err != nil {
			return nil, err
		}
		l.file, l.text = name, string(text)
		h, err := capabilities.Decode(name, text)
		if err != nil {
			l.add(Error, 0, "%s", strings.TrimPrefix(err.Error(), name+": "))
			continue
		}
		hosts = append(hosts, h)
		l.ids[h.ID] = true
		l.host(h)
	}
	for _, h := range hosts {
		l.file = h.ID + ".json"
		l.text = ""
		for _, layer := range h.Layers {
			if id, _, _ := strings.Cut(layer, "@"); !l.ids[id] {
				l.add(Error, 0, "layer %q is no row of the table%s", layer, near(id, l.ids))
			}
		}
	}
	if known.Whole {
		l.unused()
	}
	slices.SortStableFunc(l.faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line))
	})
	return l.faults, nil
}

type linter struct {
	fsys   fs.FS
	known  Known
	faults []Fault
	ops    map[string]bool // operations that some claim uses
	ids    map[string]bool // rows

	file, text string // being looked at
}

func (l *linter) add(level Level, line int, format string, args ...any) {
	l.faults = append(l.faults, Fault{level, l.file, line, fmt.Sprintf(format, args...)})
}

// lineOf finds the line on which a quoted key first stands, 0 when it does not.
func (l *linter) lineOf(keys ...string) int {
	from := 0
	for _, key := range keys {
		i := strings.Index(l.text[from:], `"`+key+`"`)
		if i < 0 {
			return 0
		}
		from += i
	}
	return 1 + strings.Count(l.text[:from], "\n")
}

func (l *linter) host(h *capabilities.Host) {
	known := []string{"host", "framework", "sdk", "api", "spec"}
	if !slices.Contains(known, h.Kind) {
		l.add(Error, l.lineOf("kind"), "kind %q is none of %s", h.Kind, strings.Join(known, ", "))
	}
	used := map[string]bool{}
	l.claims(h, "claims", h.Claims, used)
	for _, mode := range h.ModeIDs() {
		l.claims(h, mode, h.Modes[mode].Claims, used)
	}
	l.evidence(h, used)
	for v, r := range h.Releases {
		if !dateLike(r.Date) {
			l.add(Warning, l.lineOf("releases", v), "release %s: date %q is not YYYY-MM-DD", v, r.Date)
		}
	}
}

func (l *linter) claims(h *capabilities.Host, under string, claims map[string][]capabilities.Claim, used map[string]bool) {
	for _, key := range capabilities.ClaimKeys() {
		list := claims[key]
		line := l.lineOf(under, key)
		for _, c := range list {
			for _, id := range c.Evidence {
				used[id] = true
			}
			l.value(key, c, line)
			l.doubt(h, key, c, line)
		}
		l.ranges(key, list, line)
	}
}

// doubt wants words beside a claim that nobody observed or read.
func (l *linter) doubt(h *capabilities.Host, key string, c capabilities.Claim, line int) {
	if c.Note != "" {
		return
	}
	for _, id := range c.Evidence {
		e := h.Evidence[id]
		if e.Basis != capabilities.Inferred || e.Text != "" {
			return
		}
	}
	l.add(Warning, line, "%s rests on inferred evidence alone, and no note or text says from what", key)
}

// unused names the operations that no claim of the table uses: they are code
// without a reason.
func (l *linter) unused() {
	l.file, l.text = "../matrix/operation", ""
	for _, kind := range []string{"rewrite", "check", "render"} {
		for _, name := range operation.Names(kind) {
			if !l.ops[name] {
				l.add(Warning, 0, "no claim uses the %s operation %q", kind, name)
			}
		}
	}
}

func near(word string, known map[string]bool) string {
	var list []string
	for k := range known {
		list = append(list, k)
	}
	slices.Sort(list)
	if n := capabilities.Nearest(word, list); n != "" {
		return fmt.Sprintf("; did you mean %q?", n)
	}
	return ""
}

func dateLike(s string) bool {
	ok, err := path.Match("[12][0-9][0-9][0-9]-[01][0-9]-[0-3][0-9]", s)
	return err == nil && ok
}
