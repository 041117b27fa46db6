package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/oracle"
)

// clientNames maps the client generations of the construct file to profiles.
// Two generations may share a validator and differ in the host around it.
var clientNames = map[string]string{
	"ts-1.11.4":        "ajv8-draft07-noformats",
	"ts-1.12..1.20":    "ajv6",
	"ts-1.21..1.22":    "ajv8-draft07-lax",
	"ts-1.23..1.32":    "ajv8-draft07-lax",
	"ts-1.32-cfworker": "cfworker-2020",
	"ts-2.0.0-beta.5":  "ajv8-2020-only",
	"ts-2.x-legacy":    "ajv8-dispatch",
	"ts-2.x-modern":    "ajv8-dispatch",
	"ts-2.x-cfworker":  "cfworker-dispatch",
	"python":           "python-jsonschema",
}

// Texts that the SDK clients put before a validator's words.
const (
	badValueTS   = "Structured content does not match the tool's output schema: "
	badSchemaTS  = "Tool 't' has an invalid outputSchema: "
	thrownTS     = "Failed to validate structured content: "
	badValuePy   = "Invalid structured content returned by tool t: "
	badSchemaPy  = "Invalid schema for tool t: "
	messageWidth = 200 // shortest length at which a recorded client message may be cut
)

// clients reads what whole SDK clients did and keeps what their validator said;
// verdicts of the layers around it (list parsing, isError, paging) are left out.
func clients(shared string) (map[string][]check, error) {
	text, err := os.ReadFile(filepath.Join(shared, "corpus", "sdk-constructs.jsonl"))
	if err != nil {
		return nil, err
	}
	out := map[string][]check{}
	for _, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		v, err := schema.Parse(line, schema.Limits{})
		if err != nil {
			return nil, fmt.Errorf("sdk-constructs.jsonl: %w", err)
		}
		document, ok1 := v.Get("schema").IsString()
		instance, ok2 := v.Get("structured_content").IsString()
		if !ok1 || !ok2 || len(v.Get("opts").Members) > 0 || v.Get("is_error").Kind != schema.Null {
			continue
		}
		if strings.Contains(instance, `"__proto__"`) {
			continue // the clients' zod parse drops that member before the validator sees it
		}
		request := oracle.Request{Schema: document, Instances: []string{instance}}
		for _, m := range v.Get("observed").Members {
			same := clientCheck(m.Key, m.Value)
			if profile, ok := clientNames[m.Key]; ok && same != nil {
				out[profile] = append(out[profile], check{m.Key + " " + v.Get("id").Text, request, same})
			}
		}
	}
	return out, nil
}

// clientCheck turns one client's behaviour into a comparison; nil when the
// validator had no part in it.
func clientCheck(client string, observed *schema.Value) func(oracle.Answer) string {
	verdict, _ := observed.Get("verdict").IsString()
	if verdict == "LC" && strings.HasPrefix(client, "ts-2") {
		return nil // these compile when a tool is called: the list failed for another reason
	}
	message, _ := observed.Get("call").Get("msg").IsString()
	if client == "python" {
		verdict, _ = observed.Get("v").IsString()
		message, _ = observed.Get("msg").IsString()
	}
	if listed, ok := observed.Get("list").Get("msg").IsString(); ok && verdict == "LC" {
		message = listed
	}
	message = strings.TrimPrefix(message, "MCP error -32602: ")
	for _, prefix := range []string{badValueTS, badSchemaTS, thrownTS, badValuePy, badSchemaPy, "builtins.", "jsonschema.exceptions."} {
		message = strings.TrimPrefix(message, prefix)
	}
	swallows := client == "ts-1.11.4" || client == "ts-1.12..1.20" // compile errors pass unseen
	return func(got oracle.Answer) string {
		outcome, words := "compile error", ""
		if got.CompileError != nil {
			words = *got.CompileError
		} else {
			outcome, words = got.Results[0].Outcome.String(), got.Results[0].Text
		}
		agrees := false
		switch verdict {
		case "ok":
			return unless(outcome == "valid" || swallows && got.CompileError != nil, verdict, outcome, words)
		case "INV", "INVALID":
			agrees = outcome == validators.Invalid.String()
		case "COMP", "LC", "SCHEMA":
			agrees = outcome == "compile error"
		case "THROW":
			agrees = outcome == validators.Thrown.String()
		case "EXC":
			agrees = outcome == validators.Thrown.String() || outcome == "compile error"
		default:
			return ""
		}
		// Where Python's stack ends differs from run to run, and with it the words.
		sameWords := words == message || strings.HasPrefix(message, "RecursionError") && strings.HasPrefix(words, "RecursionError") ||
			len(message) >= messageWidth && strings.HasPrefix(words, message)
		return unless(agrees && sameWords, verdict+" "+message, outcome, words)
	}
}

func unless(agrees bool, recorded, outcome, words string) string {
	if agrees {
		return ""
	}
	return fmt.Sprintf("recorded %q, now %s %q", recorded, outcome, words)
}
