// Drives the client of @modelcontextprotocol/client 2.x.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { drive } from './drive.mjs';

await drive(async ({ command, args, url }) => {
  const client = new Client({ name: 'lab', version: '1' }, JSON.parse(process.env.LAB_OPTIONS ?? '{}'));
  await client.connect(url ? new StreamableHTTPClientTransport(new URL(url)) : new StdioClientTransport({ command, args, stderr: 'ignore' }));
  return client;
});
