package shape

import (
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// systemTextJSONWords is System.Text.Json with the web defaults (the C# SDK):
// member names match without regard to case, numbers may stand in strings, null
// suits every reference, required members are looked for at the end. Written down
// from the SDK's source; the position that ends the real text is left out.
var systemTextJSONWords = &words{
	rules: rules{first: true, documentOrder: true, foldCase: true, missingLast: true, nullIsAbsent: true, accepts: acceptsSystemTextJSON},
	issue: func(f *fault) Issue {
		return Issue{Code: "json", Expected: expectation(f.node), Received: jsType(f.value), Message: systemTextJSONMessage(f)}
	},
	text: func(_ *Shape, _ string, issues []Issue) string {
		f := issues[0].fault
		if f.value == nil || f.kind == faultTag {
			return issues[0].Message
		}
		return issues[0].Message + " Path: " + dollarPath(f.path)
	},
}

func acceptsSystemTextJSON(n *node, v *schema.Value) bool {
	if v != nil && v.Kind == schema.String && (n.kind == kindNumber || n.kind == kindInteger) {
		_, err := strconv.ParseFloat(v.Text, 64)
		return err == nil
	}
	return acceptsSerde(n, v)
}

var systemTextJSONTypes = map[kind]string{
	kindString: "System.String", kindBoolean: "System.Boolean", kindNumber: "System.Single", kindInteger: "System.Int64",
	kindRecord: "System.Text.Json.Nodes.JsonObject",
}

func systemTextJSONMessage(f *fault) string {
	switch {
	case f.kind == faultTag:
		name, _ := f.value.Get(f.node.tag).IsString()
		return "Unknown content type: '" + name + "'"
	case f.value == nil && len(f.path) > 0:
		last := f.path[len(f.path)-1]
		return "JSON deserialization for type '" + last.in.name + "' was missing required properties including: '" + last.key + "'."
	}
	name := f.node.name
	if name == "" {
		name = systemTextJSONTypes[f.node.kind]
	}
	return "The JSON value could not be converted to " + name + "."
}

// dollarPath writes $.tools[1].annotations.readOnlyHint.
func dollarPath(path []step) string {
	var out strings.Builder
	out.WriteByte('$')
	for _, s := range path {
		if s.array {
			out.WriteString("[" + strconv.Itoa(s.index) + "]")
		} else {
			out.WriteString("." + s.key)
		}
	}
	return out.String()
}
