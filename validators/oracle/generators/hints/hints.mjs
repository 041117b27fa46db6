// What the hints of `conform fix` ask of an author, done with the real zod 4 (z.toJSONSchema) and zod 3 (through
// zod-to-json-schema): the schema before and after the change in the source, one JSON line each.
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { z as z3 } from 'zod3';
import { zodToJsonSchema } from 'zod-to-json-schema';

const version = name => JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version;
const four = (schema, options) => z.toJSONSchema(schema, { io: 'output', ...options });
const three = schema => zodToJsonSchema(schema, { strictUnions: true });
const line = (generator, rewrite, change, before, after) =>
  console.log(JSON.stringify({ generator: 'zod', version: generator, rewrite, change, before, after }));
const v4 = `zod ${version('zod')}`, v3 = `zod ${version('zod3')} with zod-to-json-schema ${version('zod-to-json-schema')}`;
const of = (f, lib = z) => lib.object({ v: f(lib) });

const both = (rewrite, change, before, after) => {
  line(v4, rewrite, change, four(of(before)), four(of(after)));
  line(v3, rewrite, change, three(of(before, z3)), three(of(after, z3)));
};
const pair = x => x.tuple([x.number(), x.string()]);

both('tuple-union-items', 'z.tuple([A, B]) to z.array(z.union([A, B])).length(2)', pair, x => x.array(x.union([x.number(), x.string()])).length(2));
line(v4, 'tuple-open-tail', 'override: delete items, set minItems and maxItems', four(of(pair)), four(of(pair), {
  override: ({ jsonSchema: s }) => {
    if (s.prefixItems && s.items === false) delete s.items;
    if (s.prefixItems) s.minItems = s.maxItems = s.prefixItems.length;
  },
}));
line(v4, 'nullable-as-type-list', 'target openapi-3.0 to draft-2020-12', four(of(x => x.string().nullable()), { target: 'openapi-3.0' }), four(of(x => x.string().nullable())));
both('time-formats-off', 'z.string().datetime() to z.string()', x => x.string().datetime(), x => x.string());
both('formats-off', 'z.string().url() to z.string()', x => x.string().url(), x => x.string());
both('formats-off', 'z.string().email() to z.string()', x => x.string().email(), x => x.string());
both('formats-off', 'z.string().uuid() to z.string()', x => x.string().uuid(), x => x.string());
line(v3, 'object-open', 'z.object() to z.object().passthrough()', three(z3.object({ a: z3.string() })), three(z3.object({ a: z3.string() }).passthrough()));
line(v4, 'object-open', 'z.strictObject() to z.looseObject()', four(z.strictObject({ a: z.string() })), four(z.looseObject({ a: z.string() })));
line(v4, 'object-open', 'z.object() with io: output to io: input', four(z.object({ a: z.string() })), four(z.object({ a: z.string() }), { io: 'input' }));
const point = z.object({ x: z.number() }), point3 = z3.object({ x: z3.number() });
line(v4, 'inline-refs', 'reused: "ref" to reused: "inline"', four(z.object({ a: point, b: point }), { reused: 'ref' }), four(z.object({ a: point, b: point }), { reused: 'inline' }));
line(v3, 'inline-refs', '$refStrategy: "root" to "none"', zodToJsonSchema(z3.object({ a: point3, b: point3 })), zodToJsonSchema(z3.object({ a: point3, b: point3 }), { $refStrategy: 'none' }));
both('pattern-common', 'no needless escapes, [A-Za-z0-9_] for \\w', x => x.string().regex(/^[a-z]+\-[\w\-]+$/), x => x.string().regex(/^[a-z]+-[A-Za-z0-9_-]+$/));
const kinds = x => [x.object({ kind: x.literal('a'), n: x.number() }), x.object({ kind: x.literal('b'), s: x.string() })];
line(v4, 'one-of-as-any-of', 'z.discriminatedUnion to z.union', four(of(x => x.discriminatedUnion('kind', kinds(x)))), four(of(x => x.union(kinds(x)))));
line(v4, 'schema-tag-off', 'delete $schema', four(of(x => x.string())), (({ $schema, ...rest }) => rest)(four(of(x => x.string()))));
line(v3, 'schema-tag-off', 'delete $schema', three(of(x => x.string(), z3)), (({ $schema, ...rest }) => rest)(three(of(x => x.string(), z3))));
line(v4, 'root-wrap-object', 'z.array(A) to z.object({ result: z.array(A) })', four(z.array(z.string())), four(z.object({ result: z.array(z.string()) })));
const merged = x => x.looseObject({ kind: x.enum(['a', 'b']), n: x.number().optional(), s: x.string().optional() });
line(v4, 'union-merge', 'z.discriminatedUnion to one z.looseObject', four(of(x => x.discriminatedUnion('kind', kinds(x)))), four(of(merged)));
line(v4, 'root-combinators-flatten', 'z.discriminatedUnion to one z.looseObject', four(z.discriminatedUnion('kind', kinds(z))), four(merged(z)));
line(v4, 'root-type-object', '{ type: "object", ...z.toJSONSchema(Union) }', four(z.union(kinds(z))), { type: 'object', ...four(z.union(kinds(z))) });
both('null-allowed', 'z.string() to z.string().nullable()', x => x.string(), x => x.string().nullable());
