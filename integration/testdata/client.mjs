// A host on the TypeScript SDK: lists the tools of a server, calls those that only
// read, and prints what it got as one line of JSON.
//   node client.mjs stdio COMMAND ARGS… | http URL | sse URL
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const require = createRequire(process.env.CONFORM_NODE_MODULES + "/");
const load = (name) => import(pathToFileURL(require.resolve("@modelcontextprotocol/sdk/client/" + name)));
const [kind, first, ...rest] = process.argv.slice(2);
const { Client } = await load("index.js");
const connect = {
  stdio: async () => new (await load("stdio.js")).StdioClientTransport({ command: first, args: rest, env: process.env }),
  http: async () => new (await load("streamableHttp.js")).StreamableHTTPClientTransport(new URL(first)),
  sse: async () => new (await load("sse.js")).SSEClientTransport(new URL(first)),
};
const client = new Client({ name: "a host", version: "1" });
await client.connect(await connect[kind]());
const { tools } = await client.listTools();
const results = {};
for (const tool of tools.filter((t) => t.annotations?.readOnlyHint === true && !t.inputSchema.required?.length)) {
  results[tool.name] = await client.callTool({ name: tool.name, arguments: {} });
}
await client.close();
console.log(JSON.stringify({ tools: tools.map((t) => t.name).sort(), results }));
