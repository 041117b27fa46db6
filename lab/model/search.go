package model

import (
	"regexp"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// search drives hosts that offer a search in place of the tools. With the
// Responses interface the search is an item type of its own (tool_search); its
// output carries the tools, deferred (observed with Codex 0.171.0 and gpt-5.5).
type search struct {
	asked bool
	found []Tool
}

// searchWords are in every description of the catalogue.
const searchWords = "conformance probe"

func (s *search) next(r request) (turn, bool) {
	offered := slices.ContainsFunc(items(r.body.Get("tools")), func(t *schema.Value) bool { return str(t, "type") == "tool_search" })
	if !offered || s.asked {
		return turn{}, false
	}
	s.asked = true
	return turn{item: map[string]any{"type": "tool_search_call", "id": "ts_lab", "call_id": "call_search", "execution": "client",
		"status": "completed", "arguments": map[string]any{"query": searchWords, "limit": 500}}}, true
}

// deferredName finds `"name": "[[P:id]] …` pairs in a prompt: hosts that defer
// tools list names and descriptions there.
var deferredName = regexp.MustCompile(`([A-Za-z0-9_.:/-]+)\\?"?: ?\\?"?\[\[P:([A-Za-z0-9_]+)\]\]`)

// selectAtOnce is how many tools one search asks for.
const selectAtOnce = 15

// disclose drives hosts whose search is an ordinary function that takes
// "select:a,b": the tools stand in the prompt by name and come alive afterwards
// (observed with Qwen Code 0.24.4 and Claude Code 2.1.332).
func (s *script) disclose(r request) (turn, bool) {
	i := slices.IndexFunc(r.extra, func(name string) bool {
		return strings.EqualFold(strings.ReplaceAll(name, "_", ""), "toolsearch")
	})
	if i < 0 {
		return turn{}, false
	}
	var names []string
	for _, m := range deferredName.FindAllStringSubmatch(r.prompt, -1) {
		live := slices.ContainsFunc(r.tools, func(t Tool) bool { return t.Probe == m[2] })
		if live || s.selections[m[2]] || len(names) == selectAtOnce {
			continue
		}
		s.selections[m[2]] = true
		names = append(names, m[1])
	}
	if len(names) == 0 {
		return turn{}, false
	}
	return turn{id: "call_select_" + names[0], call: &Tool{Name: r.extra[i]},
		arguments: schema.Obj(schema.Member{Key: "query", Value: schema.Str("select:" + strings.Join(names, ","))},
			schema.Member{Key: "max_results", Value: schema.Num(int64(len(names)))})}, true
}
