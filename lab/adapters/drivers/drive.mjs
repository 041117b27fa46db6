// What all JavaScript drivers share: the plan, the servers, and a file of events.
import { appendFileSync, readFileSync } from 'node:fs';

const run = process.env.LAB_RUN;
const read = (name) => JSON.parse(readFileSync(`${run}/${name}`, 'utf8'));

export const plan = read('plan.json');
export const servers = read('servers.json');
export const event = (e) => appendFileSync(`${run}/events.jsonl`, JSON.stringify(e) + '\n');

// A tool is known by the tag in its description, one without by its name.
export const probeOf = (description, name) => /\[\[P:(\w+)\]\]/.exec(description ?? '')?.[1] ?? plan.find((s) => s.wire && s.wire === name)?.probe;

// What an error looks like to a program that catches it.
export const thrown = (e) => ({ thrown: e?.constructor?.name ?? typeof e, code: e?.code, message: String(e?.message ?? e) });

// Waits for a client that sets no limit of its own as long as others wait, and a
// little more.
export const patience = 75;
export const patiently = (promise) => {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new StillWaiting(`the client was still waiting after ${patience} s; the driver gave up`)), patience * 1000);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
};
class StillWaiting extends Error {}

// Lists the tools of every server, then makes every planned call.
export async function drive(connect) {
  const found = new Map();
  for (const server of servers) {
    try {
      const client = await patiently(connect(server));
      const tools = [];
      for (let cursor; ; ) {
        const page = await patiently(client.listTools(cursor === undefined ? undefined : { cursor }));
        tools.push(...page.tools);
        cursor = page.nextCursor;
        if (cursor === undefined) break;
      }
      event({ event: 'listed', server: server.name });
      for (const t of tools) {
        event({ event: 'tool', server: server.name, name: t.name, description: t.description, schema: t.inputSchema, output: t.outputSchema });
        const probe = probeOf(t.description, t.name);
        if (probe && !found.has(probe)) found.set(probe, { client, name: t.name });
      }
    } catch (e) {
      event({ event: 'lost', server: server.name, ...thrown(e) });
    }
  }
  for (const step of plan) {
    const tool = found.get(step.probe);
    if (!tool) continue;
    try {
      const value = await patiently(tool.client.callTool({ name: tool.name, arguments: step.arguments }));
      event({ event: 'answer', probe: step.probe, value });
    } catch (e) {
      event({ event: 'answer', probe: step.probe, ...thrown(e) });
    }
  }
  process.exit(0);
}
