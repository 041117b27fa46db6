package recording

import (
	"bytes"
	"slices"
	"sync"
	"unicode"
)

// Literals are secrets that are known: they are found in every spelling of
// [Spellings], and in pieces, as a server sends them that streams a text or cuts it. Of
// a secret that does not look generated only pieces of its encoded forms are: its words
// and addresses stand everywhere. The zero value knows none. It may be used from
// several goroutines.
type Literals struct {
	mu     sync.RWMutex
	forms  [][]byte
	mixed  []*mixed
	pieces map[uint64][]piece // by their first bytes
	filter [1 << 10]uint64    // a bit for the hash of each key of pieces
}

// piece is a short part of a form of a secret by which longer parts are found.
type piece struct {
	form []byte
	at   int
	min  int // shortest part that is replaced
}

// pieceLength makes every part of twice that length, less one, hold a whole piece.
const pieceLength = 6

// Add makes a text a secret.
func (l *Literals) Add(secret string) {
	if secret == "" {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if slices.ContainsFunc(l.forms, func(known []byte) bool { return string(known) == secret }) {
		return
	}
	for _, form := range Spellings(secret) {
		l.forms = append(l.forms, []byte(form))
	}
	// The longest first, so that a spelling that contains another goes as a whole.
	slices.SortStableFunc(l.forms, func(a, b []byte) int { return len(b) - len(a) })
	if m := newMixed(secret); m != nil {
		l.mixed = append(l.mixed, m)
	}
	if LooksGenerated(secret) {
		l.cut(secret, 12)
	}
	if len(secret) < minEncoded {
		return
	}
	for _, form := range hexForms(secret) {
		l.cut(form, 20)
	}
	for _, form := range inner64Forms(secret) {
		l.cut(form, 16)
	}
}

// cut notes the pieces of a form; shorter parts than min stay.
func (l *Literals) cut(form string, min int) {
	if l.pieces == nil {
		l.pieces = map[uint64][]piece{}
	}
	for at := 0; at+pieceLength <= len(form); at += pieceLength {
		key := pieceKey([]byte(form[at:]))
		l.pieces[key] = append(l.pieces[key], piece{[]byte(form), at, min})
		bit := filterBit(key)
		l.filter[bit>>6] |= 1 << (bit & 63)
	}
}

// pieceKey packs the first bytes of a text, which has as many.
func pieceKey(b []byte) (key uint64) {
	for _, c := range b[:pieceLength] {
		key = key<<8 | uint64(c)
	}
	return key
}

func filterBit(key uint64) uint64 { return key * 0x9E3779B97F4A7C15 >> 48 }

// Clean returns raw without any known secret, and whether it held one; raw itself
// when it holds none.
func (l *Literals) Clean(raw []byte) (out []byte, hit bool) {
	out = raw
	l.mu.RLock()
	defer l.mu.RUnlock()
	for _, s := range l.forms {
		if bytes.Contains(out, s) {
			out, hit = bytes.ReplaceAll(out, s, []byte(Redacted)), true
		}
	}
	spans := l.parts(out)
	for _, m := range l.mixed {
		spans = m.spans(out, spans)
	}
	return replace(out, spans), hit || len(spans) > 0
}

// parts finds the parts of secrets. One pass over the text serves all of them.
func (l *Literals) parts(raw []byte) (out []span) {
	if len(l.pieces) == 0 || len(raw) < pieceLength {
		return nil
	}
	const mask = 1<<(8*pieceLength) - 1
	key := pieceKey(raw) >> 8
	for end := pieceLength; end <= len(raw); end++ {
		key = (key<<8 | uint64(raw[end-1])) & mask
		bit := filterBit(key)
		if l.filter[bit>>6]&(1<<(bit&63)) == 0 {
			continue
		}
		for _, p := range l.pieces[key] {
			if s := p.grow(raw, end-pieceLength); s.to-s.from >= p.min && bytes.ContainsAny(raw[s.from:s.to], "0123456789") {
				out = append(out, s)
			}
		}
	}
	return out
}

// grow returns the whole part of the form around the piece that begins at.
func (p piece) grow(raw []byte, at int) span {
	s := span{at, at + pieceLength}
	for i := p.at - 1; i >= 0 && s.from > 0 && raw[s.from-1] == p.form[i]; i-- {
		s.from--
	}
	for i := p.at + pieceLength; i < len(p.form) && s.to < len(raw) && raw[s.to] == p.form[i]; i++ {
		s.to++
	}
	return s
}

// LooksGenerated reports whether a text looks like a generated credential: 20 or more
// letters, digits and -_.=+ with both letters and digits among them, or such a text
// of base64 with slashes.
func LooksGenerated(s string) bool {
	if len(s) < 20 || len(s) >= 4 && s[:4] == "http" {
		return false
	}
	upper, lower, digits, slashes := 0, 0, 0, 0
	for _, r := range s {
		switch {
		case unicode.IsDigit(r):
			digits++
		case r >= 'A' && r <= 'Z':
			upper++
		case r >= 'a' && r <= 'z':
			lower++
		case r == '/':
			slashes++
		case r != '-' && r != '_' && r != '.' && r != '=' && r != '+':
			return false
		}
	}
	if slashes > 0 && (s[0] == '/' || upper < 4 || lower < 4 || len(s)%4 != 0 || bytes.ContainsAny([]byte(s), "-_.")) {
		return false // a path, or a name with a scope
	}
	return upper+lower >= 4 && digits >= 4
}
