import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cites } from './requirements.ts';
import { type AnyResult, type Peer, ways } from './ways.ts';

describe.each(ways)('tools over $name', ({ open, era }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
  });
  afterAll(() => peer.close());
  const call = (name: string, args: object = {}, options = {}): Promise<AnyResult> =>
    peer.request('tools/call', { name, arguments: args }, options);

  test(`${cites('TOOLS-LIST')} are listed sorted, with schema and annotations`, async () => {
    const { tools } = await peer.request('tools/list');
    const names = tools.map((tool: AnyResult) => tool.name);
    expect(names).toEqual([...names].sort());
    expect(tools.find((tool: AnyResult) => tool.name === 'note_remove')).toEqual({
      name: 'note_remove',
      title: 'Remove a note',
      description: 'Removes a note for good.',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'string' } },
        required: ['id'],
      },
      annotations: {
        readOnlyHint: false,
        destructiveHint: true,
        idempotentHint: false,
        openWorldHint: false,
      },
    });
    expect(await peer.request('tools/list')).toEqual(await peer.request('tools/list'));
  });

  test(`${cites('TOOLS-CALL')} return text and data that say the same`, async () => {
    const result = await call('echo', {
      text: 'hello',
      tags: ['a', 'b'],
      data: { deep: [1, { x: 'y' }] },
    });
    expect(result.structuredContent).toEqual({
      text: 'hello',
      tags: ['a', 'b'],
      data: { deep: [1, { x: 'y' }] },
    });
    expect(result.content).toEqual([
      { type: 'text', text: 'text: hello\ndata:\n  deep:\n    - 1\n    - x: y\ntags: a, b' },
    ]);
    expect(result.isError).toBeUndefined();
  });

  test(`${cites('TOOLS-CONTENT', 'T29')} show pictures, sounds and resources`, async () => {
    const { content, structuredContent } = await call('picture', { caption: 'red\u001b' });
    expect(structuredContent).toEqual({ caption: 'red\\u001b' });
    expect(content).toEqual([
      { type: 'text', text: 'Picture: red\\u001b' },
      { type: 'image', mimeType: 'image/png', data: expect.stringMatching(/^iVBOR/) },
      { type: 'audio', mimeType: 'audio/wav', data: expect.stringMatching(/^UklG/) },
      {
        type: 'resource',
        resource: { uri: 'fixture://caption', mimeType: 'text/plain', text: 'red\\u001b' },
      },
    ]);
  });

  test(`${cites('TOOLS-INVALID')} name unknown keys and list the known ones`, async () => {
    const result = await call('answer', { qestion: 'x', more: 1 });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
    expect(result.structuredContent.message).toContain('"qestion" (did you mean "question"?)');
    expect(result.structuredContent.message).toContain('Known keys: question, chatId');
    expect(result.structuredContent.message).toContain('question: ');
    expect(result.content[0].text).toContain('Next: Correct the arguments');
  });

  test(`${cites('TOOLS-INVALID')} take no arguments as an empty object`, async () => {
    const { structuredContent } = await peer.request('tools/call', { name: 'status' });
    expect(structuredContent.features).toEqual([
      'data',
      'editor',
      'fixtures',
      'knowledge',
      'plans',
      'system',
      'tickets',
    ]);
  });

  test(`${cites('TOOLS-UNKNOWN')} that do not exist are -32602 with the nearest name`, async () => {
    await expect(call('ecko')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('Did you mean echo?'),
    });
    await expect(call('__proto__')).rejects.toMatchObject({ code: -32602 });
    await expect(call('constructor')).rejects.toMatchObject({ code: -32602 });
  });

  test(`${cites('TOOLS-FAILURE')} fail with code, message and next`, async () => {
    expect(await call('fail')).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'no_luck',
        message: 'It did not work.',
        next: 'Try something else.',
      },
      content: [{ type: 'text', text: 'It did not work.\nNext: Try something else.' }],
    });
  });

  test(`${cites('TOOLS-FAULT', 'TOOLS-OUTPUT')} that break answer neutrally, with an id`, async () => {
    for (const name of ['crash', 'liar']) {
      const result = await call(name);
      expect(result).toMatchObject({
        isError: true,
        structuredContent: { code: 'internal_error' },
      });
      expect(result.structuredContent.message).toMatch(/fault [\da-f-]{36}|fault id-\d/);
      expect(JSON.stringify(result)).not.toContain('alice');
    }
  });

  test(`${cites('TOOLS-ALIAS')} answer to their old names, which are not listed`, async () => {
    const { structuredContent } = await call('askQuestion', { question: 'Why?' });
    expect(structuredContent.answer).toBe('You asked: Why?');
    const { tools } = await peer.request('tools/list');
    expect(tools.map((tool: AnyResult) => tool.name)).not.toContain('askQuestion');
  });

  test(`${cites('ALIAS-SHAPE')} take the arguments of an old name, and answer as themselves`, async () => {
    const { structuredContent } = await call('sayOften', { what: 'ha', howOften: 2 });
    expect(structuredContent).toEqual({ text: 'haha', tags: [] });
    const wrong = await call('sayOften', { what: 5, wat: 'ha' });
    expect(wrong).toMatchObject({ isError: true, structuredContent: { code: 'invalid_input' } });
    expect(wrong.structuredContent.message).toMatch(/for echo:.* text: .*"wat"/);
    const fault = await call('cannotAsk');
    expect(fault).toMatchObject({ isError: true, structuredContent: { code: 'internal_error' } });
    expect(JSON.stringify(fault)).not.toContain('alice');
  });

  test(`${cites('PROGRESS')} report progress while they run`, async () => {
    const seen: number[] = [];
    const ended = new AbortController();
    // Held open: the clients drop progress that arrives together with the result.
    const counting = new Promise<void>((resolve) => {
      const onprogress = (update: { progress: number }) => {
        if (seen.push(update.progress) === 5) resolve();
      };
      const options = { onprogress, signal: ended.signal };
      call('count', { steps: 5, hold: true }, options).catch(() => {});
    });
    await counting;
    ended.abort('seen enough');
    expect(seen).toEqual([1, 2, 3, 4, 5]);
  });

  test(`${cites('CANCEL', 'T32')} stop when they are cancelled`, async () => {
    const cancelled = new AbortController();
    const slow = call('slow', { ms: 600_000 }, { signal: cancelled.signal });
    cancelled.abort('enough');
    await expect(slow).rejects.toThrow();
    // Nothing is said about it any more, and the connection serves on.
    expect((await call('echo', { text: 'on' })).structuredContent.text).toBe('on');
  });

  test(`${cites('PARAMS')} refuse malformed params with -32602 and the field`, async () => {
    for (const [params, field] of [
      [{ name: 5 }, 'params.name'],
      [{ name: 'echo', arguments: 'x' }, 'params.arguments'],
      [{ arguments: {} }, 'params.name'],
    ] as const) {
      const refused = peer.request('tools/call', params);
      await expect(refused).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(field),
      });
    }
    await expect(peer.request('tools/list', { cursor: 5 })).rejects.toMatchObject({ code: -32602 });
  });

  test(`${cites('PAGING')} refuse a cursor that is not theirs`, async () => {
    await expect(peer.request('tools/list', { cursor: 'bogus' })).rejects.toMatchObject({
      code: -32602,
    });
  });

  test(`${cites('INSTRUCTIONS')} come with instructions`, () => {
    expect(peer.instructions()).toContain('`status`');
    expect(peer.instructions()).toContain('exist for tests');
  });

  test(`${cites('LOGGING')} pass their log on to a client that asks for it`, async () => {
    await call('slow', { ms: 0 });
    expect(peer.notifications.filter(({ method }) => method === 'notifications/message')).toEqual(
      [],
    );
    if (era === 'legacy') {
      await peer.request('logging/setLevel', { level: 'warning' });
      await call('slow', { ms: 0 });
      expect(peer.notifications.some(({ method }) => method === 'notifications/message')).toBe(
        false,
      );
      await peer.request('logging/setLevel', { level: 'info' });
      await call('slow', { ms: 0 });
    } else {
      await peer.request('tools/call', {
        name: 'slow',
        arguments: { ms: 0 },
        _meta: { 'io.modelcontextprotocol/logLevel': 'info' },
      });
    }
    const { params } = await peer.heard('notifications/message');
    expect(params).toMatchObject({ level: 'info', logger: 'baton', data: 'slow 0 started' });
  });
});

describe.each(ways)('a choice of tools over $name', ({ open }) => {
  test(`${cites('TOOLS-TOOLSETS')} offers the chosen toolsets and status only`, async () => {
    const peer = await open({ toolsets: ['notes'] });
    const { tools } = await peer.request('tools/list');
    expect(tools.map((tool: AnyResult) => tool.name)).toEqual([
      'note_add',
      'note_remove',
      'status',
    ]);
    await expect(peer.request('tools/call', { name: 'echo' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('hidden by the chosen toolsets'),
    });
    await peer.close();
  });

  test(`${cites('TOOLS-WITHOUT')} leaves out what the client has from elsewhere`, async () => {
    const peer = await open({ withoutTools: ['status', 'echo'] });
    const { tools } = await peer.request('tools/list');
    const names = tools.map((tool: AnyResult) => tool.name);
    expect(names).toContain('note_add');
    expect(names).not.toContain('status');
    expect(names).not.toContain('echo');
    await expect(peer.request('tools/call', { name: 'status' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('hidden by the list of tools to leave out'),
    });
    await peer.close();
  });

  test(`${cites('TOOLS-READ-ONLY')} hides what writes when read-only`, async () => {
    const peer = await open({ readOnly: true });
    const { tools } = await peer.request('tools/list');
    const writing = tools.filter((tool: AnyResult) => !tool.annotations.readOnlyHint);
    expect(writing).toEqual([]);
    await expect(
      peer.request('tools/call', { name: 'note_add', arguments: { id: 'a', text: 'b' } }),
    ).rejects.toMatchObject({ code: -32602, message: expect.stringContaining('read-only') });
    await peer.close();
  });
});
