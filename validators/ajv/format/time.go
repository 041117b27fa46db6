package format

import (
	"strconv"
	"strings"
	"time"

	"github.com/hostmatrix/conform/schema"
)

var monthDays = [...]int{0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}

// isDate is YYYY-MM-DD with a day that exists, the year 0000 included.
func isDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' || !allDigits(s[:4]) || !allDigits(s[5:7]) || !allDigits(s[8:]) {
		return false
	}
	year, month, day := atoi(s[:4]), atoi(s[5:7]), atoi(s[8:])
	if month < 1 || month > 12 || day < 1 {
		return false
	}
	if month == 2 && year%4 == 0 && (year%100 != 0 || year%400 == 0) {
		return day <= 29
	}
	return day <= monthDays[month]
}

func atoi(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}

// clock is a time of day as its parts.
type clock struct {
	hour, minute int
	second       float64
	secondText   string
	zone         bool
	sign         int
	zoneHour     int
	zoneMinute   int
}

// readClock reads hh:mm:ss, an optional fraction and an optional zone: z, +hh,
// +hhmm or +hh:mm.
func readClock(s string) (c clock, ok bool) {
	if len(s) < 8 || s[2] != ':' || s[5] != ':' || !allDigits(s[:2]) || !allDigits(s[3:5]) || !allDigits(s[6:8]) {
		return c, false
	}
	c.hour, c.minute, c.sign = atoi(s[:2]), atoi(s[3:5]), 1
	end := 8
	if end < len(s) && s[end] == '.' {
		digits, _ := cutDigits(s[end+1:])
		if digits == "" {
			return c, false
		}
		end += 1 + len(digits)
	}
	c.secondText = s[6:end]
	c.second, _ = strconv.ParseFloat(c.secondText, 64)
	zone := s[end:]
	if zone == "" {
		return c, true
	}
	c.zone = true
	if zone == "z" || zone == "Z" {
		return c, true
	}
	switch zone[0] {
	case '-':
		c.sign = -1
	case '+':
	default:
		return c, false
	}
	digits := zone[1:]
	if len(digits) == 5 && digits[2] == ':' {
		digits = digits[:2] + digits[3:]
	}
	if !allDigits(digits) || len(digits) != 2 && len(digits) != 4 {
		return c, false
	}
	c.zoneHour = atoi(digits[:2])
	if len(digits) == 4 {
		c.zoneMinute = atoi(digits[2:])
	}
	return c, true
}

// isTime: a leap second only where it is 23:59:60 in UTC.
func isTime(s string, needZone bool) bool {
	c, ok := readClock(s)
	if !ok || c.zoneHour > 23 || c.zoneMinute > 59 || needZone && !c.zone {
		return false
	}
	if c.hour <= 23 && c.minute <= 59 && c.second < 60 {
		return true
	}
	minute := c.minute - c.zoneMinute*c.sign
	hour := c.hour - c.zoneHour*c.sign
	if minute < 0 {
		hour--
	}
	return (hour == 23 || hour == -1) && (minute == 59 || minute == -1) && c.second < 61
}

// splitDateTime cuts at every t and every white space.
func splitDateTime(s string) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); {
		r, n := schema.DecodeWTF8(s[i:])
		if r == 't' || r == 'T' || isSpace(r) {
			parts = append(parts, s[from:i])
			from = i + n
		}
		i += n
	}
	return append(parts, s[from:])
}

func isDateTime(s string, needZone bool) bool {
	parts := splitDateTime(s)
	return len(parts) == 2 && isDate(parts[0]) && isTime(parts[1], needZone)
}

// isDuration is P and at least one part, weeks alone, no fractions.
func isDuration(s string) bool {
	rest, ok := strings.CutPrefix(s, "P")
	if !ok || rest == "" {
		return false
	}
	if digits, tail := cutDigits(rest); digits != "" && tail == "W" {
		return true
	}
	date, clock, hasClock := strings.Cut(rest, "T")
	if !designators(date, "YMD") {
		return false
	}
	return !hasClock || clock != "" && designators(clock, "HMS")
}

// designators reads numbers that end in the given letters, each at most once and in
// that order.
func designators(s, letters string) bool {
	for s != "" {
		digits, rest := cutDigits(s)
		if digits == "" || rest == "" {
			return false
		}
		i := strings.IndexByte(letters, rest[0])
		if i < 0 {
			return false
		}
		letters, s = letters[i+1:], rest[1:]
	}
	return true
}

// compareText is how JavaScript's < and > order two non-empty strings of ASCII.
func compareText(a, b string) (int, bool) {
	if a == "" || b == "" {
		return 0, false
	}
	return strings.Compare(a, b), true
}

func compareISOTimes(a, b string) (int, bool) {
	x, ok1 := readClock(a)
	y, ok2 := readClock(b)
	if !ok1 || !ok2 {
		return 0, false
	}
	return strings.Compare(a[:2]+a[3:5]+x.secondText, b[:2]+b[3:5]+y.secondText), true
}

func compareTimes(a, b string) (int, bool) {
	return compareDateTimes("2020-01-01T"+a, "2020-01-01T"+b)
}

func compareISODateTimes(a, b string) (int, bool) {
	x, y := splitDateTime(a), splitDateTime(b)
	if a == "" || b == "" {
		return 0, false
	}
	order, ok := compareText(x[0], y[0])
	if !ok || order != 0 {
		return order, ok
	}
	if len(x) < 2 || len(y) < 2 || x[1] == "" || y[1] == "" {
		return 0, false
	}
	return compareTimes(x[1], y[1])
}

// compareDateTimes orders by instant, as Date does; the epoch itself and what Date
// can't read don't compare.
func compareDateTimes(a, b string) (int, bool) {
	x, ok1 := instant(a)
	y, ok2 := instant(b)
	if !ok1 || !ok2 || x == 0 || y == 0 {
		return 0, false
	}
	switch {
	case x < y:
		return -1, true
	case x > y:
		return 1, true
	}
	return 0, true
}

// instant is the milliseconds of Date for the forms that the formats allow.
func instant(s string) (int64, bool) {
	for _, layout := range [...]string{"2006-01-02T15:04:05Z07:00", "2006-01-02 15:04:05Z07:00",
		"2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02"} {
		if t, err := time.Parse(layout, strings.ToUpper(s)); err == nil {
			return t.UnixMilli(), true
		}
	}
	return 0, false
}
