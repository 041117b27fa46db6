// Command spec remakes the goldens of the revisions' shapes by validating the
// payloads against a real schema.json of the specification repository:
//
//	go run ./matrix/shape/testdata/golden/spec SCHEMA_JSON < payloads.jsonl > spec-2025-06-18.jsonl
//
// A golden line has a text when the payload is invalid; the words are not the
// shape's.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		return err
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("schema.json", doc); err != nil {
		return err
	}
	defs := "definitions"
	if _, ok := doc.(map[string]any)["$defs"]; ok {
		defs = "$defs"
	}
	names := map[string]string{"initialize": "InitializeResult", "discover": "DiscoverResult", "list": "ListToolsResult", "result": "CallToolResult", "input": "InputRequiredResult"}
	types := map[string]*jsonschema.Schema{}
	for part, name := range names {
		if _, ok := doc.(map[string]any)[defs].(map[string]any)[name]; !ok {
			continue
		}
		if types[part], err = compiler.Compile("schema.json#/" + defs + "/" + name); err != nil {
			return err
		}
	}
	scanner := bufio.NewScanner(os.Stdin)
	scanner.Buffer(nil, 16<<20)
	for scanner.Scan() {
		var item struct{ ID, Part, Payload string }
		if err := json.Unmarshal(scanner.Bytes(), &item); err != nil {
			return err
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(item.Payload))
		if err != nil {
			return err
		}
		part := item.Part
		if object, ok := value.(map[string]any); ok && part == "result" && object["resultType"] == "input_required" && types["input"] != nil {
			part = "input"
		}
		if types[part] == nil {
			continue
		}
		if types[part].Validate(value) == nil {
			fmt.Printf("{\"id\":%q}\n", item.ID)
		} else {
			fmt.Printf("{\"id\":%q,\"text\":\"invalid\"}\n", item.ID)
		}
	}
	return scanner.Err()
}
