package cfworker

import (
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

// Expressions for addresses, put together from named parts. RE2 has no look-ahead,
// so a bound on the whole length is checked beside the expression. The library's
// ignore case, which for ASCII means both cases of each letter.

const (
	octetLoose = `(?:25[0-5]|2[0-4]\d|[01]?\d\d?)` // allows leading zeros
	ipv4       = `(?:` + octetLoose + `\.){3}` + octetLoose

	scheme    = `[a-zA-Z][a-zA-Z0-9+\-.]*:`
	userinfo  = `(?:[a-zA-Z0-9\-._~!$&'()*+,;=:]|` + escape + `)*@`
	group     = hex + `{1,4}`
	lastGroup = `(?:` + group + `:` + group + `|` + ipv4 + `)`
	literal6  = `(?:` + group + `:){6}` + lastGroup +
		`|::(?:` + group + `:){5}` + lastGroup +
		`|(?:` + group + `)?::(?:` + group + `:){4}` + lastGroup +
		`|(?:(?:` + group + `:){0,1}` + group + `)?::(?:` + group + `:){3}` + lastGroup +
		`|(?:(?:` + group + `:){0,2}` + group + `)?::(?:` + group + `:){2}` + lastGroup +
		`|(?:(?:` + group + `:){0,3}` + group + `)?::` + group + `:` + lastGroup +
		`|(?:(?:` + group + `:){0,4}` + group + `)?::` + lastGroup +
		`|(?:(?:` + group + `:){0,5}` + group + `)?::` + group +
		`|(?:(?:` + group + `:){0,6}` + group + `)?::`
	future = `[Vv]` + hex + `+\.[a-zA-Z0-9\-._~!$&'()*+,;=:]+`
)

// hierarchy is the part of a URI between scheme and query; one slash may start
// an authority, too. more are characters allowed beyond the RFC's.
func hierarchy(more string) string {
	regName := "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=" + more + "]|" + escape + ")*"
	char := "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@" + more + "]|" + escape + ")"
	host := `(?:\[(?:` + literal6 + `|` + future + `)\]|` + ipv4 + `|` + regName + `)`
	authority := `/?/(?:` + userinfo + `)?` + host + `(?::\d*)?(?:/` + char + `*)*`
	return `(?:` + authority + `|/(?:` + char + `+(?:/` + char + `*)*)?|` + char + `+(?:/` + char + `*)*)`
}

func queryAndFragment(more string) string {
	char := "(?:[a-zA-Z0-9\\-._~!$&'()*+,;=:@/?" + more + "]|" + escape + ")"
	return `(?:\?` + char + `*)?(?:#` + char + `*)?`
}

var (
	uriExpression = match(scheme + hierarchy("") + queryAndFragment(""))
	// A reference may hold a quotation mark; a URI may not.
	uriReference = match(`(?:` + scheme + `)?` + hierarchy(`"`) + `?` + queryAndFragment(`"`))
)

func uri(s string) bool { return strings.ContainsAny(s, "/:") && uriExpression(s) }

const (
	octetStrict = `(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`
	strict4     = octetStrict + `(?:\.` + octetStrict + `){3}`
	colonGroup  = `:` + group
)

// ipv6 allows no zone; the dotted tail takes the place of two groups.
const ipv6 = `(?:` + group + `:){7}(?:` + group + `|:)` +
	`|(?:` + group + `:){6}(?:` + colonGroup + `|` + strict4 + `|:)` +
	`|(?:` + group + `:){5}(?:(?:` + colonGroup + `){1,2}|:` + strict4 + `|:)` +
	`|(?:` + group + `:){4}(?:(?:` + colonGroup + `){1,3}|(?:` + colonGroup + `)?:` + strict4 + `|:)` +
	`|(?:` + group + `:){3}(?:(?:` + colonGroup + `){1,4}|(?:` + colonGroup + `){0,2}:` + strict4 + `|:)` +
	`|(?:` + group + `:){2}(?:(?:` + colonGroup + `){1,5}|(?:` + colonGroup + `){0,3}:` + strict4 + `|:)` +
	`|` + group + `:(?:(?:` + colonGroup + `){1,6}|(?:` + colonGroup + `){0,4}:` + strict4 + `|:)` +
	`|:(?:(?:` + colonGroup + `){1,7}|(?:` + colonGroup + `){0,5}:` + strict4 + `|:)`

const label = `[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`

var (
	hostExpression = match(label + `(?:\.` + label + `)*`)
	hostWithDot    = match(label + `(?:\.` + label + `)*\.?`)
)

// hostname411 allows a dot at the end, not counted in the 253 characters.
func hostname411(s string) bool { return len(strings.TrimSuffix(s, ".")) <= 253 && hostWithDot(s) }

func hostname416(s string) bool { return len(s) <= 253 && hostExpression(s) }

var (
	mailHost = regexp.MustCompile(`^[a-zA-Z0-9.-]+$`)
	mailName = regexp.MustCompile("^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+$")
	mailPart = match(label)
)

func dotsAmiss(name string) bool {
	return strings.HasPrefix(name, ".") || strings.HasSuffix(name, ".") || strings.Contains(name, "..")
}

func email411(s string) bool {
	parts := strings.Split(s, "@")
	if strings.HasPrefix(s, `"`) || len(parts) != 2 {
		return false
	}
	name, host := parts[0], parts[1]
	if name == "" || host == "" || len(name) > 64 || len(host) > 253 || dotsAmiss(name) {
		return false
	}
	if !mailHost.MatchString(host) || !mailName.MatchString(name) {
		return false
	}
	for _, part := range strings.Split(host, ".") {
		if !mailPart(part) {
			return false
		}
	}
	return true
}

var mail416 = regexp.MustCompile("^(\"(?:[\\x20-\\x21\\x23-\\x5b\\x5d-\\x7e]|\\\\[\\x20-\\x7e])*\"|[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+)@([^\\n\\r\\x{2028}\\x{2029}]+)$")

var isIPv4, isIPv6 = match(ipv4), match(ipv6)

// email416 knows quoted names and address literals.
func email416(s string) bool {
	m := mail416.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	name, host := m[1], m[2]
	if len(name) > 64 || schema.UTF16Len(host) > 253 || name[0] != '"' && dotsAmiss(name) {
		return false
	}
	if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") && len(host) > 1 {
		literal := host[1 : len(host)-1]
		if len(literal) >= 5 && strings.EqualFold(literal[:5], "ipv6:") {
			return isIPv6(literal[5:])
		}
		return isIPv4(literal)
	}
	return hostname416(host)
}

const (
	variable411 = `(?:[a-zA-Z0-9_]|` + escape + `)+`
	variable416 = variable411 + `(?:\.` + variable411 + `)*`
	modifier    = `(?::[1-9][0-9]{0,3}|\*)?`
	template411 = "(?:(?:[^\\x00-\\x20\"'<>%\\\\^`{|}]|" + escape + `)|\{[+#./;?&=,!@|]?` +
		variable411 + modifier + `(?:,` + variable411 + modifier + `)*\})*`
	template416 = "(?:(?:[^\\x00-\\x20\\x7f\"<>%\\\\^`{|}]|" + escape + `)|\{[+#./;?&=,!@|]?` +
		variable416 + modifier + `(?:,` + variable416 + modifier + `)*\})*`
)

// urlExpression needs look-aheads (private networks are no public URL), so it
// runs on our own engine. Letters of all scripts count up to U+FFFF.
var urlExpression = func() *regex.Regexp {
	const (
		letter   = `[a-zA-Z\u{a1}-\u{ffff}]`
		alnum    = `[a-zA-Z0-9\u{a1}-\u{ffff}]`
		private  = `(?!10(?:\.\d{1,3}){3})(?!127(?:\.\d{1,3}){3})(?!169\.254(?:\.\d{1,3}){2})(?!192\.168(?:\.\d{1,3}){2})(?!172\.(?:1[6-9]|2\d|3[0-1])(?:\.\d{1,3}){2})`
		address4 = `(?:[1-9]\d?|1\d\d|2[01]\d|22[0-3])(?:\.(?:1?\d{1,2}|2[0-4]\d|25[0-5])){2}(?:\.(?:[1-9]\d?|1\d\d|2[0-4]\d|25[0-4]))`
		name     = `(?:(?:` + alnum + `+-?)*` + alnum + `+)(?:\.(?:` + alnum + `+-?)*` + alnum + `+)*(?:\.(?:` + letter + `{2,}))`
	)
	e, err := regex.Compile(regex.ECMAUnicode, `^(?:(?:[hH][tT][tT][pP][sS]?|[fF][tT][pP]):\/\/)(?:\S+(?::\S*)?@)?(?:`+
		private+address4+`|`+name+`)(?::\d{2,5})?(?:\/[^\s]*)?$`)
	if err != nil {
		panic("cfworker: " + err.Error())
	}
	return e
}()

func url(s string) bool {
	matched, err := urlExpression.MatchString(s)
	if err != nil {
		giveUp("%v", err)
	}
	return matched
}
