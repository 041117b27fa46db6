// Calls the tools of @langchain/mcp-adapters as a tool node does; what the
// ToolMessage holds is what a model would get.
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { convertToOpenAITool } from '@langchain/core/utils/function_calling';
import { event, patiently, plan, probeOf, servers, thrown } from './drive.mjs';

const found = new Map();
for (const { name, command, args, url } of servers) {
  try {
    const client = new MultiServerMCPClient({ mcpServers: { [name]: url ? { transport: 'http', url } : { transport: 'stdio', command, args } } });
    for (const tool of await patiently(client.getTools())) {
      const { function: f } = convertToOpenAITool(tool);
      event({ event: 'tool', server: name, name: f.name, description: f.description, schema: f.parameters });
      const probe = probeOf(tool.description, tool.name);
      if (probe && !found.has(probe)) found.set(probe, tool);
    }
    event({ event: 'listed', server: name });
  } catch (e) {
    event({ event: 'lost', server: name, ...thrown(e) });
  }
}
for (const step of plan) {
  const tool = found.get(step.probe);
  if (!tool) continue;
  try {
    const m = await patiently(tool.invoke({ type: 'tool_call', id: 'call', name: tool.name, args: step.arguments }));
    const blocks = typeof m.content === 'string' ? [{ type: 'text', text: m.content }] : m.content;
    const texts = blocks.filter((b) => b.type === 'text');
    // A block that carries more than text is shown whole.
    const shown = texts.map((b) => (Object.keys(b).length > 2 ? JSON.stringify(b) : b.text));
    event({ event: 'answer', probe: step.probe, texts: shown, images: blocks.filter((b) => /image/.test(b.type)).length,
      other: blocks.filter((b) => b.type !== 'text' && !/image/.test(b.type)).map((b) => b.type), is_error: m.status === 'error' });
  } catch (e) {
    event({ event: 'answer', probe: step.probe, ...thrown(e) });
  }
}
process.exit(0);
