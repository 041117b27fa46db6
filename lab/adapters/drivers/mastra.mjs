// Runs a Mastra agent with the tools of every server.
import { MCPClient } from '@mastra/mcp';
import { Agent } from '@mastra/core/agent';
import { event, patiently, plan, servers, thrown } from './drive.mjs';

const tools = {};
for (const { name, command, args, url } of servers) {
  const client = new MCPClient({ id: name, servers: { [name]: url ? { url: new URL(url) } : { command, args } } });
  try {
    Object.assign(tools, await patiently((client.listTools ?? client.getTools).call(client)));
    event({ event: 'listed', server: name });
  } catch (e) {
    event({ event: 'lost', server: name, ...thrown(e) });
  }
}
const model = { id: 'fake/fake-model', url: `${process.env.LAB_MODEL}/v1`, apiKey: 'fake' };
const agent = new Agent({ id: 'lab', name: 'lab', instructions: 'lab', model, tools });
const { text } = await agent.generate('Call every probe tool.', { maxSteps: 3 * plan.length + 50 });
console.log('end:', text);
process.exit(0);
