package main

import "github.com/hostmatrix/conform/schema"

// names are member names. The first are drawn most, so that keywords meet.
var names = []string{
	"a", "b", "c", "a", "b", "c", "a", "b", "id", "kind", "items", "10", "2", "", "a/b", "c~d", "x-y", "e f", "é", "it's",
	"toString", "__proto__", "constructor", "hasOwnProperty", "valueOf", "$ref", "$id", "type",
}

// defNames are names under $defs; generators write generics, paths and spaces.
var defNames = []string{"A", "B", "Node", "A", "B", "Node", "P[int]", "A B", "ns.T", "a/b", "x~y", "L<T>", "toString", "50%"}

// numbers holds the places where doubles, decimals and exact integers part.
var numbers = []string{
	"0", "1", "2", "3", "5", "10", "-1", "1.0", "1.5", "2.5", "0.1", "0.3", "0.07", "19.99", "1e2", "100", "-0", "-2.50", "1e-7",
	"9007199254740991", "9007199254740992", "9007199254740993", "2147483647", "2147483648", "4294967296", "9223372036854775808",
	"12345678901234567890", "1e21", "1e22", "1e308", "1e400", "-1e400", "1e-400", "3.0000000000000001", "123456789", "255", "256",
}

// counts are values of length keywords, the plain ones first.
var counts = []string{"0", "1", "2", "3", "1", "2", "4", "1.0", "1.5", "-1"}

const plainCounts = 8

// divisors are values of multipleOf, the plain ones first.
var divisors = []string{"1", "2", "3", "5", "0.5", "0.1", "0.01", "0.25", "1e-8", "7", "123456789", "1e2", "0", "-2"}

const plainDivisors = 12

// texts are instance strings: formats right and nearly right, lengths that count
// differently in UTF-16, code points and graphemes.
var texts = []string{
	"", "a", "ab", "abc", "abcd", "A", "x-1", "1", "12", "a-b", "a b", "é", "e\u0301", "😀", "😀😀", "a\nb", "abc\n", "\u00a0", "\ufeff",
	"\u2028", "\u0661", "_", "-", "[", "^a$", "\\-", "(?!a)", "foo", "bar", "on", "off", "null", "true",
	"2024-01-02", "2023-02-29", "2024-02-29", "12:00:00", "12:00:00Z", "25:00:00Z", "23:59:60Z", "2024-01-02T03:04:05Z",
	"2024-01-02T03:04:05", "2024-01-02 03:04:05Z", "2024-01-02T03:04:05+01:00", "2024-01-02T03:04:05.123Z", "2024-01-02T03:04:05+0100",
	"P1D", "PT1H", "P", "PT1.5S", "P1W", "a@b.co", "a@b", "a..b@c.de", "\"q\"@b.co", "x.test", "-x.test", "localhost", "127.0.0.1",
	"01.2.3.4", "256.0.0.1", "::1", "fe80::1%eth0", "1::2::3", "https://x.test/a?b#c", "http://localhost", "/rel", "urn:x:y", "a:", "http://x.test/é",
	"123e4567-e89b-12d3-a456-426614174000", "urn:uuid:123e4567-e89b-12d3-a456-426614174000", "123e4567", "/a/b", "a/b", "#/a", "#", "1/a", "0#",
	"aGk=", "aGk", "{+p}", "{", "toString", "__proto__", "constructor", "12345678901234567890",
}

// formats are values of the format keyword, known and unknown.
var formats = []string{
	"date", "time", "date-time", "duration", "uri", "uri-reference", "uri-template", "url", "email", "hostname", "ipv4", "ipv6", "regex", "uuid",
	"json-pointer", "json-pointer-uri-fragment", "relative-json-pointer", "byte", "int32", "int64", "float", "double", "password", "binary",
	"iso-time", "iso-date-time", "date", "date-time", "email", "uuid", "uri", "uint64", "uint8", "decimal", "idn-email", "iri", "period", "color", "path", "toString",
}

// patterns are plain regular expressions, then those on which engines part.
var patterns = []string{
	"^a", "b$", "^[a-z]+$", "^\\d+$", "^\\w+$", "^\\s$", ".", "^.$", "^..$", "", "^$", "a|b", "^(a|b)?$", "^x-", "[0-9]{2}", "^\\S+@\\S+$",
	"^(?!a)", "(?<=a)b", "(?<!a)b", "(a)\\1", "^[^]$", "[]", "\\bfoo\\b", "^\\p{L}+$", "^\\u{1F600}$", "^\\u00e9$", "^[\\w-.]+$", "^a\\-b$", "{x}", "a{,5}",
	"a{2,1}", "[", "(", "a**", "\\Aabc\\z", "(?i)abc", "(?P<n>a)", "(?<n>a)\\k<n>", "a++", "[z-a]", "^\\x41$", "\\_", "a\\ b", "^\\/", "]", "}", "a{2}",
	"^[A-Z]{2}-\\d+$", "^-?(?:0|[1-9]\\d*)$", "^(?:[A-Za-z0-9_'+\\-]+\\.)*[A-Za-z0-9_+-]+@[a-z.]+$", "^[^@\\s]+$", "^[😀-😂]$", "\\p{Foo}", "(?i:a)b", "^[\\-.]$",
}

const plainPatterns = 16

// types are values of the type keyword; typeOdd are those no draft knows.
var (
	types   = []string{"null", "boolean", "integer", "number", "string", "array", "object"}
	typeOdd = []string{"any", "STRING", "float", "file", "toString"}
)

// dialects are values of a root $schema beside "absent".
var dialects = []string{
	"http://json-schema.org/draft-07/schema#", "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft-07/schema#",
	"https://json-schema.org/draft/2020-12/schema", "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema",
	"http://json-schema.org/draft-06/schema#", "http://json-schema.org/draft-04/schema#", "https://json-schema.org/draft-07/schema#",
	"https://spec.openapis.org/oas/3.1/dialect/base", "urn:none", "",
}

// scalar draws a value without members.
func (d dice) scalar() *schema.Value {
	switch d.IntN(8) {
	case 0:
		return null
	case 1:
		return schema.Flag(d.chance(2))
	case 2, 3, 4:
		return num(d.number())
	default:
		return str(d.text())
	}
}

// value draws any JSON value.
func (d dice) value(depth int) *schema.Value {
	if depth <= 0 || d.chance(2) {
		return d.scalar()
	}
	if d.chance(2) {
		out := list()
		for range d.upTo(3) {
			out.Items = append(out.Items, d.value(depth-1))
		}
		if len(out.Items) > 0 && d.chance(3) { // uniqueItems needs twins
			out.Items = append(out.Items, pick(d, out.Items...))
		}
		return out
	}
	out := obj()
	for range d.upTo(3) {
		out = out.With(pick(d, names...), d.value(depth-1))
	}
	return out
}
