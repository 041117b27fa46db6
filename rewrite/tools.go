package rewrite

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"unicode/utf8"

	"github.com/hostmatrix/conform/schema"
)

const (
	// tightName is the length that fits every host once it has put the server's name
	// before the tool's: 64 in the strictest model API, less a prefix of 20.
	tightName = 44
	// tightestName fits Cursor's 60 characters for both names beside a server's name of 31.
	tightestName = 28
	// tightDescription is the shortest limit of a tool's description (OpenAI).
	tightDescription = 1024
)

var toolRewrites = []Rewrite{
	{
		Name: "name-short", Title: "Use a name that fits every host",
		Doc: "Hosts put the server's name before the tool's and cut, hash or drop what is longer than their model's API takes (64 characters), " +
			"and replace characters beyond letters, digits, _ and -.",
		Condition: "a name longer than 44 characters or with other characters", Loss: "the old name: a break for whoever calls the tool by it",
		Before: `{"name":"files.read all"}`, After: `{"name":"files_read_all"}`, Cost: 3, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value { return named(tool, tightName) }),
	},
	{
		Name: "name-shorter", Title: "Use a name that fits beside a long name of the server",
		Doc: "Some hosts count the server's name and the tool's together and drop the tool beyond 60 characters; a shorter name of the server, " +
			"which stands in each person's configuration, helps as well.",
		Condition: "a name longer than 28 characters or with other characters", Loss: "the old name: a break for whoever calls the tool by it",
		Before: `{"name":"domains_suggestDomainNamesFromADescription"}`, After: `{"name":"domains_suggestDomain_643eff"}`, Cost: 4, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value { return named(tool, tightestName) }),
	},
	{
		Name: "task-optional", Title: "Let the tool be called without a task",
		Doc: "Hosts that know no tasks, or ask for none, refuse to call a tool that demands one. The server then waits for the result itself where no " +
			"task was asked for.",
		Condition: "execution.taskSupport of required", Loss: "that every call is a task, in the server's code too",
		Before: `{"name":"research","execution":{"taskSupport":"required"}}`, After: `{"name":"research","execution":{"taskSupport":"optional"}}`, Cost: 3, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			execution := tool.Get("execution")
			if support, _ := execution.Get("taskSupport").IsString(); support != "required" {
				return tool
			}
			return tool.With("execution", execution.With("taskSupport", schema.Str("optional")))
		}),
	},
	{
		Name: "description-overflow", Title: "Move the end of a long description into the inputSchema",
		Doc: "Hosts cut the description of a tool, and some model APIs refuse more than 1024 characters. The description of the inputSchema's root " +
			"reaches most of the same models and is not cut.",
		Condition: "a description longer than 1024 characters",
		Before:    `{"description":"… 1500 characters","inputSchema":{"type":"object"}}`,
		After:     `{"description":"… 1000 characters","inputSchema":{"type":"object","description":"… the other 500"}}`, Cost: 1, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value { return overflow(tool, "") }),
	},
	{
		Name: "description-overflow-parameter", Title: "Move the end of a long description to the first parameter",
		Doc: "Some hosts cut the description of a tool, others leave out that of the inputSchema's root; what stands at a parameter reaches every model. " +
			"A shorter description is better.",
		Condition: "a description longer than 1024 characters on a tool with parameters",
		Before:    `{"description":"… 1500 characters","inputSchema":{"type":"object","properties":{"a":{}}}}`,
		After:     `{"description":"… 1000 characters","inputSchema":{"type":"object","properties":{"a":{"description":"… the other 500"}}}}`, Cost: 2, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			for _, m := range tool.Get("inputSchema").Get("properties").Unique() {
				if m.Value.Kind == schema.Object {
					return overflow(tool, m.Key)
				}
			}
			return tool
		}),
	},
	{
		Name: "description-short", Title: "Keep the description within 1024 characters",
		Doc:       "Some hosts cut a longer description, and some model APIs refuse the request with all its tools.",
		Condition: "a description longer than 1024 characters", Loss: "the end of the description",
		Before: `{"description":"… 1500 characters"}`, After: `{"description":"… 1024 characters"}`, Cost: 2, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			text, ok := tool.Get("description").IsString()
			if !ok || utf8.RuneCountInString(text) <= tightDescription {
				return tool
			}
			return tool.With("description", schema.Str(string([]rune(text)[:tightDescription-1])+"…"))
		}),
	},
	{
		Name: "description-given", Title: "Give the tool a description",
		Doc:       "Some hosts drop a tool without one, and a model has nothing else to choose by. The rewrite takes the title or the name; a sentence of the author's is better.",
		Condition: "a missing or empty description",
		Before:    `{"name":"list_files"}`, After: `{"name":"list_files","description":"list files"}`, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			if text, _ := tool.Get("description").IsString(); text != "" {
				return tool
			}
			text, _ := tool.Get("title").IsString()
			if text == "" {
				text, _ = tool.Get("annotations").Get("title").IsString()
			}
			if text == "" {
				name, _ := tool.Get("name").IsString()
				text = strings.NewReplacer("_", " ", "-", " ", ".", " ").Replace(name)
			}
			if text == "" {
				return tool
			}
			return tool.With("description", schema.Str(text))
		}),
	},
	{
		Name: "null-members-off", Title: "Leave out members that are null",
		Doc:       "Typed list parsers take a missing description, title or annotation, and lose the whole list for null.",
		Condition: "null in a tool definition outside its schemas",
		Before:    `{"description":null}`, After: `{}`, Part: Whole,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			out := tool
			for _, m := range tool.Unique() {
				switch {
				case m.Value.Kind == schema.Null:
					out = out.Without(m.Key)
				case m.Key == "annotations" || m.Key == "execution":
					inner := m.Value
					for _, e := range m.Value.Unique() {
						if e.Value.Kind == schema.Null {
							inner = inner.Without(e.Key)
						}
					}
					if inner != m.Value {
						out = out.With(m.Key, inner)
					}
				}
			}
			return out
		}),
	},
	{
		Name: "input-object", Title: "Give the tool an inputSchema of type object",
		Doc:       "inputSchema is required and its root an object; most parsers lose every tool of the server otherwise.",
		Condition: "a missing inputSchema, or one that is no object schema at all",
		Before:    `{"name":"a"}`, After: `{"name":"a","inputSchema":{"type":"object","properties":{}}}`, Part: Whole, Cost: 1,
		Apply: onRoot(func(tool *schema.Value) *schema.Value {
			if input := tool.Get("inputSchema"); input != nil && input.Kind == schema.Object && len(input.Members) > 0 {
				return tool
			}
			return tool.With("inputSchema", object("type", schema.Str("object"), "properties", schema.Obj()))
		}),
	},
	{
		Name: "output-schema-off", Title: "Do without an outputSchema",
		Doc:       "The last resort: no host checks results then, and none can reject them. structuredContent may stay.",
		Condition: "an outputSchema", Loss: "the whole promise about results",
		Before: `{"outputSchema":{"type":"object"}}`, After: `{}`, Part: Whole, Cost: 9,
		Apply: onRoot(func(tool *schema.Value) *schema.Value { return without(tool, "outputSchema") }),
	},
}

// overflow moves what is behind the last sentence, or word, that fits to the
// description of a parameter, "" for the inputSchema's root.
func overflow(tool *schema.Value, parameter string) *schema.Value {
	text, ok := tool.Get("description").IsString()
	input := tool.Get("inputSchema")
	if !ok || input == nil || input.Kind != schema.Object || utf8.RuneCountInString(text) <= tightDescription {
		return tool
	}
	head := string([]rune(text)[:tightDescription])
	cut := max(strings.LastIndex(head, ". ")+1, strings.LastIndex(head, "\n")+1)
	if cut < len(head)/2 {
		cut = strings.LastIndexAny(head, " \t")
	}
	if cut <= 0 {
		return tool // one endless word
	}
	tool, rest := tool.With("description", schema.Str(strings.TrimSpace(text[:cut]))), strings.TrimSpace(text[cut:])
	if parameter == "" {
		return tool.With("inputSchema", describedBy(input, rest))
	}
	properties := input.Get("properties")
	described := describedBy(properties.Get(parameter), "More about the tool: "+rest)
	return tool.With("inputSchema", input.With("properties", properties.With(parameter, described)))
}

// describedBy adds a text to the description of a schema.
func describedBy(s *schema.Value, text string) *schema.Value {
	if already, _ := s.Get("description").IsString(); already != "" {
		text = already + "\n\n" + text
	}
	return s.With("description", schema.Str(text))
}

// named is the tool with a name of letters, digits, _ and -, at most limit long; of a
// name that is cut a digest tells it from others.
func named(tool *schema.Value, limit int) *schema.Value {
	name, ok := tool.Get("name").IsString()
	if !ok || name == "" {
		return tool
	}
	better := strings.Map(func(r rune) rune {
		if r < 128 && (r == '_' || r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
	if len(better) > limit {
		sum := sha256.Sum256([]byte(name))
		better = better[:limit-7] + "_" + hex.EncodeToString(sum[:3])
	}
	if better == name {
		return tool
	}
	return tool.With("name", schema.Str(better))
}
