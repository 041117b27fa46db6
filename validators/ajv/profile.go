package ajv

import (
	"strings"

	"github.com/hostmatrix/conform/schema"
	"github.com/hostmatrix/conform/validators"
	"github.com/hostmatrix/conform/validators/ajv/format"
	"github.com/hostmatrix/conform/validators/ajv/uri"
	"github.com/hostmatrix/conform/validators/ground"
)

// options are the constructor options and the class of an Ajv instance.
type options struct {
	uri              uri.Flavor
	dialect          string // draft-07, 2019-09 or 2020-12: Ajv, Ajv2019, Ajv2020
	rules            *ruleSet
	formats          format.Set
	inheritedFormats bool // names of Object.prototype find something in the table
	ignoreFormats    bool // validateFormats: false, as metaschemas are compiled
	allErrors        bool
	validateSchema   bool
	strictSchema     bool
	strictNumbers    bool
	unevaluated      bool // the dialect has unevaluated*, dynamic references ...
	next             bool // ... and minContains
}

// lax is what the SDKs from 1.21 on construct: `new Ajv({strict: false,
// validateFormats: true, validateSchema: false, allErrors: true})` and ajv-formats.
// Source: sdk 1.32.2, validation/ajv-provider; client 2.4.0, validators/ajv.
func lax(dialect string) *options {
	later := dialect != "draft-07"
	return &options{dialect: dialect, rules: dialectRules(dialect, true), formats: format.Full(),
		allErrors: true, unevaluated: later, next: later}
}

// bundled is lax as the client packages bundle it: Ajv 8.18.0, with a resolver of
// their own time.
func bundled(dialect string, resolver uri.Flavor) *options {
	o := lax(dialect)
	o.inheritedFormats, o.uri = true, resolver
	return o
}

var (
	laxDraft07 = lax("draft-07")

	client07   = bundled("draft-07", uri.FastURI318)
	client2019 = bundled("2019-09", uri.FastURI318)
	client2020 = bundled("2020-12", uri.FastURI318)
	beta2020   = bundled("2020-12", uri.FastURI310)

	// noFormats: `new Ajv({strict: false, validateFormats: true})`, sdk 1.11.4.
	noFormats = &options{dialect: "draft-07", rules: dialectRules("draft-07", false), validateSchema: true}

	// checking: `new Ajv({strictSchema: false})` or the same of Ajv2020, with ajv-formats.
	// Source: Gemini CLI 0.61.0 and Qwen Code 0.24.4, utils/schemaValidator.
	checking07   = checking("draft-07")
	checking2020 = checking("2020-12")

	// plain: `new Ajv({allErrors: true, strict: false})` or the same of Ajv2020.
	// Source: @mastra/schema-compat of Mastra 2.0.0.
	plain07   = plain("draft-07")
	plain2020 = plain("2020-12")

	// strict: `new Ajv()`.
	strict = &options{dialect: "draft-07", rules: dialectRules("draft-07", false), validateSchema: true,
		strictSchema: true, strictNumbers: true}
)

// checking is lax but for what the constructor's defaults say: a schema is checked
// against its metaschema, numbers are finite, the first error ends it.
func checking(dialect string) *options {
	o := lax(dialect)
	o.allErrors, o.validateSchema, o.strictNumbers = false, true, true
	return o
}

// plain is checking without formats; all errors are told, numbers may be any.
func plain(dialect string) *options {
	o := checking(dialect)
	o.formats, o.allErrors, o.strictNumbers = nil, true, false
	return o
}

// dispatchPlain chooses by $schema, where it names 2020-12 or nothing is said.
func dispatchPlain(document *schema.Value) *options {
	declared := document.Get("$schema")
	if name, ok := declared.IsString(); declared == nil || ok && (name == "" || strings.Contains(name, "2020-12")) {
		return plain2020
	}
	return plain07
}

// engine chooses the instance for a document.
type engine func(document *schema.Value) *options

func always(o *options) engine { return func(*schema.Value) *options { return o } }

// dispatch chooses by $schema as client 2.0.0 and later do: http or https, one "#"
// at the end allowed.
func dispatch(document *schema.Value) *options {
	declared, ok := document.Get("$schema").IsString()
	if !ok {
		return client2020
	}
	name := strings.TrimSuffix(declared, "#")
	name = strings.TrimPrefix(strings.TrimPrefix(name, "https://"), "http://")
	if name != strings.TrimSuffix(declared, "#") {
		switch name {
		case "json-schema.org/draft/2020-12/schema":
			return client2020
		case "json-schema.org/draft/2019-09/schema":
			return client2019
		case "json-schema.org/draft-07/schema", "json-schema.org/draft-06/schema":
			return client07
		}
	}
	throw(`JSON Schema declares an unsupported dialect ("$schema": "`, schema.UTF16Prefix(declared, 200),
		`"). The default validator supports JSON Schema 2020-12, 2019-09, draft-07, and draft-06; `,
		`pass a pre-configured Ajv instance to AjvJsonSchemaValidator(ajv) to validate other dialects.`)
	return nil
}

// only2020 refuses every other dialect, as client 2.0.0-beta.1 to beta.5 do.
func only2020(document *schema.Value) *options {
	declared, ok := document.Get("$schema").IsString()
	if !ok {
		return beta2020
	}
	switch strings.TrimSuffix(declared, "#") {
	case "https://json-schema.org/draft/2020-12/schema", "http://json-schema.org/draft/2020-12/schema":
		return beta2020
	}
	throw(`JSON Schema declares an unsupported dialect ("$schema": "`, schema.UTF16Prefix(declared, 200),
		`"). The default validator supports JSON Schema 2020-12 only; `,
		`pass a pre-configured Ajv instance to AjvJsonSchemaValidator(ajv) to validate other dialects.`)
	return nil
}

// asserting are the features that Ajv with formats reads as the specification does.
const (
	asserting = ground.Alike | ground.Integer | ground.Line
	// oldTuples are the tuples of a library that reads draft-07 always.
	oldTuples = ground.TupleTagged | ground.TupleUntagged
)

func init() {
	register("ajv8-draft07-lax", "TypeScript SDK v1, 1.21 to 1.32: Ajv 8, draft-07, lax, all errors",
		"ajv 8.20.0 with ajv-formats 3.0.1", "@modelcontextprotocol/sdk 1.32.2, run", always(laxDraft07), "$id", ground.All, asserting|oldTuples)
	register("ajv8-draft07-noformats", "TypeScript SDK 1.11.4 and 1.11.5: Ajv 8, draft-07, no formats, first error",
		"ajv 8.20.0", "@modelcontextprotocol/sdk 1.11.4, run", always(noFormats), "", ground.All&^ground.Tagged2020, asserting|oldTuples|ground.Format|ground.OtherFormat)
	register("ajv8-dispatch", "TypeScript SDK v2: Ajv 8, dialect by $schema",
		"Ajv 8 bundled in @modelcontextprotocol/client 2.4.0", "@modelcontextprotocol/client 2.4.0, run", dispatch, "$schema", ground.All, asserting|ground.TupleTagged|ground.TuplePrefix)
	register("ajv8-2020-only", "TypeScript SDK v2 betas: Ajv 8, 2020-12 only",
		"Ajv 8 bundled in @modelcontextprotocol/client 2.0.0-beta.5", "@modelcontextprotocol/client 2.0.0-beta.5, run", only2020, "$schema", ground.All&^ground.Tagged07, asserting|ground.TuplePrefix)
	register("ajv8-draft07-checking", "arguments in Gemini CLI and Qwen Code: Ajv 8, draft-07, schemas checked, first error",
		"ajv 8 with ajv-formats 3", "ajv 8.20.0 with ajv-formats 3.0.1, run", always(checking07), "", ground.All&^ground.Tagged2020, asserting|oldTuples)
	register("ajv8-2020-checking", "arguments in Gemini CLI and Qwen Code, schemas tagged 2020-12: Ajv 8, schemas checked, first error",
		"ajv 8 with ajv-formats 3", "ajv 8.20.0 with ajv-formats 3.0.1, run", always(checking2020), "", ground.All&^ground.Tagged07, asserting|ground.TuplePrefix)
	register("ajv8-dispatch-checking", "arguments in Mastra: Ajv 8, dialect by $schema, schemas checked, no formats, all errors",
		"ajv 8.20.0", "ajv 8.20.0, run", dispatchPlain, "", ground.All&^(ground.Format|ground.OtherFormat), asserting|ground.TupleTagged|ground.TuplePrefix)
	register("ajv8-strict", "plain new Ajv() of Ajv 8: strict mode, no formats, first error",
		"ajv 8.20.0", "ajv 8.20.0, run", always(strict), "", ground.All&^(ground.Tagged2020|ground.Format|ground.OtherFormat|ground.Extension), asserting)
}

// register adds a profile. asks is the member that the SDK's provider class looks
// for first, which then asks the instance for the schema's $id; it is empty where
// the SDK just compiles. Profiles that validate schemas know no metaschema but that of
// draft-07.
func register(id, title, library, source string, choose engine, asks string, common, exact ground.Features) {
	validators.Register(validators.Profile{ID: id, Title: title, Library: library, Source: source, Ground: common, Exact: exact,
		Compile: func(document *schema.Value) (validators.Validator, error) {
			return compileDocument(choose, asks, document)
		}})
}
