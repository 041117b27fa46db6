package model

import (
	"cmp"
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
	asked map[string]bool // by words
}

// searchWords are in every description of the catalogue.
const searchWords = "conformance probe"

// fewTools is how many tools a search for one of them asks for.
const fewTools = 8

// searchFor asks for everything at once, then for each tool that did not come by what
// is in its name or description alone.
func (s *script) searchFor(r request) (turn, bool) {
	if !slices.ContainsFunc(items(r.body.Get("tools")), func(t *schema.Value) bool { return str(t, "type") == "tool_search" }) {
		return turn{}, false
	}
	if s.search.asked == nil {
		s.search.asked = map[string]bool{}
		return s.find(searchWords, 500), true
	}
	for _, step := range s.plan {
		words := cmp.Or(step.Wire, step.Probe)
		if !s.search.asked[words] && !slices.ContainsFunc(s.record.Tools, func(t Tool) bool { return t.Probe == step.Probe }) {
			return s.find(words, fewTools), true
		}
	}
	return turn{}, false
}

func (s *script) find(words string, limit int) turn {
	s.search.asked[words] = true
	n := strconv.Itoa(len(s.search.asked))
	return turn{item: map[string]any{"type": "tool_search_call", "id": "ts_lab_" + n, "call_id": "call_search_" + n, "execution": "client",
		"status": "completed", "arguments": map[string]any{"query": words, "limit": limit}}}
}

// deferredName finds `"name": "[[P:id]] …` pairs in a prompt: hosts that defer
// tools list names and descriptions there.
var deferredName = regexp.MustCompile(`([A-Za-z0-9_.:/-]+)\\?"?: ?\\?"?\[\[P:([A-Za-z0-9_]+)\]\]`)

// promptName finds whatever may be a name in a prompt.
var promptName = regexp.MustCompile(`[A-Za-z0-9_.:/-]+`)

// deferred is a tool that a prompt names and that is not offered.
type deferred struct{ name, probe string }

// deferrals lists the tools that a prompt names, those without a tag last.
func (s *script) deferrals(prompt string) []deferred {
	var out []deferred
	for _, m := range deferredName.FindAllStringSubmatch(prompt, -1) {
		if !strings.HasPrefix(m[2], fillers) {
			out = append(out, deferred{m[1], m[2]})
		}
	}
	if len(out) == 0 || len(s.wires()) == 0 {
		return out
	}
	for _, name := range promptName.FindAllString(prompt, -1) {
		d := deferred{name, s.byName(name)}
		if d.probe != "" && !slices.Contains(out, d) {
			out = append(out, d)
		}
	}
	return out
}

// live says that a tool was offered, or shown.
func (s *script) live(r request, probe string) bool {
	is := func(t Tool) bool { return t.Probe == probe }
	return slices.ContainsFunc(r.tools, is) || slices.ContainsFunc(s.declared, is)
}

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
	listed := s.deferrals(r.prompt)
	for _, d := range listed {
		if !slices.Contains(s.record.Named, d.probe) {
			s.record.Named = append(s.record.Named, d.probe)
		}
		if s.live(r, d.probe) || s.selections[d.probe] || len(names) == selectAtOnce {
			continue
		}
		s.selections[d.probe] = true
		names = append(names, d.name)
	}
	if len(names) == 0 {
		names = s.again(r, listed)
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
func (s *script) again(r request, listed []deferred) []string {
	for _, d := range listed {
		if !s.live(r, d.probe) && !s.selections["alone "+d.probe] && slices.ContainsFunc(s.plan, func(p Step) bool { return p.Probe == d.probe }) {
			s.selections["alone "+d.probe] = true
			return []string{d.name}
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
			for _, t := range s.declarations(text) {
				t.Via = via
				s.declared = append(s.declared, t)
				s.offer(t)
			}
		}
	}
}

// callThrough is the tool that calls hidden ones.
const callThrough = "tool_call"

func (s *script) declarations(text string) []Tool {
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
		if id := s.probeOf(str(v, "name"), str(v, "description")); id != "" {
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
