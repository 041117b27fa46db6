package operation

import (
	"strings"

	"github.com/hostmatrix/conform/validators/ajv/uri"
)

// punycodeLabels writes every label of a name, parted by dots, that holds other than
// ASCII characters as xn-- and its punycode (RFC 3492), with no mapping before: what
// the punycode libraries' toASCII does.
func punycodeLabels(name string) string {
	labels := strings.Split(name, ".")
	for i, label := range labels {
		if strings.IndexFunc(label, func(r rune) bool { return r > 0x7F }) >= 0 {
			labels[i] = "xn--" + uri.Punycode([]rune(label))
		}
	}
	return strings.Join(labels, ".")
}
