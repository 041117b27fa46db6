// Constructs from the real zod 3 (through zod-to-json-schema, with the MCP SDK's options) and zod 4.
//
//   npm ci && node zod.mjs >> ../goldens/constructs.jsonl      (then remove the older lines of the same ids)
//
// Each model is written once, for both versions where both can express it; instances are JSON texts.
import { z as z3 } from 'zod3';
import * as z4 from 'zod';
import { zodToJsonSchema } from 'zod-to-json-schema';

/** [name, (z, version) => schema, instances]; a version that lacks a method skips the model. */
const models = [
  ['object', z => z.object({ id: z.string(), n: z.number(), ok: z.boolean().optional() }),
    ['{"id":"x","n":1}', '{"id":1,"n":"1","ok":null}', '{}', '{"id":"x","n":1,"more":true}']],
  ['strict', z => z.object({ id: z.string() }).strict(), ['{"id":"x"}', '{"id":"x","y":1,"z":2}', '{}']],
  ['passthrough', z => z.object({ id: z.string() }).passthrough(), ['{"id":"x","y":1}', '{"y":1}']],
  ['catchall', z => z.object({ id: z.string() }).catchall(z.number()), ['{"id":"x","y":1}', '{"id":"x","y":"1"}']],
  ['partial', z => z.object({ a: z.string(), b: z.number() }).partial(), ['{}', '{"a":1}', '{"a":"x","b":2}']],
  ['nullable', z => z.object({ s: z.string().nullable(), o: z.object({ k: z.number() }).nullable(), n: z.number().nullish() }),
    ['{"s":null,"o":null}', '{"s":1,"o":{}}', '{"s":"x","o":{"k":1},"n":null}']],
  ['string-checks', z => z.object({ a: z.string().min(2).max(4), b: z.string().length(3), c: z.string().regex(/^[a-z]+$/), d: z.string().startsWith('x-'), e: z.string().endsWith('.txt'), f: z.string().includes('mid') }).partial(),
    ['{"a":"abc","b":"abc","c":"abc","d":"x-1","e":"a.txt","f":"amidst"}', '{"a":"a","b":"ab","c":"ABC","d":"y","e":"a","f":"x"}', '{"a":"abcde","b":5}']],
  ['string-formats', z => z.object({ email: z.string().email(), url: z.string().url(), uuid: z.string().uuid(), dt: z.string().datetime(), date: z.string().date(), time: z.string().time(), dur: z.string().duration(), ip: z.string().ip ? z.string().ip() : z.ipv4(), b64: z.string().base64(), cuid: z.string().cuid(), ulid: z.string().ulid(), nano: z.string().nanoid(), emoji: z.string().emoji() }).partial(),
    ['{"email":"a@b.co","url":"https://x.test","uuid":"123e4567-e89b-42d3-a456-426614174000","dt":"2024-01-02T03:04:05Z"}', '{"email":"a@b","url":"x","uuid":"u","dt":"2024-01-02T03:04:05"}', '{"date":"2024-02-30","time":"25:00","dur":"P","ip":"1.2.3.4.5","b64":"a"}', '{"date":"2024-02-29","time":"12:00:00","dur":"PT1H","ip":"1.2.3.4","b64":"aGk="}', '{"cuid":"x","ulid":"0","nano":"short","emoji":"a"}', '{"email":1,"emoji":"\\ud83d\\ude00"}']],
  ['datetime-offset', z => z.object({ a: z.string().datetime({ offset: true }), b: z.string().datetime({ local: true }), c: z.string().datetime({ precision: 3 }) }).partial(),
    ['{"a":"2024-01-02T03:04:05+01:00"}', '{"b":"2024-01-02T03:04:05"}', '{"c":"2024-01-02T03:04:05.123Z"}', '{"a":"x","b":"x","c":"2024-01-02T03:04:05Z"}']],
  ['number-checks', z => z.object({ i: z.number().int(), p: z.number().positive(), nn: z.number().nonnegative(), r: z.number().min(1).max(10), m: z.number().multipleOf(0.5), g: z.number().gt(1).lt(2), f: z.number().finite() }).partial(),
    ['{"i":1,"p":0.1,"nn":0,"r":5,"m":1.5,"g":1.5,"f":1}', '{"i":1.5,"p":0,"nn":-1,"r":11,"m":0.3,"g":2,"f":1e400}', '{"i":9007199254740993,"m":1e308}']],
  ['int-safe', z => z.object({ n: z.number().int().safe() }), ['{"n":9007199254740991}', '{"n":9007199254740992}', '{"n":1.0}']],
  ['literal', z => z.object({ k: z.literal('a'), n: z.literal(5), b: z.literal(true), z: z.literal(null) }).partial(), ['{"k":"a","n":5,"b":true,"z":null}', '{"k":"b","n":"5","b":1,"z":false}']],
  ['enum', z => z.object({ e: z.enum(['low', 'high']), n: z.nativeEnum({ A: 1, B: 2 }), s: z.nativeEnum({ X: 'x', Y: 'y' }) }).partial(), ['{"e":"low","n":1,"s":"x"}', '{"e":"LOW","n":"A","s":"X"}', '{"n":3}']],
  ['array', z => z.object({ a: z.array(z.string()), ne: z.array(z.number()).nonempty(), b: z.array(z.boolean()).min(1).max(2), l: z.array(z.any()).length(2) }).partial(),
    ['{"a":[],"ne":[1],"b":[true],"l":[1,2]}', '{"a":[1],"ne":[],"b":[],"l":[1]}', '{"b":[true,false,true],"a":{}}']],
  ['tuple', z => z.object({ t: z.tuple([z.string(), z.number()]) }), ['{"t":["a",1]}', '{"t":["a"]}', '{"t":["a",1,2]}', '{"t":[1,"a"]}']],
  ['tuple-rest', z => z.object({ t: z.tuple([z.string()]).rest(z.boolean()) }), ['{"t":["a",true]}', '{"t":["a",1]}', '{"t":[]}']],
  ['tuple-nullable', z => z.object({ buckets: z.array(z.tuple([z.number().nullable(), z.number().int().nonnegative()])) }), ['{"buckets":[[0.5,3],[null,1]]}', '{"buckets":[[1]]}', '{"buckets":[["a",-1]]}']],
  ['record', z => z.object({ r: z.record(z.string(), z.number()) }), ['{"r":{"a":1}}', '{"r":{"a":"1","b":null}}', '{"r":[]}']],
  ['record-enum', z => z.object({ r: z.record(z.enum(['x', 'y']), z.number()) }), ['{"r":{"x":1}}', '{"r":{"x":1,"y":2}}', '{"r":{"z":1}}']],
  ['record-regex', z => z.object({ r: z.record(z.string().regex(/^k\d+$/), z.string()) }), ['{"r":{"k1":"v"}}', '{"r":{"x":"v"}}', '{"r":{"k1":2}}']],
  ['map-set', z => z.object({ m: z.map(z.string(), z.number()), s: z.set(z.string()) }), ['{"m":[["a",1]],"s":["a"]}', '{"m":{},"s":["a","a"]}']],
  ['union', z => z.object({ u: z.union([z.string(), z.number(), z.null()]) }), ['{"u":"x"}', '{"u":null}', '{"u":true}', '{}']],
  ['union-objects', z => z.object({ u: z.union([z.object({ a: z.string() }), z.object({ b: z.number() })]) }), ['{"u":{"a":"x"}}', '{"u":{"b":1}}', '{"u":{"a":1}}', '{"u":{}}']],
  ['discriminated', z => z.object({ ev: z.discriminatedUnion('t', [z.object({ t: z.literal('start'), at: z.string() }), z.object({ t: z.literal('stop'), code: z.number().int() })]) }),
    ['{"ev":{"t":"start","at":"x"}}', '{"ev":{"t":"stop","code":1.5}}', '{"ev":{"t":"other"}}', '{"ev":{}}']],
  ['intersection', z => z.object({ i: z.intersection(z.object({ a: z.string() }), z.object({ b: z.number() })) }), ['{"i":{"a":"x","b":1}}', '{"i":{"a":"x"}}', '{"i":{"a":"x","b":1,"c":1}}']],
  ['extend-merge', z => z.object({ a: z.string() }).extend({ b: z.number() }).omit({ a: true }), ['{"b":1}', '{"a":"x"}']],
  ['default', z => z.object({ d: z.string().default('x'), n: z.number().default(5).optional() }), ['{}', '{"d":1}', '{"d":"y","n":null}']],
  ['optional-nested', z => z.object({ o: z.object({ p: z.object({ q: z.string() }).optional() }).optional() }), ['{}', '{"o":{}}', '{"o":{"p":{}}}', '{"o":{"p":{"q":1}}}']],
  ['any-unknown', z => z.object({ a: z.any(), u: z.unknown(), n: z.never().optional() }), ['{"a":1,"u":null}', '{}', '{"a":1,"u":1,"n":1}']],
  ['date-like', (z, v) => z.object({ d: v === 3 ? z.date() : z.iso.datetime() }), ['{"d":"2024-01-02T03:04:05Z"}', '{"d":"2024-01-02"}', '{"d":1}']],
  ['described', z => z.object({ a: z.string().describe('the a') }).describe('a thing'), ['{"a":"x"}', '{"a":1}']],
  ['refine', z => z.object({ a: z.string().refine(s => s.length > 3) }), ['{"a":"x"}', '{"a":1}']],
  ['pipe-output', z => z.object({ a: z.string().transform(s => s.length).pipe(z.number()) }), ['{"a":1}', '{"a":"x"}']],
  ['readonly-brand', z => z.object({ a: z.array(z.string()).readonly(), b: z.string().brand('B') }), ['{"a":["x"],"b":"y"}', '{"a":[1],"b":1}']],
  ['lazy', z => { const Node = z.object({ v: z.number(), kids: z.lazy(() => z.array(Node)) }); return z.object({ root: Node }); },
    ['{"root":{"v":1,"kids":[{"v":2,"kids":[]}]}}', '{"root":{"v":1,"kids":[{"v":"x","kids":[]}]}}', '{"root":{"v":1}}']],
  ['lazy-root', z => { const Node = z.object({ name: z.string(), next: z.lazy(() => Node.optional()) }); return Node; },
    ['{"name":"a","next":{"name":"b"}}', '{"name":"a","next":{"name":1}}', '{"next":{}}']],
  ['shared', z => { const P = z.object({ x: z.number(), y: z.number() }); return z.object({ from: P, to: P, via: z.array(P).optional() }); },
    ['{"from":{"x":1,"y":2},"to":{"x":1,"y":2}}', '{"from":{"x":1},"to":{"x":"1","y":2},"via":[{}]}']],
  ['json', z => { const J = z.lazy(() => z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(J), z.record(z.string(), J)])); return z.object({ data: J }); },
    ['{"data":{"a":[1,null,{"b":"x"}]}}', '{"data":[[[1]]]}', '{}']],
  ['paged', z => z.object({ items: z.array(z.object({ id: z.string().uuid(), created: z.string().datetime(), tags: z.array(z.string()).default([]), score: z.number().min(0).max(1).optional() })), next: z.string().nullable() }),
    ['{"items":[{"id":"123e4567-e89b-42d3-a456-426614174000","created":"2024-01-02T03:04:05Z","tags":[]}],"next":null}', '{"items":[{"id":"x","created":"2024-01-02","score":2}],"next":1}', '{"items":[{}]}']],
  ['odd-names', z => z.object({ 'a/b': z.string(), 'c.d': z.string(), 'e f': z.number(), toString: z.string().optional(), '': z.boolean().optional(), '10': z.string().optional(), '2': z.string().optional() }),
    ['{"a/b":"x","c.d":"y","e f":1}', '{"a/b":1,"c.d":2,"e f":"3","":1,"10":1,"2":1}', '{}']],
];

/** Models of zod 4 alone. */
const only4 = [
  ['int32', z => z.object({ i: z.int32(), u: z.uint32(), f: z.float32() }).partial(), ['{"i":1,"u":1,"f":1.5}', '{"i":2147483648,"u":-1,"f":1e39}', '{"i":1.5}']],
  ['formats', z => z.object({ e: z.email(), u: z.url(), g: z.guid(), v7: z.uuidv7(), b: z.base64url(), j: z.jwt(), c4: z.cidrv4(), c6: z.cidrv6(), i6: z.ipv6(), e164: z.e164(), h: z.hostname(), x: z.hex() }).partial(),
    ['{"e":"a@b.co","u":"https://x.test","i6":"::1","c4":"10.0.0.0/8","h":"x.test"}', '{"e":"a@b","u":"x","g":"x","v7":"x","b":"a+b","j":"x"}', '{"c4":"10","c6":"x","i6":"x","e164":"1","h":"-x","x":"zz"}']],
  ['iso', z => z.object({ d: z.iso.date(), t: z.iso.time(), dt: z.iso.datetime(), du: z.iso.duration() }).partial(), ['{"d":"2024-02-29","t":"12:00:00","dt":"2024-01-02T03:04:05Z","du":"P1D"}', '{"d":"2023-02-29","t":"12:00","dt":"2024-01-02T03:04:05","du":"P"}']],
  ['strict-loose', z => z.object({ s: z.strictObject({ a: z.string() }), l: z.looseObject({ a: z.string() }) }), ['{"s":{"a":"x"},"l":{"a":"x","b":1}}', '{"s":{"a":"x","b":1},"l":{}}']],
  ['stringbool', z => z.object({ b: z.templateLiteral(['v', z.number()]) }), ['{"b":"v1"}', '{"b":"x"}', '{"b":1}']],
  ['getter-recursion', z => { const Cat = z.object({ name: z.string(), get sub() { return z.array(Cat); } }); return Cat; }, ['{"name":"a","sub":[{"name":"b","sub":[]}]}', '{"name":"a","sub":[{"name":1}]}', '{}']],
  ['meta-id', z => { const P = z.object({ x: z.number() }).meta({ id: 'Point', title: 'P' }); return z.object({ a: P, b: P.optional() }); }, ['{"a":{"x":1}}', '{"a":{},"b":1}']],
  ['partial-record', z => z.object({ r: z.partialRecord(z.enum(['x', 'y']), z.number()) }), ['{"r":{}}', '{"r":{"x":"1"}}', '{"r":{"z":1}}']],
  ['json-value', z => z.object({ j: z.json() }), ['{"j":{"a":[1]}}', '{"j":null}', '{}']],
  ['literal-many', z => z.object({ l: z.literal(['a', 'b', 3, null]) }), ['{"l":"a"}', '{"l":null}', '{"l":"c"}']],
  ['xor-not', z => z.object({ f: z.file ? z.string().optional() : z.string(), n: z.nan ? z.number().optional() : z.number() }), ['{}', '{"f":1}']],
];

const line = (id, family, schema, instances) =>
  `{"id":${JSON.stringify(id)},"family":"${family}","schema":${JSON.stringify(schema)},"instances":[${instances.join(',')}]}\n`;

const write = (family, version, list, z, toSchema) => {
  for (const [name, model, instances] of list) {
    let schema;
    try {
      schema = toSchema(model(z, version));
    } catch (error) {
      process.stderr.write(`${family}-${name}: ${error.message}\n`); // not every version has every method
      continue;
    }
    process.stdout.write(line(`${family}-${name}`, family, schema, instances));
  }
};

write('zod3', 3, models, z3, s => zodToJsonSchema(s, { strictUnions: true, pipeStrategy: 'output' }));
write('zod3-2019', 3, models.filter(([n]) => ['tuple', 'tuple-rest', 'record-enum', 'nullable', 'lazy', 'intersection', 'shared'].includes(n)), z3, s => zodToJsonSchema(s, { target: 'jsonSchema2019-09' }));
write('zod3-openapi', 3, models.filter(([n]) => ['nullable', 'number-checks', 'literal', 'union', 'record', 'default'].includes(n)), z3, s => zodToJsonSchema(s, { target: 'openApi3' }));
write('zod4', 4, [...models, ...only4], z4, s => z4.toJSONSchema(s, { io: 'output', unrepresentable: 'any' }));
write('zod4-input', 4, models.filter(([n]) => ['default', 'object', 'pipe-output', 'catchall', 'passthrough'].includes(n)), z4, s => z4.toJSONSchema(s, { io: 'input', unrepresentable: 'any' }));
write('zod4-d7', 4, [...models, ...only4].filter(([n]) => ['tuple', 'tuple-rest', 'nullable', 'shared', 'lazy', 'meta-id', 'number-checks', 'string-formats', 'record-enum', 'union', 'discriminated', 'literal', 'getter-recursion'].includes(n)), z4, s => z4.toJSONSchema(s, { target: 'draft-7', unrepresentable: 'any', reused: 'ref' }));
write('zod4-openapi', 4, models.filter(([n]) => ['nullable', 'number-checks', 'union', 'literal', 'tuple'].includes(n)), z4, s => z4.toJSONSchema(s, { target: 'openapi-3.0', unrepresentable: 'any' }));
