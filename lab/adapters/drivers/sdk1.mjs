// Drives the client of @modelcontextprotocol/sdk 1.x.
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { drive } from './drive.mjs';

await drive(async ({ command, args, url }) => {
  const client = new Client({ name: 'lab', version: '1' });
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args, stderr: 'ignore' }));
  return client;
});
