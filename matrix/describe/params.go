package describe

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/hostmatrix/conform/capabilities"
)

var parameter = regexp.MustCompile(`"(\w+)"( units?|s\b)?`)

// unset is what stands for a parameter that an operation leaves open.
var unset = map[string]string{"separator": "a line break", "unit": "UTF-16 unit"}

// units are in words what the parameter "unit" names.
var units = map[string]string{"utf16": "UTF-16 unit", "bytes": "byte"}

// filled puts the parameters of an operation into its documentation, which names
// them in quotes; what is quoted and no parameter stays.
func filled(doc string, op capabilities.Op) string {
	var given map[string]any
	if json.Unmarshal(op.Params, &given) != nil {
		return doc
	}
	return parameter.ReplaceAllStringFunc(doc, func(found string) string {
		m := parameter.FindStringSubmatch(found)
		value, has := given[m[1]]
		text := unset[m[1]]
		if has {
			text = words(value)
			if unit := units[fmt.Sprint(value)]; m[1] == "unit" && unit != "" {
				text = unit
			}
		}
		if text == "" || m[1] == "op" {
			return found
		}
		return text + m[2]
	})
}

// listedMax is how many members of a list are named.
const listedMax = 12

// words writes a parameter's value for a person.
func words(value any) string {
	switch v := value.(type) {
	case string:
		if strings.TrimSpace(v) == "" {
			return map[string]string{"": "nothing", "\n": "a line break", "\n\n": "an empty line", " ": "a blank"}[v]
		}
		return quote(v)
	case []any:
		var out []string
		for i, item := range v {
			if i == listedMax {
				out = append(out, fmt.Sprintf("%d more", len(v)-i))
				break
			}
			if s, ok := item.(string); ok {
				out = append(out, s)
			} else {
				out = append(out, words(item))
			}
		}
		return strings.Join(out, ", ")
	case float64:
		return fmt.Sprintf("%.0f", v)
	}
	data, err := json.Marshal(value)
	if err != nil || len(data) > 120 {
		return ""
	}
	return string(data)
}
