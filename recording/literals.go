package recording

import (
	"bytes"
	"slices"
	"sync"
	"unicode"
)

// Literals are secrets that are known: they are found in every spelling of
// [Spellings], and those that look generated also in pieces, as a server sends them
// that streams a text or cuts it. The zero value knows none. It may be used from
// several goroutines.
type Literals struct {
	mu     sync.RWMutex
	forms  [][]byte
	pieces []piece
}

// piece is a short part of a secret by which longer parts are found.
type piece struct {
	secret []byte
	at     int
}

const (
	// pieceLength makes every part of twice that length, less one, hold one whole piece.
	pieceLength = 6
	// minPart is the shortest part of a secret that is replaced.
	minPart = 12
	// maxPieces bounds the searches for one secret.
	maxPieces = 64
)

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
	if !LooksGenerated(secret) {
		return // pieces of words and of addresses stand everywhere
	}
	step := max(pieceLength, len(secret)/maxPieces)
	for at := 0; at+pieceLength <= len(secret); at += step {
		l.pieces = append(l.pieces, piece{[]byte(secret), at})
	}
}

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
	var spans []span
	for _, p := range l.pieces {
		spans = p.spans(out, spans)
	}
	return replace(out, spans), hit || len(spans) > 0
}

// spans appends the places of the parts of the secret around the piece.
func (p piece) spans(raw []byte, out []span) []span {
	needle := p.secret[p.at : p.at+pieceLength]
	for from := 0; ; {
		i := bytes.Index(raw[from:], needle)
		if i < 0 {
			return out
		}
		begin, end := from+i, from+i+pieceLength
		for s := p.at - 1; s >= 0 && begin > 0 && raw[begin-1] == p.secret[s]; s-- {
			begin--
		}
		for s := p.at + pieceLength; s < len(p.secret) && end < len(raw) && raw[end] == p.secret[s]; s++ {
			end++
		}
		if end-begin >= minPart && bytes.ContainsAny(raw[begin:end], "0123456789") {
			out = append(out, span{begin, end})
		}
		from = max(end, from+i+1)
	}
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
