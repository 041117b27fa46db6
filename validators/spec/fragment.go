package spec

import "net/url"

// unescapeFragment decodes percent escapes; a broken one leaves the text as it is.
func unescapeFragment(fragment string) string {
	if decoded, err := url.PathUnescape(fragment); err == nil {
		return decoded
	}
	return fragment
}
