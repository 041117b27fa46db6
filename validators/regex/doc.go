// Package regex compiles and matches regular expressions as the engines behind
// JSON Schema validators do: V8 with and without the u flag (Ajv, cfworker),
// CPython's re (python-jsonschema) and java.util.regex (networknt). What an
// engine refuses is refused here in its own words; what it matches matches
// here, oddities included.
//
// One parser per dialect (ecma*.go, python*.go, java*.go) builds one kind of
// tree (ast.go), which is simplified for a yes-or-no answer (simplify.go),
// compiled to a small program (compile.go, program.go) and run by one
// backtracking matcher with an explicit stack (match.go, run.go). Matching is
// bounded in steps and in memory, compiling in pattern length and nesting;
// counted repetitions are counted, never unrolled.
//
// The truth is the real engines. testdata holds scripts that ask them
// (oracle.js, oracle.py, Oracle.java) and goldens with their answers, one JSON
// object per line. internal/diff re-makes the goldens and compares random
// patterns:
//
//	go run ./validators/regex/internal/diff -golden
//	go run ./validators/regex/internal/diff -dialect ecma-u -n 100000 -seed 1
//
// internal/ucd holds the engines' Unicode tables and how they were made.
//
// Not modelled are the engines' own resource limits while matching: V8 throws
// "Stack overflow" at the first use of a pattern with some ten thousand
// optional items, and java.util.regex overflows its stack when a group with
// alternatives repeats some thousand times. Matching is not handed to the
// standard library's regexp: on the patterns of BenchmarkMatch it is slower.
package regex
