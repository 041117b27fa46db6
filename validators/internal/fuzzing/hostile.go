package fuzzing

import (
	"fmt"
	"strings"
)

// Nested wraps middle n times.
func Nested(open, middle, closing string, n int) string {
	return strings.Repeat(open, n) + middle + strings.Repeat(closing, n)
}

// Listed is n elements as an array.
func Listed(n int, element func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = element(i)
	}
	return "[" + strings.Join(parts, ",") + "]"
}

// Fan is a schema in which each definition refers twice to the next, so that 2^n ways
// lead to the last.
func Fan(n int, last string) string {
	var b strings.Builder
	b.WriteString(`{"$ref":"#/definitions/d0","definitions":{`)
	for i := range n {
		fmt.Fprintf(&b, `"d%d":{"allOf":[{"$ref":"#/definitions/d%d"},{"$ref":"#/definitions/d%d"}]},`, i, i+1, i+1)
	}
	fmt.Fprintf(&b, `"d%d":%s}}`, n, last)
	return b.String()
}
