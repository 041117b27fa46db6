// Runs an agent of @openai/agents with every server that lists at all.
import { Agent, MCPServerStdio, MCPServerStreamableHttp, OpenAIChatCompletionsModel, run, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { event, patiently, plan, servers, thrown } from './drive.mjs';

setTracingDisabled(true);
const alive = [];
for (const { name, command, args, url } of servers) {
  const server = url ? new MCPServerStreamableHttp({ name, url, cacheToolsList: true }) : new MCPServerStdio({ name, command, args, cacheToolsList: true });
  try {
    await patiently(server.connect());
    await patiently(server.listTools());
    alive.push(server);
    event({ event: 'listed', server: name });
  } catch (e) {
    event({ event: 'lost', server: name, ...thrown(e) });
    await server.close().catch(() => {});
  }
}
const client = new OpenAI({ baseURL: `${process.env.LAB_MODEL}/v1`, apiKey: 'fake', maxRetries: 0 });
const agent = new Agent({ name: 'lab', instructions: 'lab', model: new OpenAIChatCompletionsModel(client, 'fake-model'), mcpServers: alive });
const { finalOutput } = await run(agent, 'Call every probe tool.', { maxTurns: 3 * plan.length + 50 });
console.log('end:', finalOutput);
process.exit(0);
