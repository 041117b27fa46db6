package operation

import (
	"encoding/base64"
	"slices"
	"strings"
)

// signatures are how the data of images starts; . stands for any byte. Source: the
// table of @ai-sdk/provider-utils under @ai-sdk/mcp 2.0.99, which agrees with the formats' own
// specifications.
var signatures = []struct{ mime, start string }{
	{"image/gif", "GIF87a"}, {"image/gif", "GIF89a"},
	{"image/png", "\x89PNG"},
	{"image/jpeg", "\xff\xd8"},
	{"image/webp", "RIFF....WEBP"},
	{"image/bmp", "BM....\x00\x00\x00\x00"},
	{"image/tiff", "II*\x00"}, {"image/tiff", "MM\x00*"},
	{"image/avif", "\x00\x00\x00.ftypavif"}, {"image/heic", "\x00\x00\x00.ftypheic"},
}

// imageType is the MIME type of an image in base64 as its first bytes say, "" where
// they say nothing.
func imageType(data string) string {
	const enough = 24 // characters that hold the first 18 bytes
	start, err := base64.StdEncoding.DecodeString(data[:min(len(data), enough)])
	if err != nil {
		return ""
	}
	for _, s := range signatures {
		if len(start) >= len(s.start) && startsAs(start, s.start) {
			return s.mime
		}
	}
	return ""
}

func startsAs(data []byte, start string) bool {
	for i := range len(start) {
		if start[i] != '.' && start[i] != data[i] {
			return false
		}
	}
	return true
}

// isPicture reports whether the data is of a format that models take: PNG, JPEG, GIF
// or WebP.
func isPicture(data string) bool {
	return slices.Contains([]string{"image/png", "image/jpeg", "image/gif", "image/webp"}, imageType(data))
}

// plainMIME is a MIME type in lower case, without parameters and by its registered
// name.
func plainMIME(mime string) string {
	mime, _, _ = strings.Cut(mime, ";")
	mime = strings.ToLower(strings.TrimSpace(mime))
	if mime == "image/jpg" {
		return "image/jpeg"
	}
	return mime
}
