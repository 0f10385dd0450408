import { startProgram } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';

describe('deep and wide JSON', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

  test.each([
    [
      'as an argument that a tool takes',
      (deep: string) => `{"name":"echo","arguments":{"data":${deep}}}`,
    ],
    ['as an unknown argument', (deep: string) => `{"name":"status","arguments":{"x":${deep}}}`],
    ['beside the arguments', (deep: string) => `{"name":"status","x":${deep}}`],
    ['in _meta', (deep: string) => `{"name":"status","_meta":{"x":${deep}}}`],
  ])(`${cites('T27')} 200,000 levels %s are answered`, async (_where, params) => {
    await using running = startProgram(fixtureProgram, { env: { BATON_LOG_LEVEL: 'debug' } });
    running.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params(nested(200_000))}}\n`,
    );
    const { result, error } = await running.reply(1);
    expect(result ?? error).toBeDefined();
    expect(await running.request(2, 'ping')).toMatchObject({ result: {} });
  });

  test(`${cites('T27')} what is too deep to return is a fault with the request's id`, async () => {
    await using running = startProgram(fixtureProgram);
    running.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"data":${nested(100)}}}}\n`,
    );
    expect((await running.reply(1)).result).toMatchObject({
      isError: true,
      structuredContent: { code: 'internal_error' },
    });
  });

  test(`${cites('T27')} a million keys are refused with a short message`, async () => {
    await using running = startProgram(fixtureProgram);
    const keys = Array.from({ length: 1_000_000 }, (_, index) => `"k${index}":0`).join(',');
    running.write(
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"status","arguments":{${keys}}}}\n`,
    );
    const { result } = await running.reply(1);
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
    expect(JSON.stringify(result).length).toBeLessThan(2000);
  });
});

describe('prototypes', () => {
  test(`${cites('T28')} stay as they are, whatever the keys are called`, async () => {
    await using running = startProgram(fixtureProgram);
    const poison = '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}';
    const lines = [
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"data":${poison}}}}`,
      `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"status","arguments":${poison}}}`,
      `{"jsonrpc":"2.0","id":3,"method":"askQuestion","params":${poison}}`,
      `{"jsonrpc":"2.0","id":4,"method":"prompts/get","params":{"name":"review","arguments":{"__proto__":"x"}}}`,
      `{"jsonrpc":"2.0","id":5,"method":"initialize","params":${poison}}`,
    ];
    running.write(`${lines.join('\n')}\n`);
    await Promise.all([1, 2, 3, 4, 5].map((id) => running.reply(id)));
    const refused = running.replies.find(({ id }) => id === 2);
    expect(refused?.result).toMatchObject({ isError: true });
    const { result } = await running.request(6, 'tools/call', { name: 'prototypes' });
    expect(result.structuredContent).toEqual({ added: [] });
  });
});

describe('control characters', () => {
  const NASTY = '\u001b[2J\u001b]0;x\u0007\r\n[INFO] fake \u009b31m \u202e\u2066 \u200b \u{e0041}';

  test(`${cites('T29')} are escaped in results, line breaks are kept`, async () => {
    await using running = startProgram(fixtureProgram);
    const { result } = await running.request(1, 'tools/call', {
      name: 'echo',
      arguments: { text: NASTY, data: { [NASTY]: NASTY } },
    });
    const shown = [result.content[0].text, result.structuredContent.text];
    for (const text of shown) {
      expect(text).not.toMatch(
        /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b\u202e\u2066]/,
      );
      expect(text).not.toMatch(/[\u{e0000}-\u{e007f}]/u);
      expect(text).toContain('\\u001b[2J');
      expect(text).toContain('\n');
    }
    expect(Object.keys(result.structuredContent.data)[0]).not.toContain('\u001b');
  });

  test(`${cites('T29')} are escaped in errors`, async () => {
    await using running = startProgram(fixtureProgram);
    const { result } = await running.request(1, 'tools/call', {
      name: 'status',
      arguments: { [NASTY]: 1 },
    });
    expect(result.content[0].text).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    const { error } = await running.request(2, 'tools/call', { name: NASTY });
    expect(error?.message).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    const prompt = await running.request(3, 'prompts/get', { name: NASTY });
    expect(prompt.error?.message).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    const era = await running.request(5, 'tools/list', {
      _meta: { 'io.modelcontextprotocol/protocolVersion': NASTY },
    });
    expect(JSON.stringify(era.error)).toContain('2J');
    expect(era.error?.message).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    running.write(`${NASTY.replaceAll('\n', ' ')}\n`);
    expect((await running.reply(null)).error?.message).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
    const resource = await running.request(4, 'resources/read', { uri: NASTY });
    expect(resource.error?.message).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  });
});

test(`${cites('T32', 'CANCEL')} a cancelled call stops its work and is silent`, async () => {
  await using running = startProgram(fixtureProgram);
  const call = {
    name: 'count',
    arguments: { steps: 3, hold: true },
    _meta: { progressToken: 'p' },
  };
  running.send({ id: 1, method: 'tools/call', params: call });
  await running.until('progress', () => running.replies.length >= 3);
  running.send({
    id: 2,
    method: 'tools/call',
    params: { name: 'slow', arguments: { ms: 600_000 } },
  });
  await running.until('start', () => running.stderr.includes('slow 600000 started'));
  for (const requestId of [1, 2])
    running.send({ method: 'notifications/cancelled', params: { requestId } });
  await running.until('stop', () => running.stderr.includes('slow 600000 cancelled'));
  await running.end();
  expect(running.replies.map(({ method }) => method)).toEqual(
    Array(3).fill('notifications/progress'),
  );
});
