package networknt

import (
	"encoding/base64"

	"regexp"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

// format decides one format; more is what the error says after "pattern".
type format struct {
	matches func(s string) bool
	more    string
}

// Formats are asserted up to draft-07 only. Those that need tables of their own
// (internationalised names) or a library that was not looked into are not
// answered: a nil matches gives up.
var formats = map[string]format{
	"alpha":        {whole(`[a-zA-Z]+`), ""},
	"alphanumeric": {whole(`[a-zA-Z0-9]+`), ""},
	"ip-address":   {whole(`(?:(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)\.){3}(?:25[0-5]|2[0-4][0-9]|[01]?[0-9][0-9]?)`), ""},
	"phone":        {whole(`\+(?:[0-9] ?){6,14}[0-9]`), ""},
	"utc-millisec": {whole(`[0-9]+(?:\.?[0-9]+)?`), ""},
	"color": {java("(#?([0-9A-Fa-f]{3,6})\\b)|(aqua)|(black)|(blue)|(fuchsia)|(gray)|(green)|(lime)|(maroon)|(navy)|(olive)|(orange)|(purple)|(red)|(silver)|(teal)|(white)|(yellow)" +
		"|(rgb\\(\\s*\\b" + octet + "\\b\\s*,\\s*\\b" + octet + "\\b\\s*,\\s*\\b" + octet + "\\b\\s*\\))|(rgb\\(\\s*" + percent + "\\s*,\\s*" + percent + "\\s*,\\s*" + percent + "\\s*\\))"), ""},
	"style":                 {java(`\s*(.+?):\s*([^;]+);?`), ""},
	"date":                  {isDate, " must be a valid RFC 3339 full-date"},
	"date-time":             {isDateTime, " must be a valid RFC 3339 date-time"},
	"time":                  {isTime, " must be a valid RFC 3339 time"},
	"duration":              {isDuration, " must be a valid ISO 8601 duration"},
	"email":                 {isEmail, " must be a valid RFC 5321 Mailbox"},
	"hostname":              {whole(label + `(?:\.` + label + `)*`), " must be a valid RFC 1123 host name"},
	"idn-email":             {isEmail, " must be a valid RFC 6531 Mailbox"},
	"idn-hostname":          {nil, " must be a valid RFC 5890 internationalized hostname"},
	"ipv4":                  {whole(octet + `(?:\.` + octet + `){3}`), " must be a valid RFC 2673 IP address"},
	"ipv6":                  {isIPv6, " must be a valid RFC 4291 IP address"},
	"iri":                   {uriFormat(true, false), " must be a valid RFC 3987 IRI"},
	"iri-reference":         {uriFormat(false, false), " must be a valid RFC 3987 IRI-reference"},
	"json-pointer":          {whole(`(?:/(?:[^/#~]|~[01])*)*`), " must be a valid RFC 6901 JSON Pointer"},
	"regex":                 {nil, " must be a valid ECMA-262 regular expression"},
	"relative-json-pointer": {whole(`(?:0|[1-9]\d*)(?:#|(?:/(?:[^/#~]|~[01])*)*)`), " must be a valid IETF Relative JSON Pointer"},
	"uri":                   {uriFormat(true, true), " must be a valid RFC 3986 URI"},
	"uri-reference":         {uriFormat(false, true), " must be a valid RFC 3986 URI-reference"},
	"uri-template":          {java(template), " must be a valid RFC 6570 URI Template"},
	"uuid":                  {whole(hex + `{8}-` + hex + `{4}-` + hex + `{4}-` + hex + `{4}-` + hex + `{12}`), " must be a valid RFC 4122 UUID"},
}

const (
	hex   = `[0-9a-fA-F]`
	octet = `(?:[0-9]|[1-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])`
	label = `(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9\-]{0,61}[a-zA-Z0-9])`
)

const (
	percent  = `(?:\d?\d%|100%)+`
	variable = `(?:\w|%\p{XDigit}{2})(?:\.?(?:\w|%\p{XDigit}{2}))*(?::[1-9]\d{0,3}|\*)?`
	template = "(?:[^\\p{Cntrl}\"'%<>\\^`\\{|\\}]|%\\p{XDigit}{2}|\\{[+#./;?&=,!@|]?" + variable + "(?:," + variable + ")*\\})*"
)

// java matches a whole string with java.util.regex.
func java(pattern string) func(string) bool {
	compiled, err := regex.Compile(regex.Java, `\A(?:`+pattern+`)\z`)
	if err != nil {
		panic("networknt: " + err.Error())
	}
	return func(s string) bool {
		matched, err := compiled.MatchString(s)
		if err != nil {
			giveUp("%v", err)
		}
		return matched
	}
}

func whole(expression string) func(string) bool {
	return regexp.MustCompile(`^(?:` + expression + `)$`).MatchString
}

func newFormat(b *builder, _ location, n *node, parent *schemaNode) check {
	f, known := formats[n.str]
	if n.kind != kindString || !known || parent.dialect.order >= 2019 {
		return ignore
	}
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindString {
			return
		}
		matches := f.matches
		if n.str == "regex" {
			matches = b.isPattern
		}
		if matches == nil {
			giveUp("the format %s of networknt is not modelled", n.str)
		}
		if !matches(instance.str) {
			e.fail(at, "format", "does not match the "+n.str+" pattern"+f.more)
		}
	}
}

func (b *builder) isPattern(s string) (ok bool) {
	defer func() {
		if caught := recover(); caught != nil {
			if _, refused := caught.(*thrown); !refused {
				panic(caught)
			}
			ok = false
		}
	}()
	b.compile(s)
	return true
}

var dateExpression = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)$`)

func isDate(s string) bool {
	m := dateExpression.FindStringSubmatch(s)
	return m != nil && validDay(number(m[1]), number(m[2]), number(m[3]))
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

func validDay(year, month, day int) bool {
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[month-1]
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		days++
	}
	return day <= days
}

// leapSeconds are the months that ended with one, as the ITU library lists them.
var leapSeconds = func() map[string]bool {
	out := map[string]bool{}
	for _, month := range strings.Fields(`1972-06 1972-12 1973-12 1974-12 1975-12 1976-12 1977-12 1978-12 1979-12 1981-06 1982-06 1983-06 1985-06
		1987-12 1989-12 1990-12 1992-06 1993-06 1994-06 1995-12 1997-06 1998-12 2005-12 2008-12 2012-06 2015-06 2016-12`) {
		out[month] = true
	}
	return out
}()

var dateTimeExpression = regexp.MustCompile(`^(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.\d{1,9})?(?:[Zz]|([+-])(\d\d):(\d\d)) ?$`)

// isDateTime is RFC 3339 as the ITU library reads it: T, t or a space, seconds and
// a zone of at most 18 hours, not -00:00. One space after it does not disturb.
func isDateTime(s string) bool {
	m := dateTimeExpression.FindStringSubmatch(s)
	if m == nil || !validDay(number(m[1]), number(m[2]), number(m[3])) {
		return false
	}
	hour, minute, second := number(m[4]), number(m[5]), number(m[6])
	offset := number(m[8])*60 + number(m[9])
	if hour > 23 || minute > 59 || second > 60 || number(m[9]) > 59 || offset > 18*60 || m[7] == "-" && offset == 0 {
		return false
	}
	if second < 60 {
		return true
	}
	if offset != 0 {
		giveUp("a leap second with an offset under date-time")
	}
	return hour == 23 && minute == 59 && leapSeconds[m[1]+"-"+m[2]]
}

var timeExpression = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d)(?:\.\d{0,9})?(?:[Zz]|([+-])(\d\d):(\d\d))`)

// isTime parses a prefix: what follows is not looked at, unless there is a Z, which
// must be the last.
func isTime(s string) bool {
	if i := strings.IndexByte(s, 'Z'); i >= 0 && i != len(s)-1 {
		return false
	}
	m := timeExpression.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	hour, minute, second := number(m[1]), number(m[2]), number(m[3])
	offset := number(m[5])*60 + number(m[6])
	if offset >= 24*60 || number(m[6]) > 59 {
		return false
	}
	if hour <= 23 && minute <= 59 && second <= 59 {
		return true
	}
	if m[4] == "-" {
		offset = -offset
	}
	utc := (hour-offset/60)*60 + minute - offset%60
	return second == 60 && (utc+24*60)%(24*60) == 23*60+59
}

var durationExpression = whole(`[pP](?:\d+[wW]|(?:\d+[yY])?(?:\d+[mM])?(?:\d+[dD])?(?:[tT](?:\d+[hH])?(?:\d+[mM])?(?:\d+[sS])?)?)`)

func isDuration(s string) bool {
	return !strings.HasSuffix(s, "P") && !strings.HasSuffix(s, "T") && durationExpression(s)
}

var ipv6Groups = regexp.MustCompile(`^` + hex + `{1,4}$`)
var dotted = whole(`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)){3}`)

// isIPv6 counts groups; "::" stands for at least one, a dotted tail for two.
func isIPv6(s string) bool {
	if strings.TrimSpace(s) != s || strings.Contains(s, "%") || strings.Count(s, "::") > 1 || strings.Contains(s, ":::") {
		return false
	}
	head, tail, open := strings.Cut(s, "::")
	count := 0
	for i, part := range []string{head, tail} {
		if part == "" {
			if !open && i == 0 {
				return false
			}
			continue
		}
		groups := strings.Split(part, ":")
		for k, g := range groups {
			last := k == len(groups)-1 && (i == 1 || !open)
			switch {
			case ipv6Groups.MatchString(g):
				count++
			case last && dotted(g):
				count += 2
			default:
				return false
			}
		}
	}
	return open && count <= 7 || !open && count == 8
}

// newContentEncoding decodes base64 in draft-07.
func newContentEncoding(_ *builder, _ location, n *node, _ *schemaNode) check {
	encoding := n.asString()
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindString || encoding != "base64" {
			return
		}
		if _, ok := decodeBase64(instance.str); !ok {
			e.fail(at, "contentEncoding", "does not match content encoding "+encoding)
		}
	}
}

// decodeBase64 is java.util.Base64's basic decoder: padding is optional, line
// breaks are not allowed.
func decodeBase64(s string) (string, bool) {
	decoded, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		decoded, err = base64.RawStdEncoding.DecodeString(s)
	}
	return string(decoded), err == nil && !strings.ContainsAny(s, "\r\n")
}

const mediaToken = "[0-9A-Za-z!#$%&'*+.^_`|~-]+"

var mediaType = whole(`(?:application|audio|font|example|image|message|model|multipart|text|video|x-` + mediaToken + `)/` + mediaToken +
	`(?:[ \t]*;[ \t]*` + mediaToken + `=(?:` + mediaToken + `|"(?:[^"\\]|\\.)*"))*`)

// newContentMediaType parses application/json in draft-07, and asks of others only
// that the name is one.
func newContentMediaType(_ *builder, _ location, n *node, parent *schemaNode) check {
	name := n.asString()
	encoding, _ := text(parent.node, "contentEncoding")
	return func(e *execution, instance *node, at path) {
		if instance.kind != kindString {
			return
		}
		valid := mediaType(name)
		if name == "application/json" {
			data := instance.str
			if encoding == "base64" {
				decoded, ok := decodeBase64(data)
				if !ok {
					return
				}
				data = decoded
			}
			_, err := schema.Parse([]byte(data), schema.Limits{Depth: 1000})
			valid = err == nil || strings.Trim(data, " \t\r\n") == "" // no document is a missing node, not an error
		}
		if !valid {
			e.fail(at, "contentMediaType", "is not a content media type")
		}
	}
}
