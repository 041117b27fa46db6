package format

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// Six returns the built-in table of Ajv 6 in its default "fast" mode. Source: the
// library's documentation of the formats option; edges observed on 6.15.0.
func Six() Set { return six }

var six = Set{
	"date":                      {Text: isDateShape},
	"time":                      {Text: isFastTime},
	"date-time":                 {Text: isFastDateTime},
	"uri":                       {Text: isFastURI},
	"uri-reference":             {Text: isFastReference},
	"uri-template":              {Text: isURITemplate},
	"url":                       {Text: isURLSix},
	"email":                     {Text: isFastEmail},
	"hostname":                  {Text: isHostname},
	"ipv4":                      {Text: isIPv4Padded},
	"ipv6":                      {Text: isIPv6Zoned},
	"regex":                     {Text: isRegex},
	"uuid":                      {Text: isUUID},
	"json-pointer":              {Text: isJSONPointer},
	"json-pointer-uri-fragment": {Text: isPointerFragment},
	"relative-json-pointer":     {Text: isRelativePointer},
}

// isDateShape: a month up to 19 and a day up to 39.
func isDateShape(s string) bool {
	return len(s) == 10 && allDigits(s[:4]) && s[4] == '-' && allDigits(s[5:7]) && s[5] <= '1' &&
		s[7] == '-' && allDigits(s[8:]) && s[8] <= '3'
}

// cutFastClock reads hh:mm:ss with an hour up to 29, or 23:59:60, and a fraction.
func cutFastClock(s string) (rest string, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' || !allDigits(s[:2]) || !allDigits(s[3:5]) || !allDigits(s[6:8]) {
		return "", false
	}
	if !(s[0] <= '2' && s[3] <= '5' && s[6] <= '5') && s[:8] != "23:59:60" {
		return "", false
	}
	rest = s[8:]
	if strings.HasPrefix(rest, ".") {
		digits, tail := cutDigits(rest[1:])
		if digits == "" {
			return "", false
		}
		rest = tail
	}
	return rest, true
}

func isFastZone(s string) bool {
	switch {
	case s == "z" || s == "Z":
		return true
	case s == "" || s[0] != '+' && s[0] != '-':
		return false
	}
	digits := s[1:]
	if len(digits) == 5 && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	return allDigits(digits) && (len(digits) == 2 || len(digits) == 4)
}

func isFastTime(s string) bool {
	rest, ok := cutFastClock(s)
	return ok && (rest == "" || isFastZone(rest))
}

func isFastDateTime(s string) bool {
	if len(s) < 11 || !isDateShape(s[:10]) {
		return false
	}
	r, n := schema.DecodeWTF8(s[10:])
	if r != 't' && r != 'T' && !isSpace(r) {
		return false
	}
	rest, ok := cutFastClock(s[10+n:])
	return ok && isFastZone(rest)
}

func isFastURI(s string) bool {
	rest, ok := cutScheme(s)
	return ok && !hasSpace(rest)
}

// isFastReference: no white space, one "#", no backslash first or after the "#".
func isFastReference(s string) bool {
	if hasSpace(s) {
		return false
	}
	before, fragment, _ := strings.Cut(s, "#")
	if strings.ContainsAny(fragment, `\`) {
		return false
	}
	if !strings.HasPrefix(before, `\`) {
		return true
	}
	return false
}

func isFastEmail(s string) bool {
	local, host, ok := strings.Cut(s, "@")
	if !ok || local == "" || !only(local, ".!#$%&'*+/=?^_`{|}~-", false) {
		return false
	}
	for _, label := range strings.Split(host, ".") {
		if !isLabel(label) || len(label) > 63 {
			return false
		}
	}
	return true
}

// isIPv4Padded allows leading zeros.
func isIPv4Padded(s string) bool {
	parts := strings.Split(s, ".")
	for _, p := range parts {
		if !isOctet(p) {
			return false
		}
	}
	return len(parts) == 4
}

// isIPv6Zoned allows a zone and white space around.
func isIPv6Zoned(s string) bool {
	s = trimSpace(s)
	address, zone, ok := strings.Cut(s, "%")
	if ok && (zone == "" || strings.ContainsAny(zone, "\n\r\u2028\u2029")) {
		return false
	}
	return isIPv6(address)
}

func trimSpace(s string) string { return strings.TrimFunc(s, isSpace) }

// isURLSix is the url format; Ajv 6 spells the same expression without the u flag.
func isURLSix(s string) bool { return isURL(s) }
