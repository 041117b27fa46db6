package operation

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"image"
	_ "image/gif"
	_ "image/jpeg"
	_ "image/png"
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

// Bounds on what is decoded: pictures beyond them are judged by how they start.
const (
	maxPictureBytes  = 4 << 20
	maxPicturePixels = 4 << 20
)

// decodes reports whether a picture in base64 is whole: a PNG, JPEG or GIF that can be
// decoded, a WebP whose length is the one that it gives. Source: Copilot CLI 1.0.102,
// opencode 1.18.33 and Kilo Code 7.7.7 leave cut pictures out (observed).
func decodes(data string) bool {
	if !isPicture(data) {
		return false
	}
	if base64.StdEncoding.DecodedLen(len(data)) > maxPictureBytes {
		return true
	}
	raw, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		return false
	}
	if imageType(data) == "image/webp" {
		return uint64(len(raw)) >= uint64(binary.LittleEndian.Uint32(raw[4:8]))+8
	}
	config, _, err := image.DecodeConfig(bytes.NewReader(raw))
	if err != nil {
		return false
	}
	if int64(config.Width)*int64(config.Height) > maxPicturePixels {
		return true
	}
	_, _, err = image.Decode(bytes.NewReader(raw))
	return err == nil
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
