// Remakes the goldens of the TypeScript SDK v1 shapes from the real packages.
//
//   node ts.mjs INSTALL_DIR SHAPE_ID < payloads.jsonl > SHAPE_ID.jsonl
//
// INSTALL_DIR holds node_modules/@modelcontextprotocol/sdk at the version that
// the shape's source names. Each answer is parsed as the client's request() does:
// safeParse with the exported result schema; the text is the error's message.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , install, shape] = process.argv;
const types = await import(pathToFileURL(path.resolve(install, 'node_modules/@modelcontextprotocol/sdk/dist/esm/types.js')).href);
const parsers = { initialize: types.InitializeResultSchema, list: types.ListToolsResultSchema, result: types.CallToolResultSchema };
for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
  const { id, part, payload } = JSON.parse(line);
  const parser = parsers[part];
  if (!parser) continue;
  const parsed = parser.safeParse(JSON.parse(payload));
  console.log(JSON.stringify(parsed.success ? { id } : { id, text: parsed.error.message }));
}
