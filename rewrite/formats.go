package rewrite

import (
	"slices"

	"github.com/hostmatrix/conform/schema"
)

// numericFormats are the formats of numbers that schemars and OpenAPI write, with
// the bounds they stand for.
var numericFormats = map[string][2]string{
	"int8": {"-128", "127"}, "uint8": {"0", "255"}, "int16": {"-32768", "32767"}, "uint16": {"0", "65535"},
	"int32": {"-2147483648", "2147483647"}, "uint32": {"0", "4294967295"}, "uint64": {"0", ""}, "uint": {"0", ""}, "int64": {"", ""}, "int": {"", ""},
	"float": {"", ""}, "double": {"", ""},
}

var formatRewrites = []Rewrite{
	{
		Name: "number-formats-as-bounds", Title: "Write int32 and its like as bounds",
		Doc:       "int32, uint64 and double are no formats of JSON Schema: strict validators refuse them, some silently leave the whole tool unchecked, and Ajv asserts int32.",
		Condition: "format of a number type", Loss: "the name of the number type",
		Before: `{"type":"integer","format":"uint8"}`, After: `{"type":"integer","minimum":0,"maximum":255}`, Cost: 1,
		Apply: onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
			name, _ := s.Get("format").IsString()
			bounds, ok := numericFormats[name]
			if !ok {
				return s
			}
			out := s.Without("format")
			for i, keyword := range []string{"minimum", "maximum"} {
				if bounds[i] != "" && !s.Has(keyword) && !s.Has("exclusive"+map[string]string{"minimum": "Minimum", "maximum": "Maximum"}[keyword]) {
					out = out.With(keyword, schema.MustParse(bounds[i]))
				}
			}
			return out
		}),
	},
	{
		Name: "unknown-formats-off", Title: "Leave out formats that JSON Schema does not know",
		Doc:       "A format beyond the specification's list is an error to strict validators and a note to the others.",
		Condition: "format that is none of 2020-12", Loss: "the name of the format",
		Before: `{"type":"string","format":"semver"}`, After: `{"type":"string"}`, Cost: 1,
		Apply: formatsOff(func(name string) bool { return !slices.Contains(knownFormats, name) }),
	},
	{
		Name: "time-formats-off", Title: "Leave out the formats of dates and times",
		Doc: "Half of the hosts assert date-time, and reject a time without an offset as Python and JavaScript programs often write it. " +
			"If every value is RFC 3339 with an offset, keep the format; if not, only this makes all hosts work.",
		Condition: "format date-time, date or time", Loss: "the format; say it in the description",
		Before: `{"type":"string","format":"date-time"}`, After: `{"type":"string"}`, Cost: 2,
		Apply: formatsOff(func(name string) bool {
			return name == "date-time" || name == "date" || name == "time" || name == "duration"
		}),
	},
	{
		Name: "formats-off", Title: "Leave out every format",
		Doc:       "format is a note by the specification and a test to half of the hosts, each with its own idea of a valid text.",
		Condition: "format", Loss: "the format; say it in the description",
		Before: `{"type":"string","format":"uri"}`, After: `{"type":"string"}`, Cost: 2,
		Apply: formatsOff(func(string) bool { return true }),
	},
}

// knownFormats are the formats of 2020-12, section 7.3.
var knownFormats = []string{"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri",
	"uri-reference", "iri", "iri-reference", "uuid", "uri-template", "json-pointer", "relative-json-pointer", "regex"}

func formatsOff(which func(name string) bool) func(*schema.Value) (*schema.Value, bool) {
	return onSchemas(func(s *schema.Value, _ schema.Node) *schema.Value {
		f := s.Get("format")
		if f == nil {
			return s
		}
		if name, ok := f.IsString(); ok && !which(name) {
			return s
		}
		return s.Without("format")
	})
}
