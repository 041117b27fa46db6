// Package ucd holds the Unicode property tables that regular-expression
// engines really use, each in the engine's own Unicode version: V8 of Node.js
// 20 with ICU 78 (Unicode 17), CPython 3.11 (Unicode 14), Java 17 (Unicode
// 13). The files are made by asking those engines about every code point; see
// the scripts in gen.
package ucd

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
)

// Engine names the source of a table.
type Engine uint8

const (
	ECMA Engine = iota
	Python
	Java
)

// Range is an inclusive range of code points.
type Range struct{ Lo, Hi rune }

//go:embed ecma.txt.gz
var ecmaFile []byte

//go:embed python.txt.gz
var pythonFile []byte

//go:embed java.txt.gz
var javaFile []byte

// table maps kind and name to the encoded ranges.
type table map[[2]string]string

var tables = [...]func() table{
	ECMA:   sync.OnceValue(func() table { return load(ecmaFile) }),
	Python: sync.OnceValue(func() table { return load(pythonFile) }),
	Java:   sync.OnceValue(func() table { return load(javaFile) }),
}

// load reads lines of kind, names joined by |, and encoded ranges, separated
// by tabs. The files are part of the build: damage is a programming error.
func load(file []byte) table {
	zr, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("ucd: embedded table: %v", err))
	}
	text, err := io.ReadAll(zr)
	if err != nil {
		panic(fmt.Sprintf("ucd: embedded table: %v", err))
	}
	t := table{}
	for line := range strings.Lines(string(text)) {
		kind, rest, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		names, data, _ := strings.Cut(rest, "\t")
		for name := range strings.SplitSeq(names, "|") {
			t[[2]string{kind, name}] = data
		}
	}
	return t
}

// Lookup returns the sorted, disjoint ranges of a property, or false when the
// engine does not know the name. Kinds and names are the engine's own.
func Lookup(e Engine, kind, name string) ([]Range, bool) {
	data, ok := tables[e]()[[2]string{kind, name}]
	if !ok {
		return nil, false
	}
	return decode(data), true
}

// Names returns the names an engine has for a kind, in no order.
func Names(e Engine, kind string) []string {
	var out []string
	for key := range tables[e]() {
		if key[0] == kind {
			out = append(out, key[1])
		}
	}
	return out
}

// decode reads ranges written as gap or gap.extra in base 36: how many code
// points lie between the last range and this one, and how many follow the
// first of this one.
func decode(data string) []Range {
	var out []Range
	prev := int64(-1)
	for field := range strings.FieldsSeq(data) {
		gap, extra, _ := strings.Cut(field, ".")
		lo := prev + 1 + number(gap)
		hi := lo
		if extra != "" {
			hi += number(extra)
		}
		out = append(out, Range{rune(lo), rune(hi)})
		prev = hi
	}
	return out
}

func number(s string) int64 {
	n, err := strconv.ParseInt(s, 36, 64)
	if err != nil {
		panic(fmt.Sprintf("ucd: embedded table: %v", err))
	}
	return n
}
