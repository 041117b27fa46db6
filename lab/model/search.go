package model

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// search drives hosts that offer a search in place of the tools. With the
// Responses interface the search is an item type of its own (tool_search); its
// output carries the tools, deferred (observed with Codex 0.171.0 and gpt-5.5).
type search struct {
	asked bool
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

// fillers starts the ids of tools that only make a list long: nobody asks for them.
const fillers = "fill_"

// selectCall starts the ids of searches.
const selectCall = "call_select_"

// selectAtOnce is how many tools one search asks for: hosts cut long answers.
const selectAtOnce = 4

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
	s.declare(r, r.extra[i])
	var names []string
	for _, m := range deferredName.FindAllStringSubmatch(r.prompt, -1) {
		if strings.HasPrefix(m[2], fillers) {
			continue
		}
		live := slices.ContainsFunc(r.tools, func(t Tool) bool { return t.Probe == m[2] }) || slices.ContainsFunc(s.declared, func(t Tool) bool { return t.Probe == m[2] })
		if !slices.Contains(s.record.Named, m[2]) {
			s.record.Named = append(s.record.Named, m[2])
		}
		if live || s.selections[m[2]] || len(names) == selectAtOnce {
			continue
		}
		s.selections[m[2]] = true
		names = append(names, m[1])
	}
	if len(names) == 0 {
		names = s.again(r)
	}
	if len(names) == 0 && !deferredName.MatchString(r.prompt) {
		names = s.bareNames(r)
	}
	if len(names) == 0 {
		return turn{}, false
	}
	return turn{id: selectCall + strconv.Itoa(len(s.selections)), call: &Tool{Name: r.extra[i]},
		arguments: schema.Obj(schema.Member{Key: "query", Value: schema.Str("select:" + strings.Join(names, ","))},
			schema.Member{Key: "max_results", Value: schema.Num(int64(len(names)))})}, true
}

// again asks for one tool alone whose declaration did not come with others: an
// answer that is too long is not shown at all.
func (s *script) again(r request) []string {
	for _, m := range deferredName.FindAllStringSubmatch(r.prompt, -1) {
		live := slices.ContainsFunc(r.tools, func(t Tool) bool { return t.Probe == m[2] }) || slices.ContainsFunc(s.declared, func(t Tool) bool { return t.Probe == m[2] })
		if !live && !s.selections["alone "+m[2]] && slices.ContainsFunc(s.plan, func(p Step) bool { return p.Probe == m[2] }) {
			s.selections["alone "+m[2]] = true
			return []string{m[1]}
		}
	}
	return nil
}

// bareName finds names that stand in a prompt without their descriptions.
var bareName = regexp.MustCompile(`mcp__[A-Za-z0-9_-]+`)

// bareNames picks the next names to ask for from a prompt that lists names only.
func (s *script) bareNames(r request) []string {
	var names []string
	for _, name := range bareName.FindAllString(r.prompt, -1) {
		live := slices.ContainsFunc(r.tools, func(t Tool) bool { return t.Name == name })
		if live || s.selections[name] || len(names) == selectAtOnce {
			continue
		}
		s.selections[name] = true
		names = append(names, name)
	}
	return names
}

// declare reads declarations that a search only shows as text: JSON objects with a
// name, a description and parameters. Such tools stay hidden and are called through
// another one, tool_call (observed with Qwen Code 0.24.4).
func (s *script) declare(r request, via string) {
	if !slices.Contains(r.extra, callThrough) {
		return
	}
	for id, a := range r.answers {
		if !strings.HasPrefix(id, selectCall) || s.read[id] {
			continue
		}
		s.read[id] = true
		for _, text := range a.Texts {
			for _, t := range declarations(text) {
				t.Via = via
				s.declared = append(s.declared, t)
				s.offer(t)
			}
		}
	}
}

// callThrough is the tool that calls hidden ones.
const callThrough = "tool_call"

func declarations(text string) []Tool {
	var out []Tool
	for {
		at := strings.Index(text, `{"`)
		if at < 0 {
			return out
		}
		text = text[at:]
		var one json.RawMessage
		dec := json.NewDecoder(strings.NewReader(text))
		if dec.Decode(&one) != nil {
			text = text[1:]
			continue
		}
		text = text[dec.InputOffset():]
		v, err := schema.Parse(one, schema.Limits{})
		if err != nil {
			continue
		}
		parameters := v.Get("parameters")
		if parameters == nil {
			parameters = v.Get("parametersJsonSchema")
		}
		if id := ProbeOf(str(v, "description")); id != "" {
			out = append(out, Tool{Probe: id, Name: str(v, "name"), Description: str(v, "description"), Schema: raw(parameters)})
		}
	}
}

// through wraps a call of a hidden tool.
func through(t turn) turn {
	t.arguments = schema.Obj(schema.Member{Key: "name", Value: schema.Str(t.call.Name)}, schema.Member{Key: "arguments", Value: t.arguments})
	t.call = &Tool{Name: callThrough}
	return t
}
