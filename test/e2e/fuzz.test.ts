import { isUtf8 } from 'node:buffer';
import { createRandom, type Random, startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

// A failing run prints its seed; FUZZ_SEED replays it, FUZZ_MESSAGES makes it shorter or longer.
const SEED = Number(process.env.FUZZ_SEED ?? 20260728);
const MESSAGES = Number(process.env.FUZZ_MESSAGES ?? 100_000);
const PER_PROCESS = 10_000;

const METHODS = [
  'initialize',
  'ping',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/unsubscribe',
  'resources/templates/list',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
  'server/discover',
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
  'askQuestion',
  'getNextTask',
  'tasks/get',
  '__proto__',
  'constructor',
  'toString',
  '',
];
const KEYS = [
  'name',
  'arguments',
  'uri',
  'cursor',
  'ref',
  'level',
  'requestId',
  '_meta',
  '__proto__',
];
const META = [
  'io.modelcontextprotocol/protocolVersion',
  'io.modelcontextprotocol/clientCapabilities',
  'io.modelcontextprotocol/clientInfo',
  'progressToken',
];
const WORDS = [
  'echo',
  'status',
  'fail',
  'review',
  'fixture://readme',
  '2026-07-28',
  '2025-11-25',
  'é🦄',
  '\u0000',
  '%',
  '../..',
];

function value(random: Random, depth = 0): unknown {
  switch (random.integer(depth > 3 ? 6 : 9)) {
    case 0:
      return random.pick(WORDS);
    case 1:
      return random.integer(1e6) - 5e5;
    case 2:
      return random.pick([null, true, false, 1.5, -0, 1e308, 2 ** 53]);
    case 3:
      return 'x'.repeat(random.integer(300));
    case 4:
      return '';
    case 5:
      return random.pick([...METHODS, ...KEYS, ...META]);
    case 6:
      return Array.from({ length: random.integer(4) }, () => value(random, depth + 1));
    default:
      return object(random, depth + 1);
  }
}

function object(random: Random, depth: number): object {
  const entries = Array.from({ length: random.integer(5) }, () => [
    random.pick(random.integer(3) === 0 ? META : KEYS),
    value(random, depth),
  ]);
  return Object.fromEntries(entries);
}

/** Half-valid: the shape of a request with some of its parts wrong. */
function message(random: Random, id: number): object {
  const parts: Record<string, unknown> = { jsonrpc: '2.0', id, method: random.pick(METHODS) };
  if (random.integer(3) > 0)
    parts.params = random.integer(4) > 0 ? object(random, 0) : value(random);
  if (random.integer(6) === 0) parts.id = value(random);
  if (random.integer(8) === 0) delete parts.id;
  if (random.integer(12) === 0) parts.jsonrpc = value(random);
  if (random.integer(12) === 0) parts.method = value(random);
  if (random.integer(15) === 0) parts.result = value(random);
  if (random.integer(15) === 0) delete parts.method;
  return parts;
}

function line(random: Random, id: number): Buffer {
  const text = JSON.stringify(message(random, id));
  const bytes = Buffer.from(text);
  switch (random.integer(12)) {
    case 0:
      return bytes.subarray(0, random.integer(bytes.length)); // cut short
    case 1:
      bytes[random.integer(bytes.length)] = random.integer(256); // one byte changed
      return bytes;
    case 2:
      return Buffer.from(`[${text}]`);
    case 3:
      return Buffer.from(Array.from({ length: random.integer(40) }, () => random.integer(256)));
    default:
      return bytes;
  }
}

/** The id of a line that must be answered under that id, if it is such a line. */
function mustAnswer(bytes: Buffer): string | number | undefined {
  try {
    const { jsonrpc, id, method, params } = JSON.parse(bytes.toString());
    const isId = typeof id === 'string' || Number.isSafeInteger(id);
    const hasParams = params === undefined || (typeof params === 'object' && params !== null);
    const isCall = jsonrpc === '2.0' && typeof method === 'string' && isId && hasParams;
    return isCall && isUtf8(bytes) ? id : undefined;
  } catch {
    return undefined;
  }
}

test(`${cites('T34', 'T23', 'T28')} ${MESSAGES} malformed and half-valid messages break nothing (seed ${SEED})`, async () => {
  let sent = 0;
  for (let run = 0; sent < MESSAGES; run++) {
    const random = createRandom(SEED + run);
    await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'error' } });
    const ids = new Set<unknown>();
    const owed = new Set<unknown>();
    for (let index = 0; index < PER_PROCESS && sent < MESSAGES; index++, sent++) {
      const bytes = line(random, index);
      owed.add(mustAnswer(bytes));
      for (const part of bytes.toString().split('\n')) {
        try {
          ids.add(JSON.parse(part).id);
        } catch {}
      }
      running.write(Buffer.concat([bytes, Buffer.from('\n')]));
      if (index % 500 === 0)
        await running.request(`sync-${index}`, 'askQuestion', { question: 'still there?' });
    }
    const where = `seed ${SEED + run}, stderr:\n${running.stderr.slice(0, 2000)}`;
    // It still serves, and serves the right thing.
    const alive = await running.request('alive', 'ping');
    expect(alive.result ?? alive.error, where).toBeDefined();
    expect(await running.end(), where).toEqual({ code: 0, signal: null });
    expect(running.garbage, where).toEqual([]);
    const strangers = running.replies.filter(
      ({ id, method }) =>
        !method && id !== null && !String(id).startsWith('sync-') && id !== 'alive' && !ids.has(id),
    );
    expect(strangers, where).toEqual([]);
    const answered = new Set<unknown>(running.replies.map(({ id }) => id));
    const forgotten = [...owed].filter((id) => id !== undefined && !answered.has(id));
    expect(forgotten, where).toEqual([]);
    expect(
      running.replies.filter(({ jsonrpc }) => jsonrpc !== '2.0'),
      where,
    ).toEqual([]);
    expect(running.stderr, where).not.toContain('unexpected:');
  }
  expect(sent).toBe(MESSAGES);
}, 300_000);
