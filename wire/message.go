package wire

import (
	"strconv"

	"github.com/hostmatrix/conform/schema"
)

// outgoing is one message of ours on its way to a transport.
type outgoing struct {
	id       int64 // 0 for a notification or a response
	method   string
	name     string            // params.name or params.uri, for Mcp-Name
	params   map[string]string // Mcp-Param-* headers, by header name, decoded
	raw      []byte
	answered <-chan struct{} // closed when the answer has arrived; nil without id
}

func member(key string, value *schema.Value) schema.Member {
	return schema.Member{Key: key, Value: value}
}

// encodeRequest writes a request; a nil params is left out.
func encodeRequest(id int64, method string, params *schema.Value) []byte {
	return encode(schema.Num(id), method, params)
}

// encodeNotification writes a notification.
func encodeNotification(method string, params *schema.Value) []byte {
	return encode(nil, method, params)
}

func encode(id *schema.Value, method string, params *schema.Value) []byte {
	members := []schema.Member{member("jsonrpc", schema.Str("2.0"))}
	if id != nil {
		members = append(members, member("id", id))
	}
	members = append(members, member("method", schema.Str(method)))
	if params != nil {
		members = append(members, member("params", params))
	}
	return schema.Append(nil, schema.Obj(members...), schema.Style{})
}

// encodeReply answers a request of the server: result, or else an error.
func encodeReply(id, result *schema.Value, errorCode int64, message string) []byte {
	last := member("result", result)
	if result == nil {
		last = member("error", schema.Obj(member("code", schema.Num(errorCode)), member("message", schema.Str(message))))
	}
	return schema.Append(nil, schema.Obj(member("jsonrpc", schema.Str("2.0")), member("id", id), last), schema.Style{})
}

// shape is what a JSON value is in JSON-RPC.
type shape int

const (
	notRPC       shape = iota
	shapeAnswer        // result or error
	shapeRequest       // method and id
	shapeNotice        // method, no id
	shapeBatch         // an array
)

func shapeOf(v *schema.Value) shape {
	switch {
	case v.Kind == schema.Array:
		return shapeBatch
	case v.Kind != schema.Object:
		return notRPC
	}
	if _, ok := v.Get("method").IsString(); ok && (v.Has("jsonrpc") || v.Has("id")) {
		if v.Has("id") {
			return shapeRequest
		}
		return shapeNotice
	}
	// A log line in JSON may well have a member "error"; an answer also has an id
	// or says jsonrpc.
	if (v.Has("result") || v.Has("error")) && (v.Has("jsonrpc") || v.Has("id")) {
		return shapeAnswer
	}
	return notRPC
}

// ourID reads an id as one that we gave: a JSON integer, written as such or, as
// some servers do, as 1.0. A string is never ours.
func ourID(id *schema.Value) (int64, bool) {
	if id == nil || id.Kind != schema.Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(id.Text, 10, 64); err == nil {
		return n, true
	}
	if r, ok := id.Exact(); ok && r.IsInt() && r.Num().IsInt64() {
		return r.Num().Int64(), true
	}
	return 0, false
}
