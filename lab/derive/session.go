package derive

import "strings"

// Members is a list of which observations decide some members: those that are in it,
// and those that are not. It agrees with any list that has the former and none of
// the latter.
type Members struct {
	With    []string `json:"with"`
	Without []string `json:"without"`
}

// modern is the revision that knows no initialize.
const modern = "2026_07_28"

// versions: with which protocol revisions of a server's answer the client goes on.
func versions(s Set) *Claim {
	c := claim("connect.versions")
	var m Members
	for _, l := range s.Lines {
		v, ok := strings.CutPrefix(l.Probe, "version_")
		if !ok || len(l.Handshake) == 0 {
			continue // never asked: nothing is known
		}
		if v == modern && l.Offered == nil {
			continue // as an answer to initialize; server/discover is another matter
		}
		c.From = append(c.From, l.Probe)
		version := strings.ReplaceAll(v, "_", "-")
		if l.Offered != nil {
			m.With = append(m.With, version)
		} else {
			m.Without = append(m.Without, version)
		}
	}
	if len(m.With) == 0 {
		return nil
	}
	c.Only = len(m.Without) == 0 // any revision will do: that is no claim
	c.set("accepts", m)
	return c
}

// rpcError: what the model sees of a JSON-RPC error, as a template. It only speaks of
// a claim that the table makes: where a rendering says the same there is none.
func rpcError(s Set) *Claim {
	c := claim("result.error")
	c.Only = true
	template := ""
	for probe, code := range map[string]string{"rpc_error": "-32602", "rpc_error_internal": "-32603"} {
		l := s.line(probe)
		if l == nil || l.Called == 0 || l.Seen == nil || l.Seen.Text == nil || !strings.Contains(string(*l.Seen.Text), "RPCERR_"+probe) {
			return nil
		}
		t := strings.ReplaceAll(string(*l.Seen.Text), "RPCERR_"+probe, "{message}")
		t = strings.ReplaceAll(t, code, "{code}")
		if template != "" && t != template {
			return nil // data, or something else beside it
		}
		template = t
		c.From = append(c.From, probe)
	}
	c.set("text", template)
	return c
}

// approval: whether calls that are not marked as read-only are refused.
func approval(s Set) *Claim {
	none, readonly := s.line("ann_none"), s.line("ann_readonly")
	if none == nil || readonly == nil || none.Seen == nil || readonly.Seen == nil || none.Called > 0 || readonly.Called == 0 {
		return nil
	}
	c := claim("call.approval", "ann_none", "ann_readonly")
	c.set("needs", "readOnlyHint")
	return c
}
