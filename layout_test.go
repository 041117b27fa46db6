// Package conform has no code: this suite at the root of the module holds the
// house to its own rules (design: who may import whom, and that no Go file knows
// a host by name).
package conform

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"

	"github.com/hostmatrix/conform/capabilities"
)

func TestLayout(t *testing.T) {
	RegisterFailHandler(Fail)
	RunSpecs(t, "layout")
}

const module = "github.com/hostmatrix/conform/"

// floors orders the rooms: a room may import only rooms on a lower floor or, where
// sideways names it, on its own. Ground floor is 0.
var floors = map[string]int{
	"schema": 0, "recording": 1, "validators": 1, "capabilities": 1,
	"wire": 2, "matrix": 2, "fixture": 2, "hostconfig": 2,
	"lint": 3, "integration": 5,
	"cases": 4, "rewrite": 4, "reports": 4, "lab": 4, "conformtest": 5,
	"examples": 6,
	"cmd":      6,
}

// forbidden are imports that the floors would allow and the design does not.
var forbidden = map[string][]string{
	"matrix":       {"wire", "lint", "reports"},
	"wire":         {"matrix", "capabilities", "validators"},
	"capabilities": {"validators", "recording"},
	"validators":   {"capabilities", "recording"},
	"recording":    {"capabilities", "validators"},
	"reports":      {"wire"},
}

// protocolWords are host ids that are words of the protocol too, and the rooms
// that speak it: params.cursor asks for a page of a list.
var protocolWords = map[string][]string{
	"cursor": {"wire", "fixture", "recording", "lint"},
}

type file struct {
	path    string
	room    string
	imports []string
	strings []literal
}

type literal struct {
	text string
	line int
}

var _ = Describe("The house", Ordered, func() {
	var files []file

	BeforeAll(func() { files = readGo() })

	It("lets rooms import downwards only", func() {
		for _, f := range files {
			from, known := floors[f.room]
			Expect(known).To(BeTrue(), "%s lies in room %q, which the design does not name", f.path, f.room)
			for _, imported := range f.imports {
				to := room(imported)
				if to == f.room {
					continue
				}
				Expect(floors[to]).To(BeNumerically("<", from),
					"%s imports %s: room %s may not import %s", f.path, imported, f.room, to)
				Expect(forbidden[f.room]).NotTo(ContainElement(to), "%s imports %s", f.path, imported)
			}
		}
	})

	It("knows hosts by data only", func() {
		table, err := capabilities.Builtin()
		Expect(err).NotTo(HaveOccurred())
		ids := map[string]bool{}
		for _, h := range table.Hosts() {
			if h.Kind == "host" || h.Kind == "framework" {
				ids[h.ID] = true
			}
		}
		Expect(ids).NotTo(BeEmpty())
		for _, f := range files {
			if f.room == "lab" {
				continue
			}
			for _, l := range f.strings {
				if slices.Contains(protocolWords[l.text], f.room) {
					continue
				}
				Expect(ids[l.text]).To(BeFalse(), "%s:%d holds the host id %q; behaviour belongs in a capability file", f.path, l.line, l.text)
			}
		}
	})

	It("starts the specs of every package that has some", func() {
		specs, started := map[string]string{}, map[string]bool{}
		Expect(filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
				return err
			}
			text, err := os.ReadFile(path)
			for _, container := range []string{"Describe(", "DescribeTable(", "It("} {
				if strings.Contains(string(text), "\nvar _ = "+container) {
					specs[filepath.Dir(path)] = path
				}
			}
			started[filepath.Dir(path)] = started[filepath.Dir(path)] || strings.Contains(string(text), "\tRunSpecs(")
			return err
		})).To(Succeed())
		Expect(specs).NotTo(BeEmpty())
		for dir, path := range specs {
			Expect(started[dir]).To(BeTrue(), "%s has specs, but no test of its package calls RunSpecs", path)
		}
	})

	It("keeps files small enough for a head", func() {
		for _, f := range files {
			text, err := os.ReadFile(f.path)
			Expect(err).NotTo(HaveOccurred())
			Expect(strings.Count(string(text), "\n")).To(BeNumerically("<=", 600), f.path)
		}
	})
})

// room is the first folder below the module's root.
func room(importPath string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(importPath, module), "/")
	return first
}

// readGo parses every Go file of the module that is not a test or test data.
func readGo() []file {
	var files []file
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "testdata" || d.Name() == "node_modules") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := readFile(path)
		files = append(files, f)
		return err
	})
	Expect(err).NotTo(HaveOccurred())
	Expect(files).NotTo(BeEmpty())
	return files
}

func readFile(path string) (file, error) {
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, path, nil, parser.SkipObjectResolution)
	if err != nil {
		return file{}, err
	}
	f := file{path: path, room: room(module + filepath.ToSlash(path))}
	for _, i := range parsed.Imports {
		if p, _ := strconv.Unquote(i.Path.Value); strings.HasPrefix(p, module) {
			f.imports = append(f.imports, p)
		}
	}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
			text, _ := strconv.Unquote(l.Value)
			f.strings = append(f.strings, literal{text, set.Position(l.Pos()).Line})
		}
		return true
	})
	return f, nil
}
