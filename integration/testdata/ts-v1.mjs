// A server of the TypeScript SDK v1: ts-v1.mjs stdio | http PORT | sse PORT.
import { createServer } from 'node:http';
import { randomUUID } from 'node:crypto';
import { register, info } from './tools.mjs';

const sdk = (path) => import(`${process.env.CONFORM_NODE_MODULES}/@modelcontextprotocol/sdk/dist/esm/${path}`);
const { z } = await import(`${process.env.CONFORM_NODE_MODULES}/zod/index.js`);
const { McpServer } = await sdk('server/mcp.js');
const make = () => {
  const server = new McpServer(info);
  const shape = { registerTool: (name, config, run) => server.registerTool(name, {
    ...config, inputSchema: config.inputSchema.shape, outputSchema: config.outputSchema?.shape }, run) };
  register(shape, z);
  return server;
};

const [, , transport, port] = process.argv;
if (transport === 'stdio') {
  const { StdioServerTransport } = await sdk('server/stdio.js');
  await make().connect(new StdioServerTransport());
} else {
  const { StreamableHTTPServerTransport } = await sdk('server/streamableHttp.js');
  const { SSEServerTransport } = await sdk('server/sse.js');
  const sessions = new Map();
  createServer(async (req, res) => {
    const url = new URL(req.url, 'http://localhost');
    if (transport === 'sse') {
      if (req.method === 'GET') {
        const t = new SSEServerTransport('/messages', res);
        sessions.set(t.sessionId, t);
        await make().connect(t);
      } else {
        const t = sessions.get(url.searchParams.get('sessionId'));
        t ? await t.handlePostMessage(req, res) : res.writeHead(404).end();
      }
      return;
    }
    let t = sessions.get(req.headers['mcp-session-id']);
    if (!t) {
      if (req.headers['mcp-session-id']) { res.writeHead(404).end(); return; }
      t = new StreamableHTTPServerTransport({ sessionIdGenerator: randomUUID, onsessioninitialized: (id) => sessions.set(id, t) });
      await make().connect(t);
    }
    await t.handleRequest(req, res);
  }).listen(Number(port), '127.0.0.1');
}
