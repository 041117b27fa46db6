package ground

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// integer is the one type that is no kind of JSON value.
const integer = schema.Kind(255)

var kinds = map[string]schema.Kind{
	"null": schema.Null, "boolean": schema.Bool, "number": schema.Number, "string": schema.String,
	"array": schema.Array, "object": schema.Object, "integer": integer,
}

func (j *judge) types(k, v *schema.Value) bool {
	if k.Kind == schema.String {
		return j.isType(k.Text, v)
	}
	for _, word := range k.Items {
		if j.isType(word.Text, v) {
			return true
		}
	}
	return false
}

func (j *judge) isType(word string, v *schema.Value) bool {
	kind := kinds[word]
	if kind != integer {
		return kind == v.Kind
	}
	switch _, fraction, written := strings.Cut(v.Text, "."); {
	case v.Kind != schema.Number:
		return false
	case !written:
		return true
	default: // 1.5 is none; whether 1.0 is one depends
		return strings.Trim(fraction, "0") == "" && j.doubt()
	}
}

// oneOf compares with constants, among which there are no arrays and objects.
func (j *judge) oneOf(constants []*schema.Value, v *schema.Value) bool {
	for _, c := range constants {
		switch {
		case c.Kind != v.Kind:
		case c.Kind == schema.Number && v.HasFraction():
			return j.doubt()
		case c.Text == v.Text && c.Bool == v.Bool:
			return true
		}
	}
	return false
}

// count is the value of a keyword that isCount.
func count(k *schema.Value) int {
	n, _ := strconv.Atoi(k.Text)
	return n
}

// whole is a number without fraction, of at most 15 digits.
func whole(v *schema.Value) int64 {
	n, _ := strconv.ParseInt(v.Text, 10, 64)
	return n
}

// formats are texts beyond doubt, by format: whatever a library takes the format
// for, and however carelessly, these it accepts. Leap seconds, offsets, years before
// 1900, the 29th of any month and rare top level domains are not among them.
var formats = map[string]*regexp.Regexp{
	"date":      regexp.MustCompile(`^` + day + `$`),
	"date-time": regexp.MustCompile(`^` + day + `T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]{3}|\.[0-9]{6})?Z$`),
	"email":     regexp.MustCompile(`^[a-z]+([.-]?[a-z0-9])*@[a-z]+([.-]?[a-z0-9])*\.(com|org|net|edu)$`),
	"uri":       regexp.MustCompile(`^https?://[a-z]+([.-]?[a-z0-9])*\.[a-z]{2,6}(/[A-Za-z0-9_.-]+)*/?$`),
	"uuid":      regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
}

const day = `(19|20)[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])`

// fitsNumber knows the formats of numbers that generators of Rust, Go and OpenAPI
// write, and ajv-formats in part.
func fitsNumber(format string, v *schema.Value) bool {
	switch format {
	case "float", "double":
		return true
	case "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64":
		return !v.HasFraction() && -1<<31 <= whole(v) && whole(v) < 1<<31
	}
	return false
}
