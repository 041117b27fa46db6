// Constructs from the real typebox: node typebox.mjs >> ../goldens/constructs.jsonl
import { Type as T } from '@sinclair/typebox';

const models = [
  ['object', T.Object({ id: T.String(), n: T.Optional(T.Number()) }), ['{"id":"x"}', '{"id":1,"n":"1"}', '{}', '{"id":"x","more":1}']],
  ['closed', T.Object({ id: T.String() }, { additionalProperties: false }), ['{"id":"x"}', '{"id":"x","y":1}', '{"y":1,"z":2}']],
  ['additional', T.Object({ id: T.String() }, { additionalProperties: T.Integer() }), ['{"id":"x","y":1}', '{"id":"x","y":1.5}']],
  ['union-literals', T.Object({ u: T.Union([T.Literal('a'), T.Literal('b'), T.Literal(3)]) }), ['{"u":"a"}', '{"u":"c"}', '{"u":3}', '{"u":"3"}']],
  ['union-null', T.Object({ u: T.Union([T.String(), T.Null()]) }), ['{"u":null}', '{"u":"x"}', '{"u":1}']],
  ['tuple', T.Object({ t: T.Tuple([T.String(), T.Number()]) }), ['{"t":["a",1]}', '{"t":["a"]}', '{"t":["a",1,2]}', '{"t":[1,"a"]}']],
  ['tuple-empty', T.Object({ t: T.Tuple([]) }), ['{"t":[]}', '{"t":[1]}']],
  ['record', T.Object({ r: T.Record(T.String(), T.Number()) }), ['{"r":{"a":1}}', '{"r":{"a":"1"}}']],
  ['record-number', T.Object({ r: T.Record(T.Number(), T.String()) }), ['{"r":{"0":"a","-1.5":"b"}}', '{"r":{"x":"a"}}', '{"r":{"0":1}}']],
  ['record-union', T.Object({ r: T.Record(T.Union([T.Literal('x'), T.Literal('y')]), T.Number()) }), ['{"r":{"x":1,"y":2}}', '{"r":{"x":1}}']],
  ['record-pattern', T.Object({ r: T.Record(T.RegExp(/^k[0-9]+$/), T.Boolean()) }), ['{"r":{"k1":true}}', '{"r":{"k1":1}}', '{"r":{"z":1}}']],
  ['template', T.Object({ s: T.TemplateLiteral('on-${number}') }), ['{"s":"on-1"}', '{"s":"on-x"}', '{"s":1}']],
  ['intersect', T.Intersect([T.Object({ a: T.String() }), T.Object({ b: T.Number() })]), ['{"a":"x","b":1}', '{"a":"x"}', '{"a":1,"b":"x","c":1}']],
  ['intersect-closed', T.Intersect([T.Object({ a: T.String() }), T.Object({ b: T.Number() })], { unevaluatedProperties: false }), ['{"a":"x","b":1}', '{"a":"x","b":1,"c":1}', '{"a":"x"}']],
  ['composite', T.Composite([T.Object({ a: T.String() }), T.Object({ b: T.Optional(T.Number()) })]), ['{"a":"x"}', '{"b":"x"}']],
  ['numbers', T.Object({ i: T.Integer({ minimum: 1, exclusiveMaximum: 10 }), m: T.Number({ multipleOf: 0.1 }) }), ['{"i":1,"m":0.3}', '{"i":10,"m":1}', '{"i":1.5,"m":0.25}']],
  ['strings', T.Object({ f: T.String({ format: 'email' }), p: T.String({ pattern: '^[a-z]+$', minLength: 2, maxLength: 3 }), u: T.String({ format: 'uuid' }) }), ['{"f":"a@b.co","p":"ab","u":"123e4567-e89b-12d3-a456-426614174000"}', '{"f":"x","p":"ABCD","u":"x"}']],
  ['arrays', T.Object({ a: T.Array(T.String(), { minItems: 1, maxItems: 2, uniqueItems: true }), c: T.Optional(T.Array(T.Number(), { contains: T.Literal(1), minContains: 2 })) }), ['{"a":["x"]}', '{"a":["x","x"]}', '{"a":[],"c":[1]}', '{"a":["x",1,2],"c":[1,1]}']],
  ['date-bytes', T.Object({ d: T.Date(), b: T.Uint8Array({ maxByteLength: 4 }) }), ['{"d":"2024-01-01","b":"x"}', '{"d":1,"b":[1]}']],
  ['bigint-undefined', T.Object({ b: T.BigInt(), u: T.Undefined(), v: T.Void() }), ['{"b":1}', '{}']],
  ['any-never', T.Object({ a: T.Any(), u: T.Unknown(), n: T.Optional(T.Never()) }), ['{"a":1,"u":2}', '{"a":1,"u":2,"n":3}', '{}']],
  ['not', T.Object({ n: T.Not(T.String({ maxLength: 2 })) }), ['{"n":"abc"}', '{"n":"ab"}', '{"n":1}']],
  ['enum', T.Object({ e: T.Enum({ A: 'a', B: 'b' }), n: T.Enum({ X: 1, Y: 2 }) }), ['{"e":"a","n":1}', '{"e":"A","n":"1"}']],
  ['recursive', T.Recursive(This => T.Object({ id: T.String(), kids: T.Array(This) }), { $id: 'Node' }), ['{"id":"a","kids":[{"id":"b","kids":[]}]}', '{"id":"a","kids":[{"id":1}]}', '{}']],
  ['module-ref', T.Object({ p: T.Unsafe({ $ref: '#/$defs/P' }) }, { $defs: { P: T.Object({ x: T.Number() }) } }), ['{"p":{"x":1}}', '{"p":{}}']],
  ['partial-pick', T.Partial(T.Pick(T.Object({ a: T.String(), b: T.Number(), c: T.Boolean() }), ['a', 'c'])), ['{}', '{"a":1,"c":0}']],
  ['keyof', T.Object({ k: T.KeyOf(T.Object({ x: T.Null(), y: T.Null() })) }), ['{"k":"x"}', '{"k":"z"}']],
  ['conditional-if', T.Unsafe({ type: 'object', properties: { a: T.String() }, if: { required: ['a'] }, then: { required: ['b'] } }), ['{"a":"x","b":1}', '{"a":"x"}', '{}']],
  ['nullable-openapi', T.Unsafe({ type: 'object', properties: { n: { type: 'string', nullable: true } } }), ['{"n":null}', '{"n":1}']],
  ['discriminated', T.Union([T.Object({ t: T.Literal('a'), v: T.String() }), T.Object({ t: T.Literal('b'), v: T.Number() })]), ['{"t":"a","v":"x"}', '{"t":"b","v":"x"}', '{"t":"c"}']],
];

for (const [name, schema, instances] of models) {
  process.stdout.write(`{"id":"typebox-${name}","family":"typebox","schema":${JSON.stringify(schema)},"instances":[${instances.join(',')}]}\n`);
}
