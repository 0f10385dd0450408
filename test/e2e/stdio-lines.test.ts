import { readFileSync } from 'node:fs';
import { startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

const HELLO =
  '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25"}}';

/** Sends raw bytes to the real program, ends its input, and returns all it said. */
async function exchange(raw: string | Buffer, file = program) {
  await using running = startProgram(file);
  running.write(raw);
  const { code } = await running.end();
  return { replies: running.replies, garbage: running.garbage, code, stderr: running.stderr };
}

describe('what cannot be a message', () => {
  const refused: [string, string, number, string | number | null][] = [
    ['malformed JSON', '{"jsonrpc":"2.0","id":1,', -32700, null],
    ['not JSON at all', 'GET / HTTP/1.1', -32700, null],
    ['absent jsonrpc', '{"id":7,"method":"ping"}', -32600, 7],
    ['wrong jsonrpc', '{"jsonrpc":"1.0","id":"a","method":"ping"}', -32600, 'a'],
    ['method not a string', '{"jsonrpc":"2.0","id":3,"method":4}', -32600, 3],
    ['no method', '{"jsonrpc":"2.0","id":3}', -32600, 3],
    ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['id null', '{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, null],
    ['fractional id', '{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, null],
    ['an id beyond 2^53', '{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}', -32600, null],
    ['id an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['a number', '42', -32600, null],
    ['a string', '"ping"', -32600, null],
    ['null', 'null', -32600, null],
    ['params an array', '{"jsonrpc":"2.0","id":5,"method":"ping","params":[1]}', -32602, 5],
    ['params a string', '{"jsonrpc":"2.0","id":5,"method":"ping","params":"x"}', -32602, 5],
    ['_meta a list', '{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":[]}}', -32602, 5],
    [
      'a progress token that is none',
      '{"jsonrpc":"2.0","id":5,"method":"ping","params":{"_meta":{"progressToken":{}}}}',
      -32602,
      5,
    ],
    ['a request and a response', '{"jsonrpc":"2.0","id":5,"method":"ping","result":{}}', -32600, 5],
  ];
  test.each(refused)(
    `${cites('STDIO-PARSE', 'STDIO-INVALID', 'T34')} %s`,
    async (_name, line, code, id) => {
      const { replies, garbage } = await exchange(`${line}\n${HELLO}\n`);
      expect(garbage).toEqual([]);
      expect(replies).toHaveLength(2);
      expect(replies.find((reply) => reply.error)).toMatchObject({ id, error: { code } });
      // What came after it is served.
      expect(replies.find((reply) => reply.result)).toMatchObject({ id: 1 });
    },
  );

  test(`${cites('STDIO-PARSE')} invalid UTF-8 is a parse error, not a changed text`, async () => {
    const bad = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":2,"method":"pi'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('ng"}\n'),
    ]);
    const { replies } = await exchange(Buffer.concat([bad, Buffer.from(HELLO)]));
    expect(replies[0]).toMatchObject({ id: null, error: { code: -32700 } });
    expect(replies[1]).toMatchObject({ id: 1, result: {} });
  });

  test(`${cites('STDIO-INVALID', 'T34')} keys that mean nothing do no harm, from the first line on`, async () => {
    const { replies } = await exchange('{"jsonrpc":"2.0","id":5,"method":"ping","extra":1}\n');
    expect(replies).toEqual([{ jsonrpc: '2.0', id: 5, result: {} }]);
  });

  test(`${cites('STDIO-UNKNOWN-METHOD', 'T34')} an unknown method is -32601`, async () => {
    const { replies } = await exchange(`${HELLO}\n{"jsonrpc":"2.0","id":"x","method":"nope"}\n`);
    expect(replies.find((reply) => reply.id === 'x')).toMatchObject({ error: { code: -32601 } });
  });

  test(`${cites('STDIO-NOTIFICATION')} notifications and responses are never answered`, async () => {
    const lines = [
      HELLO,
      '{"jsonrpc":"2.0","method":"notifications/initialized"}',
      '{"jsonrpc":"2.0","method":"notifications/unheard-of","params":{}}',
      '{"jsonrpc":"2.0","method":"tools/list"}',
      '{"jsonrpc":"2.0","method":"getNextTask"}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}',
      '{"jsonrpc":"2.0","method":"x","params":[]}',
      '{"jsonrpc":"2.0","id":99,"result":{}}',
      '{"jsonrpc":"2.0","id":98,"result":5}',
      '{"jsonrpc":"2.0","id":97,"error":{"code":1,"message":"no"}}',
      '{"jsonrpc":"2.0","id":96,"error":"no"}',
    ];
    const { replies, code } = await exchange(`${lines.join('\n')}\n`, fixtureProgram);
    expect(replies).toHaveLength(1);
    expect(code).toBe(0);
  });
});

describe('framing', () => {
  test(`${cites('STDIO-FRAMING')} empty lines, CRLF, and UTF-8 split over chunks`, async () => {
    await using running = startProgram(fixtureProgram);
    const text = 'grüße 🦄 日本語';
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'echo', arguments: { text } },
    };
    const bytes = Buffer.from(`\r\n\n  \n${HELLO}\r\n${JSON.stringify(call)}\r\n`);
    for (const byte of bytes) running.write(Buffer.from([byte]));
    const reply = await running.reply(2);
    expect(reply.result.structuredContent.text).toBe(text);
  });

  test(`${cites('STDIO-BOM')} a byte order mark at the start, and no newline at the end`, async () => {
    const { replies } = await exchange(`\ufeff${HELLO}`);
    expect(replies).toMatchObject([{ id: 1, result: { serverInfo: { name: 'baton' } } }]);
  });

  test(`${cites('STDIO-OVERSIZE', 'T24')} one line over the limit is refused, the next one served`, async () => {
    await using running = startProgram(program, {
      args: ['stdio', '--max-message-bytes', '1000000'],
    });
    running.write(`${HELLO}\n`);
    await running.reply(1);
    const before = residentMemory(running.child.pid);
    for (let i = 0; i < 200; i++) running.write('x'.repeat(1_000_000));
    running.write('\n{"jsonrpc":"2.0","id":2,"method":"ping"}\n');
    expect(await running.reply(2)).toMatchObject({ result: {} });
    expect(running.replies[1]).toMatchObject({ id: null, error: { code: -32600 } });
    expect(running.replies[1]?.error?.message).toContain('1000000 bytes');
    expect(residentMemory(running.child.pid) - before).toBeLessThan(150 * 1024 ** 2);
  });

  test(`${cites('STDIO-OVERSIZE', 'T24')} the default limit is 64 MiB, and 12 MB pass`, async () => {
    await using running = startProgram(fixtureProgram);
    const text = 'y'.repeat(12_000_000);
    const { result } = await running.request(1, 'tools/call', {
      name: 'echo',
      arguments: { text },
    });
    expect(result.structuredContent.text).toHaveLength(text.length);
    running.write(`${'x'.repeat(65 * 1024 ** 2)}\n`);
    expect(await running.reply(null)).toMatchObject({ error: { code: -32600 } });
    expect(await running.request(2, 'ping')).toMatchObject({ result: {} });
  });
});

test(`${cites('STDIO-LONG-LINEAR')} 50 MB in chunks of 64 KB are answered`, async () => {
  await using running = startProgram(fixtureProgram);
  const text = 'z'.repeat(50_000_000);
  const params = { name: 'echo', arguments: { text } };
  const bytes = Buffer.from(
    `${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`,
  );
  for (let at = 0; at < bytes.length; at += 65_536) running.write(bytes.subarray(at, at + 65_536));
  const { result } = await running.reply(1);
  expect(result.structuredContent.text === text).toBe(true);
});

function residentMemory(pid: number | undefined): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

describe('requests', () => {
  test(`${cites('STDIO-INITIALIZE')} initialize with half of its params is answered`, async () => {
    for (const params of [undefined, {}, { protocolVersion: '2024-11-05' }, { capabilities: {} }]) {
      const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
      const { replies } = await exchange(`${line}\n`);
      const version = params?.protocolVersion ?? '2025-11-25';
      expect(replies).toMatchObject([{ id: 1, result: { protocolVersion: version } }]);
    }
  });

  test(`${cites('STDIO-INITIALIZE')} initialize with a wrong type names the field`, async () => {
    const { replies } = await exchange(
      '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"clientInfo":"me"}}\n',
    );
    expect(replies).toMatchObject([{ id: 1, error: { code: -32602 } }]);
    expect(replies[0]?.error?.message).toContain('clientInfo');
  });

  test(`${cites('STDIO-DUPLICATE-ID', 'T34')} an id that is in flight is refused`, async () => {
    await using running = startProgram(fixtureProgram);
    const slow = { method: 'tools/call', params: { name: 'slow', arguments: { ms: 60_000 } } };
    running.send({ id: 1, ...slow });
    running.send({ id: 1, method: 'ping' });
    const reply = await running.reply(1);
    expect(reply).toMatchObject({ error: { code: -32600 } });
    // The same text as a string is another id.
    expect(await running.request('1', 'ping')).toMatchObject({ result: {} });
    // A cancelled call gives its id back.
    running.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    running.replies.length = 0;
    expect(await running.request(1, 'ping')).toMatchObject({ id: 1, result: {} });
  });

  test(`${cites('STDIO-CONCURRENT')} a slow call does not hold up a fast one`, async () => {
    await using running = startProgram(fixtureProgram);
    const never = { name: 'stubborn', arguments: {} };
    running.send({ id: 1, method: 'tools/call', params: never });
    const { result } = await running.request(2, 'tools/call', {
      name: 'echo',
      arguments: { text: 'fast' },
    });
    expect(result.structuredContent.text).toBe('fast');
    expect(running.replies).toHaveLength(1);
  });

  test(`${cites('STDIO-PIPELINE', 'T9')} 10,000 pipelined calls are answered, each with its own`, async () => {
    await using running = startProgram(fixtureProgram);
    let lines = '';
    for (let id = 0; id < 10_000; id++) {
      const params = { name: 'echo', arguments: { text: `payload ${id}` } };
      lines += `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })}\n`;
    }
    running.write(lines);
    await running.until('all replies', () => running.replies.length >= 10_000);
    const wrong = running.replies.filter(
      ({ id, result }) => result?.structuredContent.text !== `payload ${id}`,
    );
    expect(wrong).toEqual([]);
    expect(new Set(running.replies.map(({ id }) => id)).size).toBe(10_000);
  });

  test(`${cites('STDIO-BACK-PRESSURE')} 300 unread replies of 100 KB wait without a warning`, async () => {
    await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'debug' } });
    running.child.stdout.pause();
    const args = { text: 'x', times: 100_000 };
    for (let id = 1; id <= 300; id++) {
      running.send({ id, method: 'tools/call', params: { name: 'echo', arguments: args } });
    }
    // More replies have been made than fit, and nobody has read one.
    await running.until('replies', () => running.stderr.split('[stdio] →').length > 12);
    expect(running.replies).toEqual([]);
    expect(residentMemory(running.child.pid)).toBeLessThan(300 * 1024 ** 2);
    running.child.stdout.resume();
    await running.until('all replies', () => running.replies.length >= 300);
    expect(running.stderr).not.toContain('Warning');
    expect(running.garbage).toEqual([]);
  });
});

describe('bare methods', () => {
  test(`${cites('STDIO-BARE-METHOD')} an alias as a method runs the tool; the result is its data`, async () => {
    await using running = startProgram(fixtureProgram);
    const reply = await running.request(2, 'askQuestion', {
      question: 'What is async?',
      chatId: 'chat-123',
    });
    expect(reply).toEqual({
      jsonrpc: '2.0',
      id: 2,
      result: { answer: 'You asked: What is async?', chatId: 'chat-123' },
    });
    expect(await running.request(3, 'getNextTask')).toMatchObject({ id: 3, result: { text: '' } });
  });

  test(`${cites('STDIO-BARE-METHOD')} its failures are JSON-RPC errors with the request's id`, async () => {
    await using running = startProgram(fixtureProgram);
    const bad = await running.request(1, 'askQuestion', { question: 5 });
    expect(bad).toMatchObject({ id: 1, error: { code: -32602, data: { code: 'invalid_input' } } });
    expect(bad.error?.message).toContain('question');
    const failed = await running.request('r', 'reportTaskDone', {});
    expect(failed).toMatchObject({
      id: 'r',
      error: {
        code: -32603,
        message: 'It did not work.',
        data: { code: 'no_luck', next: 'Try something else.' },
      },
    });
    const fault = await running.request(3, 'crashNow', {});
    expect(fault).toMatchObject({
      id: 3,
      error: { code: -32603, data: { code: 'internal_error' } },
    });
    expect(JSON.stringify(fault)).not.toContain('alice');
  });

  test(`${cites('STDIO-BARE-METHOD')} a bare call can be cancelled, and its id used again`, async () => {
    await using running = startProgram(fixtureProgram);
    running.send({ id: 1, method: 'slowTask', params: { ms: 60_000 } });
    running.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    expect(await running.request(1, 'ping')).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
  });
});
