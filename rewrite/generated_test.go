package rewrite_test

// generated are documents in the forms that generators write: valibot for draft-07 and
// 2020-12, ArkType, TypeBox, Effect, yup, joi, C#'s exporter, msgspec, victools and
// protobuf plugins. They were written anew after what those libraries printed
// (valibot 1, @valibot/to-json-schema 1, arktype 2, typebox 1, effect 4, yup 1,
// joi 18; the rest from their documentation).
var generated = []string{
	// valibot
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"span":{"type":"array","items":[{"type":"number"},{"type":"string"}],"minItems":2,"additionalItems":false}},"required":["span"]}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"span":{"type":"array","prefixItems":[{"type":"number"},{"type":"string"}],"minItems":2,"items":false}},"required":["span"]}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"log":{"type":"array","items":[{"type":"string"}],"minItems":1,"additionalItems":{"type":"number"}}}}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"log":{"type":"array","prefixItems":[{"type":"string"}],"minItems":1}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"note":{"anyOf":[{"type":"string"},{"type":"null"}]},"tries":{"anyOf":[{"type":"number"},{"type":"null"}],"default":3}},"required":["note"]}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"event":{"oneOf":[{"type":"object","properties":{"kind":{"const":"start"},"at":{"type":"number"}},"required":["kind","at"]},{"type":"object","properties":{"kind":{"const":"stop"}},"required":["kind"]}]}},"required":["event"]}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"by":{"type":"object","propertyNames":{"type":"string","pattern":"^[\\w-]+$"},"additionalProperties":{"type":"number"}}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"mail":{"type":"string","format":"email"},"seen":{"type":"string","format":"date-time"},"blob":{"type":"string","contentEncoding":"base64"}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/0"}}},"$defs":{"0":{"type":"object","properties":{"name":{"type":"string"},"kids":{"type":"array","items":{"$ref":"#/$defs/0"}}},"required":["name","kids"]}}}`,
	`{"$schema":"http://json-schema.org/draft-07/schema#","allOf":[{"type":"object","properties":{"id":{"type":"string"}},"required":["id"]},{"type":"object","properties":{"size":{"type":"number","exclusiveMinimum":0}},"required":["size"]}]}`,
	// ArkType
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"at":{"type":"array","minItems":1,"prefixItems":[{"type":"number"},{"type":"string"}],"items":false}},"required":["at"]}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"level":{"enum":["low","high",3]},"step":{"type":"integer","multipleOf":5}},"required":["level"]}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","anyOf":[{"type":"object","properties":{"k":{"const":"a"},"x":{"type":"number"}},"required":["k","x"]},{"type":"object","properties":{"k":{"const":"b"}},"required":["k"]}]}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"day":{"type":"string","pattern":"^(\\d{4}(?!\\d))-(0[1-9]|1[0-2])$"},"who":{"type":"string","pattern":"^[\\w%+.-]+@[\\d.A-Za-z-]+$","format":"email"}}}`,
	// TypeBox
	`{"type":"object","required":["pair"],"properties":{"pair":{"type":"array","additionalItems":false,"items":[{"type":"number"},{"type":"string"}],"minItems":2}}}`,
	`{"type":"object","required":["state"],"properties":{"state":{"anyOf":[{"type":"string","const":"on"},{"type":"string","const":"off"},{"type":"null"}]}}}`,
	`{"type":"object","properties":{"rates":{"type":"object","patternProperties":{"^-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?$":{"type":"string"}}}}}`,
	`{"allOf":[{"type":"object","required":["id"],"properties":{"id":{"type":"string"}}},{"type":"object","properties":{"n":{"type":"number"}}}],"unevaluatedProperties":false}`,
	`{"$defs":{"Dir":{"$id":"Dir","type":"object","required":["dirs"],"properties":{"dirs":{"type":"array","items":{"$ref":"Dir"}}}}},"$ref":"Dir"}`,
	`{"type":"object","required":["x","z"],"properties":{"x":{},"z":{"not":{}},"u":{"type":"undefined"},"big":{"type":"bigint"}}}`,
	// Effect
	`{"type":"object","properties":{"ratio":{"anyOf":[{"type":"number"},{"type":"string","enum":["Infinity","-Infinity","NaN"]},{"type":"null"}]},"names":{"type":"array","prefixItems":[{"type":"string"}],"minItems":1,"items":{"type":"string"}}},"additionalProperties":true}`,
	// yup, joi
	`{"type":"object","default":{},"properties":{"pair":{"type":"array","items":[{"type":"number"},{"type":"string"}],"minItems":2,"maxItems":2},"n":{"type":"integer","exclusiveMinimum":0}},"required":["n"]}`,
	`{"type":"object","properties":{"from":{"type":"string","nullable":true},"to":{"type":["string","null"]},"v":{"type":["array","boolean","number","object","string","null"],"oneOf":[{"type":"number"},{"type":"string"}]}},"additionalProperties":false,"allOf":[{"if":{"propertyNames":{"enum":["from","to"]},"minProperties":2},"then":false,"else":{"oneOf":[{"required":["from"]},{"required":["to"]}]}}]}`,
	// C#
	`{"type":"object","properties":{"owner":{"type":["object","null"],"properties":{"name":{"type":["string","null"],"default":null},"boss":{"$ref":"#/properties/owner"}}},"size":{"type":["string","integer"],"pattern":"^-?(?:0|[1-9]\\d*)$"}}}`,
	// msgspec, victools, FastMCP
	`{"$ref":"#/$defs/Job","$defs":{"Job":{"title":"Job","type":"object","properties":{"tags":{"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}],"minItems":2,"maxItems":2,"items":false},"next":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/Job"}],"default":null}},"required":["tags"]}}}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"left":{"allOf":[{"$ref":"#/$defs/Side"},{"description":"the left one"}]},"right":{"$ref":"#/$defs/Side","description":"the right one"}},"$defs":{"Side":{"type":"object","properties":{"mm":{"type":"integer","format":"int32"}}}}}`,
	`{"type":"object","properties":{"result":{"items":{"additionalProperties":true,"type":"object"},"type":"array"}},"required":["result"],"x-fastmcp-wrap-result":true}`,
	// protobuf plugins, TypeSpec
	`{"type":"object","properties":{"count":{"oneOf":[{"type":"integer","format":"int64"},{"type":"string","pattern":"^-?[0-9]+$"}]},"data":{"type":"string","format":"byte"}},"patternProperties":{"^(raw_data)$":{"type":"string"}},"additionalProperties":false}`,
	`{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"Crate.json","type":"object","properties":{"to":{"$ref":"Place.json"}},"unevaluatedProperties":{"not":{}},"$defs":{"Place":{"$id":"Place.json","type":"object","properties":{"dock":{"type":"integer","minimum":-32768,"maximum":32767}}}}}`,
}
