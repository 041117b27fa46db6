// Runs the AI SDK's own loop with the tools of every server.
import * as mcp from '@ai-sdk/mcp';
import * as stdio from '@ai-sdk/mcp/mcp-stdio';
import { generateText, stepCountIs } from 'ai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { event, patiently, plan, servers, thrown } from './drive.mjs';

const connect = mcp.createMCPClient ?? mcp.experimental_createMCPClient;
const Transport = stdio.StdioMCPTransport ?? stdio.Experimental_StdioMCPTransport;
const tools = {};
for (const { name, command, args, url } of servers) {
  try {
    const client = await patiently(connect({ transport: url ? { type: 'http', url } : new Transport({ command, args }), name: 'lab' }));
    Object.assign(tools, await patiently(client.tools()));
    event({ event: 'listed', server: name });
  } catch (e) {
    event({ event: 'lost', server: name, ...thrown(e) });
  }
}
const provider = createOpenAICompatible({ name: 'fake', baseURL: `${process.env.LAB_MODEL}/v1`, apiKey: 'fake' });
const { text } = await generateText({ model: provider('fake-model'), tools, stopWhen: stepCountIs(3 * plan.length + 50), prompt: 'Call every probe tool.', maxRetries: 0 });
console.log('end:', text);
process.exit(0);
