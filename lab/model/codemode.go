package model

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/hostmatrix/conform/schema"
)

// codeMode drives hosts that offer one tool, exec, which runs a program; the MCP
// tools are functions of that program and stand, declared in TypeScript, in its
// ALL_TOOLS (observed with Codex 0.171.0 and gpt-5.6-sol).
type codeMode struct {
	asked int // pages of the list asked for
	whole bool
	known []Tool
}

// pageOfTools is how many declarations one program prints: the host cuts long
// outputs in the middle, whatever limit the program asks for.
const pageOfTools = 8

const (
	listTool = "// @exec: {\"max_output_tokens\": 400000}\ntext(JSON.stringify(ALL_TOOLS.filter((t) => %s).slice(%d, %d)))"
	isTagged = `(t.description || "").includes("[[P:")`
	// isNamed is said of tools without a tag; names are sanitized as [calls] does.
	isNamed  = `%s.some((w) => ("_" + t.name.replace(/[^A-Za-z0-9_]/g, "_")).endsWith("_" + w))`
	callTool = "let r; try { r = await tools[%s](%s); text(\"RESULT \" + (typeof r) + \" \" + (typeof r === \"string\" ? r : JSON.stringify(r))); } catch (e) { text(\"THROWN \" + (e && e.message || String(e))); }"
	// execChannel says how a text came about.
	execChannel = "exec script: text(\"RESULT \" + typeof r + \" \" + JSON.stringify(r))"
)

func (c *codeMode) next(s *script, r request) (turn, bool) {
	if !offersExec(r.body) {
		return turn{}, false
	}
	if !c.whole {
		if c.asked > 0 {
			c.read(s, r.answers[listCall(c.asked)])
		}
		if !c.whole {
			c.asked++
			return program(listCall(c.asked), fmt.Sprintf(listTool, s.ours(), (c.asked-1)*pageOfTools, c.asked*pageOfTools)), true
		}
	}
	for i, a := range s.record.Answers {
		s.record.Answers[i].Channel = execChannel
		s.record.Answers[i].Value = returned(a.Texts)
	}
	for _, step := range s.plan {
		i := slices.IndexFunc(c.known, func(t Tool) bool { return t.Probe == step.Probe })
		if i < 0 || s.done[step.Probe] || s.tries[step.Probe] == 2 {
			continue
		}
		t := s.call(step, &c.known[i])
		return program(t.id, fmt.Sprintf(callTool, schema.Quote(c.known[i].Name), step.Arguments.Compact())), true
	}
	return turn{text: "DONE"}, true
}

// ours is the condition, in the program's language, that a tool is a probe.
func (s *script) ours() string {
	wires := s.wires()
	if len(wires) == 0 {
		return isTagged
	}
	for i, w := range wires {
		wires[i] = sanitized.ReplaceAllString(w, "_")
	}
	return isTagged + " || " + fmt.Sprintf(isNamed, encode(wires))
}

// offersExec looks for the tool where hosts put it: among the tools, or in an
// item of the input, inside a namespace or not.
func offersExec(body *schema.Value) bool {
	if holdsExec(body.Get("tools")) {
		return true
	}
	return slices.ContainsFunc(items(body.Get("input")), func(item *schema.Value) bool { return holdsExec(item.Get("tools")) })
}

func holdsExec(tools *schema.Value) bool {
	return slices.ContainsFunc(items(tools), func(t *schema.Value) bool {
		return str(t, "type") == "custom" && str(t, "name") == "exec" || str(t, "type") == "namespace" && holdsExec(t.Get("tools"))
	})
}

func listCall(page int) string { return fmt.Sprintf("call_list_%d", page) }

// read takes one page of the list; an empty one is the end.
func (c *codeMode) read(s *script, a Answer) {
	page := s.programs(strings.Join(a.Texts, "\n"))
	c.whole = len(page) == 0
	for _, t := range page {
		s.offer(t)
	}
	c.known = append(c.known, page...)
}

func program(id, source string) turn {
	return turn{id: id, item: map[string]any{"type": "custom_tool_call", "id": "ct_" + id, "call_id": id, "status": "completed", "name": "exec", "input": source}}
}

// programs reads the tools out of the program's output, which the host wraps in
// words of its own. The declaration is the block after the description.
func (s *script) programs(output string) []Tool {
	from, to := strings.Index(output, "[{"), strings.LastIndex(output, "}]")
	if from < 0 || to < from {
		return nil
	}
	var list []struct{ Name, Description string }
	if json.Unmarshal([]byte(output[from:to+2]), &list) != nil {
		return nil
	}
	var out []Tool
	for _, t := range list {
		if id := s.probeOf(t.Name, t.Description); id != "" {
			tool := Tool{Probe: id, Name: t.Name, Description: t.Description}
			if _, after, ok := strings.Cut(t.Description, "```ts\n"); ok {
				tool.Rendered, _, _ = strings.Cut(after, "\n```")
			}
			out = append(out, tool)
		}
	}
	return out
}

// returned is the JSON value that the program printed, nil when the call threw or
// gave a plain text.
func returned(texts []string) json.RawMessage {
	for _, text := range texts {
		if after, ok := strings.CutPrefix(text, "RESULT object "); ok && json.Valid([]byte(after)) {
			return json.RawMessage(after)
		}
	}
	return nil
}
