package probe

import (
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/matrix/verify"
	"github.com/hostmatrix/conform/schema"
)

// Era says which protocol a probe server speaks.
type Era string

// The eras: initialize only, server/discover only, or both.
const (
	Legacy Era = "legacy"
	Modern Era = "modern"
	Dual   Era = "dual"
)

const modernVersion = "2026-07-28"

var legacyVersions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

// Respond answers one message of a client: nil for a notification or an answer.
// It is a pure function of the message; the call log is written around it.
func (s Server) Respond(era Era, message *schema.Value) *schema.Value {
	id, method := message.Get("id"), str(message, "method")
	if id == nil || method == "" || method == s.Silent {
		return nil
	}
	params := message.Get("params")
	modern := era == Modern || era == Dual && (method == "server/discover" || params.Get("_meta").Has("io.modelcontextprotocol/protocolVersion"))
	ok := func(result *schema.Value) *schema.Value {
		if modern {
			result = decorate(result, method)
		}
		return answer(id, "result", result)
	}
	if instead := s.Answers[method]; instead != nil {
		return ok(instead)
	}
	switch method {
	case "initialize":
		if era == Modern {
			return fail(id, -32022, "Unsupported protocol version", schema.Obj(schema.Member{Key: "supported", Value: schema.List(schema.Str(modernVersion))},
				schema.Member{Key: "requested", Value: params.Get("protocolVersion")}))
		}
		version := str(params, "protocolVersion")
		if !slices.Contains(legacyVersions, version) {
			version = legacyVersions[len(legacyVersions)-1]
		}
		return ok(schema.Obj(schema.Member{Key: "protocolVersion", Value: schema.Str(version)}, capabilities(), s.info("serverInfo")))
	case "server/discover":
		if era == Legacy {
			return fail(id, -32601, "Method not found", nil)
		}
		return ok(schema.Obj(schema.Member{Key: "supportedVersions", Value: schema.List(schema.Str(modernVersion))}, capabilities(), s.info("serverInfo")))
	case "ping", "logging/setLevel":
		return ok(schema.Obj())
	case "tools/list":
		return ok(s.page(str(params, "cursor")))
	case "tools/call":
		return s.call(id, str(params, "name"), ok)
	}
	return fail(id, -32601, "Method not found: "+method, nil)
}

func (s Server) info(key string) schema.Member {
	return schema.Member{Key: key, Value: schema.Obj(schema.Member{Key: "name", Value: schema.Str(s.Name)}, schema.Member{Key: "version", Value: schema.Str("1.0.0")})}
}

func capabilities() schema.Member {
	return schema.Member{Key: "capabilities", Value: schema.MustParse(`{"tools":{}}`)}
}

// decorate adds what every result of 2026-07-28 carries.
func decorate(result *schema.Value, method string) *schema.Value {
	members := append([]schema.Member{{Key: "resultType", Value: schema.Str("complete")}}, result.Members...)
	if method == "tools/list" || method == "server/discover" {
		members = append(members, schema.Member{Key: "ttlMs", Value: schema.Num(0)}, schema.Member{Key: "cacheScope", Value: schema.Str("private")})
	}
	return schema.Obj(members...)
}

// page is one page of the list; the cursor is the index of its first tool.
func (s Server) page(cursor string) *schema.Value {
	tools := s.Tools()
	if s.PageSize == 0 {
		return schema.Obj(schema.Member{Key: "tools", Value: schema.List(tools...)})
	}
	from, _ := strconv.Atoi(cursor)
	from = min(max(from, 0), len(tools))
	to := min(from+s.PageSize, len(tools))
	members := []schema.Member{{Key: "tools", Value: schema.List(tools[from:to]...)}}
	if to < len(tools) {
		members = append(members, schema.Member{Key: "nextCursor", Value: schema.Str(strconv.Itoa(to))})
	}
	return schema.Obj(members...)
}

// call answers as the first tool of that name.
func (s Server) call(id *schema.Value, name string, ok func(*schema.Value) *schema.Value) *schema.Value {
	result, failure := s.Answer(name, "")
	switch {
	case failure != nil:
		return answer(id, "error", failure)
	case result != nil:
		return ok(verify.Expand(result))
	}
	return fail(id, -32602, "Unknown tool: "+strings.ToValidUTF8(name, "?"), nil)
}

// Answer returns what a call of the tool with a wire name is answered by this
// server: a result, long texts still described, or an error. A result of the modern
// revision carries what every result of it carries.
func (s Server) Answer(name, version string) (result, failure *schema.Value) {
	if s.Control && name == s.ControlName() {
		result = textResult("CT_" + s.ControlName())
	} else if i := slices.IndexFunc(s.Probes, func(p Probe) bool { return p.Name() == name }); i >= 0 {
		result, failure = s.Probes[i].Result, s.Probes[i].Error
	}
	// A server that answers initialize with the modern revision is a legacy one all the same.
	if result != nil && version == modernVersion && s.Answers["initialize"] == nil {
		result = decorate(result, "tools/call")
	}
	return result, failure
}

func answer(id *schema.Value, key string, value *schema.Value) *schema.Value {
	return schema.Obj(schema.Member{Key: "jsonrpc", Value: schema.Str("2.0")}, schema.Member{Key: "id", Value: id}, schema.Member{Key: key, Value: value})
}

func fail(id *schema.Value, code int64, message string, data *schema.Value) *schema.Value {
	members := []schema.Member{{Key: "code", Value: schema.Num(code)}, {Key: "message", Value: schema.Str(message)}}
	if data != nil {
		members = append(members, schema.Member{Key: "data", Value: data})
	}
	return answer(id, "error", schema.Obj(members...))
}
