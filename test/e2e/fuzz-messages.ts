import type { Random } from '@baton/testkit';

export const METHODS = [
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
export const WORDS = [
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
export function message(random: Random, id: number): object {
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

/** The bytes of a message, sometimes broken. */
export function bytesOf(random: Random, id: number): Buffer {
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
