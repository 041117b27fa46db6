// Drives a command-line client: one start to list a server, one for each call.
import { spawnSync } from 'node:child_process';
import { event, patience, plan, probeOf, servers } from './drive.mjs';

const { LAB_KIND: kind, LAB_BINARY: binary, LAB_CONFIG: config } = process.env;
const start = (...args) => {
  const r = spawnSync(process.execPath, [binary, ...args], { encoding: 'utf8', timeout: patience * 1000, maxBuffer: 1e8, input: '' });
  const late = r.error?.code === 'ETIMEDOUT' ? `the program was still waiting after ${patience} s; the driver ended it` : '';
  return { code: r.status, out: late ? '' : (r.stdout ?? ''), err: late || (r.stderr ?? '') };
};
const list = {
  mcporter: (server) => start('--config', config, 'list', server, '--schema', '--json'),
  inspector: (server) => start('--cli', '--config', config, '--server', server, '--method', 'tools/list'),
}[kind];
// The Inspector reads values as JSON and takes what is none for a text; it refuses an empty one.
const parse = (text) => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};
const written = (value) => (typeof value === 'string' && value !== '' && parse(value) === undefined ? value : JSON.stringify(value));
const call = {
  mcporter: (server, tool, args) => start('--config', config, 'call', '--server', server, '--tool', tool, '--args', JSON.stringify(args), '--output', 'json'),
  inspector: (server, tool, args) => start('--cli', '--config', config, '--server', server, '--method', 'tools/call', '--tool-name', tool,
    ...Object.entries(args).flatMap(([k, v]) => ['--tool-arg', `${k}=${written(v)}`])),
}[kind];

// The folder of a run has a name of random length: replaced before the words are cut.
const ownPath = new RegExp(process.env.LAB_RUN.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') + `[^\\s"'\\\\)\\]]*`, 'g');
const found = new Map();
for (const { name } of servers) {
  const r = list(name);
  const answer = parse(r.out);
  const tools = answer?.tools ?? answer?.servers?.[0]?.tools;
  if (!tools?.length) {
    event({ event: 'lost', server: name, message: (r.err || r.out).trim().replace(ownPath, '<path>').slice(0, 700) });
    continue;
  }
  event({ event: 'listed', server: name });
  for (const t of tools) {
    event({ event: 'tool', server: name, name: t.name, description: t.description, schema: t.inputSchema, output: t.outputSchema });
    const probe = probeOf(t.description, t.name);
    if (probe && !found.has(probe)) found.set(probe, { server: name, tool: t.name });
  }
}
for (const step of plan) {
  const at = found.get(step.probe);
  if (!at) continue;
  const r = call(at.server, at.tool, step.arguments);
  const value = parse(r.out);
  event({ event: 'answer', probe: step.probe, value: r.code === 0 ? value : undefined, texts: [(r.out || r.err).trim()], is_error: r.code !== 0, channel: 'stdout of one start, outer white space removed by the recorder' });
}
