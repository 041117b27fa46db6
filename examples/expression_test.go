package examples_test

import (
	"fmt"
	"regexp"
	"strings"
)

// contexts are what an expression of GitHub Actions reads: inputs, steps, github,
// runner and matrix, as nested maps.
type contexts map[string]any

// token is a word of an expression: an operator, a string, or a way through contexts.
var token = regexp.MustCompile(`\s*(&&|\|\||==|!=|!|\(|\)|'(?:[^']|'')*'|[A-Za-z_][A-Za-z0-9_.-]*)`)

// expression evaluates the part of GitHub's expressions that the files here use:
// ==, !=, &&, ||, !, parentheses, strings, true, false and always(). What is not there is
// nil. Source: docs.github.com, "Evaluate expressions in workflows and actions".
type expression struct {
	words []string
	in    contexts
}

func (c contexts) eval(text string) any {
	e := &expression{in: c}
	rest := strings.TrimSpace(text)
	for rest != "" {
		m := token.FindStringSubmatch(rest)
		if m == nil || !strings.HasPrefix(rest, m[0]) {
			panic("cannot read " + rest + " in " + text)
		}
		e.words = append(e.words, m[1])
		rest = strings.TrimSpace(rest[len(m[0]):])
	}
	return e.or()
}

func (e *expression) next(word string) bool {
	if len(e.words) > 0 && e.words[0] == word {
		e.words = e.words[1:]
		return true
	}
	return false
}

func (e *expression) or() any {
	left := e.and()
	for e.next("||") {
		if right := e.and(); !truthy(left) {
			left = right
		}
	}
	return left
}

func (e *expression) and() any {
	left := e.equality()
	for e.next("&&") {
		if right := e.equality(); truthy(left) {
			left = right
		}
	}
	return left
}

func (e *expression) equality() any {
	left := e.one()
	switch {
	case e.next("=="):
		return same(left, e.one())
	case e.next("!="):
		return !same(left, e.one())
	}
	return left
}

func (e *expression) one() any {
	word := e.words[0]
	e.words = e.words[1:]
	switch {
	case word == "!":
		return !truthy(e.one())
	case word == "(":
		value := e.or()
		if !e.next(")") {
			panic("a parenthesis is not closed")
		}
		return value
	case word == "true" || word == "false":
		return word == "true"
	case strings.HasPrefix(word, "'"):
		return strings.ReplaceAll(word[1:len(word)-1], "''", "'")
	case e.next("("): // always(), failure()
		if !e.next(")") {
			panic("only functions without arguments")
		}
		return word == "always"
	}
	var at any = map[string]any(e.in)
	for _, key := range strings.Split(word, ".") {
		object, _ := at.(map[string]any)
		at = object[key]
	}
	return at
}

func truthy(v any) bool { return v != nil && v != false && v != "" }

// same compares as GitHub does: values of different types as numbers, of which nothing
// is 0, true 1, and a word none.
func same(a, b any) bool {
	if fmt.Sprintf("%T", a) == fmt.Sprintf("%T", b) {
		return a == b
	}
	number := func(v any) string {
		switch v {
		case nil, false, "":
			return "0"
		case true:
			return "1"
		}
		return "NaN"
	}
	return number(a) == number(b) && number(a) != "NaN"
}

var interpolation = regexp.MustCompile(`\$\{\{(.*?)\}\}`)

// fill replaces ${{ … }} in a value.
func (c contexts) fill(text string) string {
	return interpolation.ReplaceAllStringFunc(text, func(m string) string {
		switch v := c.eval(m[3 : len(m)-2]).(type) {
		case nil:
			return ""
		default:
			return fmt.Sprint(v)
		}
	})
}
