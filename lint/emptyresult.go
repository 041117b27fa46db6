package lint

import (
	"strings"

	"github.com/hostmatrix/conform/matrix/verdict"
	"github.com/hostmatrix/conform/recording"
	"github.com/hostmatrix/conform/schema"
)

// emptyResultRules are about results that give the model nothing at all.
func emptyResultRules() []*Rule {
	return []*Rule{
		{ID: "result-empty", Title: "A result of a read-only tool holds nothing", Covers: []string{"R18"}, Stage: verdict.Result, Level: Quality,
			Why:    "The model asked, and gets no word, not even that nothing was found: it asks again, or invents the answer.",
			Source: "linter of mcp-ts-core 0.12.3, format-parity (no content at all)", Wrong: `{"content":[]}`, Right: `{"content":[{"type":"text","text":"No hauler is at the site west."}]}`,
			Run: eachCallResult(func(_ *recording.Session, tool *recording.Tool, result *schema.Value, report reporter) {
				content := result.Get("content")
				if tool == nil || !tool.Value.Get("annotations").Get("readOnlyHint").IsTrue() || kindOf(content) != "array" || result.Has("structuredContent") || result.Get("isError").IsTrue() {
					return
				}
				if t, _ := result.Get("resultType").IsString(); t == "input_required" {
					return
				}
				for _, block := range content.Items {
					text, isText := block.Get("text").IsString()
					if kind, _ := block.Get("type").IsString(); kind != "text" || isText && strings.TrimSpace(text) != "" || !isText {
						return
					}
				}
				report("/content", "The result of a read-only tool has no content")
			})},
	}
}
