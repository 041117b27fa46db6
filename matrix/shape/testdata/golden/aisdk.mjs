// Remakes the golden of the AI SDK's own client from the real package:
//
//   node aisdk.mjs INSTALL_DIR < payloads.jsonl > ai-sdk.jsonl
//
// INSTALL_DIR holds node_modules/@ai-sdk/mcp at the version that the shape's source
// names. server/discover is refused, so that the client goes on with initialize.
import fs from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const { createMCPClient } = await import(pathToFileURL(path.resolve(process.argv[2], 'node_modules/@ai-sdk/mcp/dist/index.js')).href);
const methods = { initialize: 'initialize', list: 'tools/list', result: 'tools/call' };
const late = (ms) => new Promise((_, no) => setTimeout(() => no(new Error('(no answer: the message was dropped)')), ms));

for (const line of fs.readFileSync(0, 'utf8').trim().split('\n')) {
  const { id, part, payload } = JSON.parse(line);
  if (!methods[part]) continue;
  const answers = {
    initialize: '{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}',
    'tools/list': '{"tools":[{"name":"plain","inputSchema":{"type":"object"}}]}',
    'tools/call': '{"content":[]}',
    [methods[part]]: payload,
  };
  const transport = {
    async start() {},
    async close() {},
    async send(message) {
      if (message.id === undefined) return;
      const id = JSON.stringify(message.id);
      const answer = answers[message.method];
      setImmediate(() => transport.onmessage?.(JSON.parse(answer === undefined
        ? `{"jsonrpc":"2.0","id":${id},"error":{"code":-32601,"message":"no such method"}}`
        : `{"jsonrpc":"2.0","id":${id},"result":${answer}}`)));
    },
  };
  const answer = { id };
  try {
    const client = await Promise.race([createMCPClient({ transport }), late(300)]);
    if (part === 'list') await Promise.race([client.listTools(), late(300)]);
    if (part === 'result') {
      const tools = await client.tools();
      await Promise.race([tools.plain.execute({}, { messages: [], toolCallId: '1' }), late(300)]);
    }
  } catch (error) {
    answer.text = String(error?.message ?? error);
  }
  fs.writeSync(1, JSON.stringify(answer) + '\n');
}
process.exit(0);
