// node runner.mjs PROFILE: the line protocol of `conform validate`, answered by the real library.
//
// In, one JSON text a line:   {"schema": …, "instances": [ … ]}
// Out, one line each, in order: {"results":[{"valid":true},{"valid":false,"text":"…"},{"thrown":"…"}]}
//                           or {"compile_error":"…"}, or {"error":"…"} for a line that is no request.
// The libraries are those that ../install.sh put into $CONFORM_ORACLE_CACHE/js/node_modules.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { loadProfile, profileNames } from './profiles.mjs';
import { rawElements, rawMembers } from './rawjson.mjs';

// Ajv reports unknown formats and strict-mode notes on the console: no part of any verdict.
for (const method of ['log', 'info', 'warn', 'error', 'debug']) console[method] = () => {};

// A schema with "$async" makes Ajv answer bad data with a rejected promise, which the SDKs take for "valid"
// and never await. (Node ends a process for that unless somebody listens, a host's as well as this one.)
process.on('unhandledRejection', () => {});

/** What the SDKs print of something caught: an Error's message, or the thing as a string. */
const messageOf = thrown => (thrown instanceof Error ? thrown.message : String(thrown));

function answer(line, newEngine) {
  const members = new Map(rawMembers(line));
  if (!members.has('schema') || !members.has('instances')) {
    throw new SyntaxError('a request needs "schema" and "instances"');
  }
  const schema = JSON.parse(members.get('schema'));
  const instances = rawElements(members.get('instances')).map(text => JSON.parse(text));
  let validate;
  try {
    validate = newEngine()(schema);
  } catch (thrown) {
    return { compile_error: messageOf(thrown) };
  }
  return {
    results: instances.map(instance => {
      try {
        const text = validate(instance);
        return text === null ? { valid: true } : { valid: false, text };
      } catch (thrown) {
        return { thrown: messageOf(thrown) };
      }
    }),
  };
}

/** Whole lines from standard input. Not node:readline, which also ends a line at U+2028. */
async function* lines(stream) {
  let parts = [];
  for await (const chunk of stream) {
    let start = 0;
    for (let end; (end = chunk.indexOf(10, start)) >= 0; start = end + 1) {
      parts.push(chunk.subarray(start, end));
      yield Buffer.concat(parts).toString('utf8');
      parts = [];
    }
    parts.push(chunk.subarray(start));
  }
  const rest = Buffer.concat(parts).toString('utf8');
  if (rest.trim()) yield rest;
}

/** Writes every byte to standard output before going on: a pipe may take less than it is offered. */
function writeAll(bytes) {
  for (let done = 0; done < bytes.length;) {
    try {
      done += fs.writeSync(1, bytes, done);
    } catch (thrown) {
      if (thrown.code !== 'EAGAIN') throw thrown;
    }
  }
}

async function main([profile]) {
  if (!profile || profile.startsWith('-')) {
    process.stderr.write(`usage: node runner.mjs PROFILE\nprofiles: ${profileNames.join(' ')}\n`);
    process.exit(2);
  }
  const cache = process.env.CONFORM_ORACLE_CACHE || path.join(os.homedir(), '.cache', 'conform', 'oracle');
  const newEngine = await loadProfile(profile, path.join(cache, 'js', 'node_modules'));
  for await (const line of lines(process.stdin)) {
    if (!line.trim()) continue;
    let out;
    try {
      out = answer(line, newEngine);
    } catch (thrown) {
      out = { error: messageOf(thrown) };
    }
    writeAll(Buffer.from(JSON.stringify(out) + '\n'));
  }
}

await main(process.argv.slice(2));
