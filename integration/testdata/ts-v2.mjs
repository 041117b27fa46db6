// A server of the TypeScript SDK v2, which speaks both eras: ts-v2.mjs stdio | http PORT.
import { createServer } from 'node:http';
import { register, info } from './tools.mjs';

const sdk = (path) => import(`${process.env.CONFORM_NODE_MODULES}/@modelcontextprotocol/${path}`);
const { z } = await import(`${process.env.CONFORM_NODE_MODULES}/zod/index.js`);
const { McpServer, createMcpHandler } = await sdk('server/dist/index.mjs');
const make = () => register(new McpServer(info), z);

const [, , transport, port] = process.argv;
if (transport === 'stdio') {
  const { serveStdio } = await sdk('server/dist/stdio.mjs');
  await serveStdio(make);
} else {
  const { toNodeHandler } = await sdk('node/dist/index.mjs');
  createServer(toNodeHandler(createMcpHandler(make))).listen(Number(port), '127.0.0.1');
}
