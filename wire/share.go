package wire

import (
	"crypto/sha256"
	"sync"

	"github.com/hostmatrix/conform/schema"
)

// shareFrom is the size in bytes from which equal texts are kept once. Most
// servers send the same tools whatever the handshake (all 20 servers of both eras
// that were compared did), so a capture with five handshakes would else hold a
// large list five times, decoded.
const shareFrom = 512

// shared keeps one copy of equal messages and of equal decoded results.
type shared struct {
	mu       sync.Mutex
	messages map[[sha256.Size]byte][]byte
	results  map[[sha256.Size]byte]*schema.Value
}

func newShared() *shared {
	return &shared{messages: map[[sha256.Size]byte][]byte{}, results: map[[sha256.Size]byte]*schema.Value{}}
}

// message returns the copy of raw that is kept, and whether it was there before.
func (s *shared) message(raw []byte) (kept []byte, known bool) {
	if len(raw) < shareFrom {
		return raw, false
	}
	key := sha256.Sum256(raw)
	s.mu.Lock()
	defer s.mu.Unlock()
	if kept, known = s.messages[key]; !known {
		s.messages[key], kept = raw, raw
	}
	return kept, known
}

// decoded returns the message as a value whose result is one that was decoded
// before, nil when there is none. Offsets inside that result are those of the
// message in which it came first.
func (s *shared) decoded(raw []byte) (*schema.Value, [sha256.Size]byte) {
	var key [sha256.Size]byte
	if len(raw) < shareFrom {
		return nil, key
	}
	parts := split(raw, firstByte(raw))
	result, ok := find(parts, "result")
	if !ok {
		return nil, key
	}
	key = sha256.Sum256(raw[result.start:result.end])
	s.mu.Lock()
	known := s.results[key]
	s.mu.Unlock()
	if known == nil {
		return nil, key
	}
	message := schema.Obj()
	for _, part := range parts {
		value := known
		if part != result {
			var err error
			if value, err = schema.Parse(raw[part.start:part.end], schema.Limits{Depth: 100}); err != nil {
				return nil, key
			}
		}
		message.Members = append(message.Members, member(part.key, value))
	}
	return message, key
}

// keep remembers the result of a decoded message under the key from decoded.
func (s *shared) keep(key [sha256.Size]byte, message *schema.Value) {
	result := message.Get("result")
	if key == [sha256.Size]byte{} || result == nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.results[key] = result
}
