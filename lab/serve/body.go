package serve

import (
	"bytes"
	"io"
	"net/http"

	"github.com/hostmatrix/conform/schema"
)

// maxBody bounds one message of a host, in bytes.
const maxBody = 16 << 20

func readAll(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	return io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
}

// again is a body that can be read once more.
func again(body []byte) io.ReadCloser { return io.NopCloser(bytes.NewReader(body)) }

func text(v *schema.Value, key string) string {
	s, _ := v.Get(key).IsString()
	return s
}
