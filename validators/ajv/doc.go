// Package ajv emulates Ajv as MCP SDKs and hosts run it: the same verdicts and the
// same words, right or wrong.
package ajv
