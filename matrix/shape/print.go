package shape

import "github.com/hostmatrix/conform/schema"

// maxText bounds a text, in bytes. A message that quotes a wrong value with an
// indentation may be a thousand times as long as the value; no host is known to
// show more than a part of such a text.
const maxText = 4 << 20

// stringified is JSON.stringify(v, null, 2), or the beginning of the unindented
// text when that would be longer than maxText.
func stringified(v *schema.Value) string {
	if printedSize(v, 0, maxText) <= maxText {
		return v.Stringify("  ")
	}
	return clip(v.Stringify(""))
}

// clip cuts a text at maxText.
func clip(text string) string {
	if len(text) <= maxText {
		return text
	}
	return text[:maxText]
}

// printedSize is about the length of v printed with an indentation of two; it
// stops counting once the limit is passed.
func printedSize(v *schema.Value, depth, limit int) int {
	size := len(v.Text) + 4
	for _, item := range v.Items {
		if size > limit {
			return size
		}
		size += 2*depth + 4 + printedSize(item, depth+1, limit-size)
	}
	for _, m := range v.Members {
		if size > limit {
			return size
		}
		size += 2*depth + 8 + len(m.Key) + printedSize(m.Value, depth+1, limit-size)
	}
	return size
}
