// Remakes the goldens of the TypeScript clients from the real packages, by way of
// the client itself: the handshake, the message reader and the typed parser.
//
//   node ts.mjs INSTALL_DIR sdk|legacy|modern|core < payloads.jsonl > SHAPE_ID.jsonl
//
// INSTALL_DIR holds node_modules/@modelcontextprotocol/{sdk,client}. The text is
// the message of the error with which connect, listTools or callTool rejects; a
// message that the reader itself refuses ends in the request's timeout. The output
// validator is replaced by one that accepts all: it is no part of the parser. Mode
// core parses tools/list with the public schema of @modelcontextprotocol/core.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , install, mode] = process.argv;
const load = file => import(pathToFileURL(path.resolve(install, 'node_modules/@modelcontextprotocol', file)).href);
let Client, deserializeMessage;
if (mode === 'sdk') {
  ({ Client } = await load('sdk/dist/esm/client/index.js'));
  ({ deserializeMessage } = await load('sdk/dist/esm/shared/stdio.js'));
} else {
  ({ Client, deserializeMessage } = await load('client/dist/index.mjs'));
}
const core = mode === 'core' ? await load('core/dist/index.mjs') : undefined;
for (const k of ['log', 'warn', 'info', 'debug', 'error']) console[k] = () => {};

const good = {
  initialize: '{"protocolVersion":"2024-11-05","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
  'server/discover': '{"resultType":"complete","ttlMs":0,"cacheScope":"private","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}',
  'tools/list': '{"tools":[],"resultType":"complete","ttlMs":0,"cacheScope":"private"}',
  'tools/call': '{"content":[],"resultType":"complete"}',
};

function transport(answers) {
  const t = {
    async start() {},
    async close() { t.onclose?.(); },
    async send(message) {
      if (message.id === undefined) return;
      setImmediate(() => {
        try {
          t.onmessage?.(deserializeMessage(`{"jsonrpc":"2.0","id":${JSON.stringify(message.id)},"result":${answers[message.method]}}`));
        } catch (error) {
          t.onerror?.(error);
        }
      });
    },
  };
  return t;
}

const methods = { initialize: 'initialize', discover: 'server/discover', list: 'tools/list', result: 'tools/call' };
for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
  const { id, part, payload } = JSON.parse(line);
  if (part === 'discover' ? mode !== 'modern' : part === 'initialize' && mode === 'modern') continue;
  if (core) {
    if (part !== 'list') continue;
    let answer = { id };
    try {
      const message = deserializeMessage(`{"jsonrpc":"2.0","id":1,"result":${payload}}`);
      const parsed = core.ListToolsResultSchema.safeParse(message.result);
      if (!parsed.success) answer.text = `Invalid result for tools/list: ${parsed.error.message}`;
    } catch {
      answer.text = 'Request timed out';
    }
    fs.writeSync(1, JSON.stringify(answer) + '\n');
    continue;
  }
  const options = { capabilities: {}, jsonSchemaValidator: { getValidator: () => value => ({ valid: true, data: value }) } };
  if (mode === 'modern') options.versionNegotiation = { mode: { pin: '2026-07-28' } };
  const client = new Client({ name: 'golden', version: '0' }, options);
  const wait = { timeout: 60 };
  const answer = { id };
  try {
    await client.connect(transport({ ...good, [methods[part]]: payload }), wait);
    if (part === 'list') await client.listTools(undefined, wait);
    if (part === 'result') await client.callTool({ name: 'plain', arguments: {} }, ...(mode === 'sdk' ? [undefined, wait] : [wait]));
  } catch (error) {
    const text = String(error?.message ?? error);
    // Two refusals come after the parser accepted: the negotiation and the rounds
    // of an input_required result, which the client plays with this same answer.
    if (!/^(Unsupported protocol version|Multi-round-trip)/.test(text)) answer.text = text;
  }
  fs.writeSync(1, JSON.stringify(answer) + '\n');
  client.close().catch(() => {});
}
process.exit(0);
