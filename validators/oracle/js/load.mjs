// node load.mjs PAGES RESULTS: the real TypeScript SDK v1 client over a load of tools, and what it costs.
//
// PAGES: tools/list answers, one JSON-RPC message a line; RESULTS: {"tool", "result"} lines (both may be
// gzipped). The client gets every message as text and parses it, as over stdio, but without a process or a
// socket in between. Each page is listed and its tools are called before the next: this SDK forgets the
// validators of a page when it lists another. Prints one JSON line: tools, calls, rejected calls, CPU seconds
// (all of the process, and the part after the modules were loaded) and peak memory.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import zlib from 'node:zlib';

const readLines = file => {
  const bytes = fs.readFileSync(file);
  return (file.endsWith('.gz') ? zlib.gunzipSync(bytes) : bytes).toString('utf8').trim().split('\n');
};

/** A transport that answers from the load; messages arrive as text and are parsed when delivered. */
function loadTransport(pages, results) {
  const answer = (id, result) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`;
  const reply = ({ method, id, params }) => {
    switch (method) {
      case 'initialize':
        return answer(id, JSON.stringify({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'load', version: '0' } }));
      case 'tools/list':
        return answer(id, pages[Number(params?.cursor ?? 0)]);
      case 'tools/call':
        return answer(id, results.get(params.name));
    }
  };
  const transport = {
    async start() {},
    async close() { transport.onclose?.(); },
    async send(message) {
      if (message.id === undefined) return;
      const text = reply(message);
      setImmediate(() => transport.onmessage?.(JSON.parse(text)));
    },
  };
  return transport;
}

const [pagesFile, resultsFile] = process.argv.slice(2);
if (!resultsFile) {
  process.stderr.write('usage: node load.mjs PAGES RESULTS\n');
  process.exit(2);
}
// The texts of the results are cut out so that the client parses each message as it came.
const pages = readLines(pagesFile).map(line => line.slice(line.indexOf('"result":') + 9, line.lastIndexOf('}')));
const results = new Map(readLines(resultsFile).map(line => {
  const { tool } = JSON.parse(line);
  return [tool, line.slice(line.indexOf('"result":') + 9, line.lastIndexOf('}'))];
}));
for (const method of ['log', 'info', 'warn', 'error']) console[method] = () => {};

const cache = process.env.CONFORM_ORACLE_CACHE || path.join(os.homedir(), '.cache', 'conform', 'oracle');
const { Client } = await import(pathToFileURL(path.join(cache, 'js/node_modules/sdk-1.32.2/dist/esm/client/index.js')).href);

const before = process.cpuUsage();
const client = new Client({ name: 'load', version: '0' });
await client.connect(loadTransport(pages, results));
let tools = 0, calls = 0, rejected = 0;
for (let page = 0; page < pages.length; page++) {
  const listed = await client.listTools({ cursor: String(page) });
  tools += listed.tools.length;
  for (const tool of listed.tools) {
    if (!results.has(tool.name)) continue;
    calls++;
    try {
      await client.callTool({ name: tool.name, arguments: {} });
    } catch {
      rejected++;
    }
  }
}
const seconds = usage => (usage.user + usage.system) / 1e6;
process.stdout.write(JSON.stringify({
  tools, calls, rejected,
  cpu_seconds: seconds(process.cpuUsage()),
  work_cpu_seconds: seconds(process.cpuUsage(before)),
  peak_mib: Math.round(process.resourceUsage().maxRSS / 1024),
}) + '\n');
