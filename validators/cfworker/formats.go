package cfworker

import (
	"regexp"
	"strconv"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators/regex"
)

// format decides one format on a string.
type format func(s string) bool

// conforms is `format[name] && !format[name](s)`: the library keeps its formats in
// a plain object, so that names of Object.prototype are formats, too.
func (e *evaluation) conforms(s, name string) bool {
	if check := e.formats[name]; check != nil {
		return check(s)
	}
	switch name {
	case "__proto__":
		throw("format[$format] is not a function")
	case "__defineGetter__", "__defineSetter__":
		throw("Object.prototype.%s: Expecting function", name)
	case "hasOwnProperty", "propertyIsEnumerable":
		return e.formats[s] != nil
	case "isPrototypeOf", "__lookupGetter__", "__lookupSetter__":
		return false
	}
	return true // unknown, or a method that returns something truthy
}

// match returns a format that is one expression, anchored at both ends. Letters
// match in either case.
func match(expression string) format {
	compiled := regexp.MustCompile(`^(?:` + expression + `)$`)
	return compiled.MatchString
}

// formats411 are those of release 4.1.1. Observed by running it.
var formats411 = map[string]format{
	"date":                      date,
	"time":                      func(s string) bool { return time411(s, false) },
	"date-time":                 func(s string) bool { return dateTime(s, time411) },
	"duration":                  duration411,
	"uri":                       uri,
	"uri-reference":             uriReference,
	"uri-template":              match(template411),
	"url":                       url,
	"email":                     email411,
	"hostname":                  hostname411,
	"ipv4":                      match(ipv4),
	"ipv6":                      match(ipv6),
	"regex":                     isPattern,
	"uuid":                      match(`(?:[uU][rR][nN]:[uU][uU][iI][dD]:)?` + uuid),
	"json-pointer":              match(jsonPointer),
	"json-pointer-uri-fragment": match(`#(?:/(?:[a-zA-Z0-9_\-.!$&'()*+,;:=@]|` + escape + `|~0|~1)*)*`),
	"relative-json-pointer":     match(`(?:0|[1-9][0-9]*)(?:#|` + jsonPointer + `)`),
}

// formats416 are those of release 4.1.6: what changed since.
var formats416 = derive(formats411, map[string]format{
	"time":         func(s string) bool { return time416(s, true) },
	"date-time":    func(s string) bool { return dateTime(s, time416) },
	"duration":     match(duration416),
	"uri-template": match(template416),
	"email":        email416,
	"hostname":     hostname416,
	"uuid":         match(uuid),
})

func derive(from, changes map[string]format) map[string]format {
	out := make(map[string]format, len(from))
	for name, f := range from {
		out[name] = f
	}
	for name, f := range changes {
		out[name] = f
	}
	return out
}

const (
	hex         = `[0-9a-fA-F]`
	escape      = `%` + hex + hex
	uuid        = hex + `{8}-(?:` + hex + `{4}-){3}` + hex + `{12}`
	jsonPointer = `(?:/(?:[^~/]|~0|~1)*)*`
)

var daysIn = [...]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

var dateExpression = regexp.MustCompile(`^(\d\d\d\d)-(\d\d)-(\d\d)$`)

func date(s string) bool {
	m := dateExpression.FindStringSubmatch(s)
	if m == nil {
		return false
	}
	year, month, day := digits(m[1]), digits(m[2]), digits(m[3])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return day <= 29
	}
	return day <= daysIn[month]
}

func digits(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

var time411Expression = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([zZ]|[+-]\d\d(?::?\d\d)?)?$`)

// time411 does not look into the offset; a leap second is one at 23:59:60 only.
func time411(s string, zoned bool) bool {
	m := time411Expression.FindStringSubmatch(s)
	if m == nil || zoned && m[4] == "" {
		return false
	}
	hour, minute, second := digits(m[1]), digits(m[2]), digits(m[3])
	return hour <= 23 && minute <= 59 && second <= 59 || hour == 23 && minute == 59 && second == 60
}

var time416Expression = regexp.MustCompile(`^(\d\d):(\d\d):(\d\d)(?:\.\d+)?([zZ]|([+-])(\d\d):(\d\d))?$`)

// time416 asks for a leap second at 23:59:60 UTC.
func time416(s string, zoned bool) bool {
	m := time416Expression.FindStringSubmatch(s)
	if m == nil || zoned && m[4] == "" {
		return false
	}
	hour, minute, second := digits(m[1]), digits(m[2]), digits(m[3])
	offset := digits(m[6])*60 + digits(m[7])
	if hour > 23 || minute > 59 || second > 60 || digits(m[6]) > 23 || digits(m[7]) > 59 {
		return false
	}
	if m[5] == "-" {
		offset = -offset
	}
	const day = 24 * 60
	return second < 60 || (hour*60+minute-offset+day)%day == day-1
}

// dateTime splits at each t, T or white space.
func dateTime(s string, time func(string, bool) bool) bool {
	parts := splitDateTime(s)
	return len(parts) == 2 && date(parts[0]) && time(parts[1], true)
}

func splitDateTime(s string) (parts []string) {
	start := 0
	for i, r := range s {
		if r == 't' || r == 'T' || isSpace(r) {
			parts = append(parts, s[start:i])
			start = i + len(string(r))
		}
	}
	return append(parts, s[start:])
}

var (
	weeks411     = regexp.MustCompile(`^P\d+(?:[.,]\d+)?W$`)
	duration411A = regexp.MustCompile(`^P[\dYMDTHS]*(?:\d[.,]\d+)?[YMDHS]$`)
	duration411B = regexp.MustCompile(`^P(?:[.,\d]+Y)?(?:[.,\d]+M)?(?:[.,\d]+D)?(?:T(?:[.,\d]+H)?(?:[.,\d]+M)?(?:[.,\d]+S)?)?$`)
)

func duration411(s string) bool {
	size := schema.UTF16Len(s)
	return size > 1 && size < 80 && (weeks411.MatchString(s) || duration411A.MatchString(s) && duration411B.MatchString(s))
}

const (
	clock416    = `T(?:\d+H(?:\d+M(?:\d+S)?)?|\d+M(?:\d+S)?|\d+S)`
	duration416 = `P(?:\d+W|(?:\d+Y(?:\d+M(?:\d+D)?)?|\d+M(?:\d+D)?|\d+D)(?:` + clock416 + `)?|` + clock416 + `)`
)

var endAnchor = regexp.MustCompile(`[^\\]\\Z`)

// isPattern is the format regex: an expression of the u flag, without \Z.
func isPattern(s string) bool {
	if endAnchor.MatchString(s) {
		return false
	}
	_, err := regex.Compile(regex.ECMAUnicode, s)
	if err == nil {
		return true
	}
	if _, ok := refused(err); !ok {
		giveUp("%v", err)
	}
	return false
}
