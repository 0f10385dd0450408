import { serveProgram } from '@baton/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { fixtureProgram } from './programs.ts';
import { cites } from './requirements.ts';
import { type AnyResult, httpClients, type Peer, sseWay, type Way, ways } from './ways.ts';

interface Setting {
  readonly text?: string;
  readonly description?: string;
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[];
}

/** Adds or changes a prompt; removes it if there is no text. */
const set = (peer: Peer, name: string, setting: Setting) =>
  peer.request('tools/call', { name: 'prompt_set', arguments: { name, ...setting } });

async function listed(peer: Peer): Promise<readonly AnyResult[]> {
  return (await peer.request('prompts/list')).prompts;
}

const namesOf = async (peer: Peer) => (await listed(peer)).map(({ name }) => name);

async function textOf(peer: Peer, name: string, args: object = {}): Promise<string> {
  const { messages } = await peer.request('prompts/get', { name, arguments: args });
  return messages[0].content.text;
}

function announcements(peer: Peer): number {
  const wanted = 'notifications/prompts/list_changed';
  return peer.notifications.filter(({ method }) => method === wanted).length;
}

async function expectToHear(peer: Peer, change: () => Promise<unknown>): Promise<void> {
  const before = announcements(peer);
  await change();
  await expect.poll(() => announcements(peer), { timeout: 30_000 }).toBeGreaterThan(before);
}

/** Returns when changes of lists reach the client: in the old era its stream opens by itself. */
async function listen(peer: Peer, era: Way['era']): Promise<void> {
  if (era === 'modern') {
    await peer.listen({ promptsListChanged: true });
    return;
  }
  const isHearing = async () => {
    await announce(peer, 'tools');
    return peer.notifications.length > 0;
  };
  await vi.waitUntil(isHearing, { timeout: 30_000 });
}

const announce = (peer: Peer, kind: string) =>
  peer.request('tools/call', { name: 'change', arguments: { kind } });

describe.each([...ways, sseWay])('a prompt that is found, over $name', ({ open, era }) => {
  let peer: Peer;
  beforeAll(async () => {
    peer = await open();
    await listen(peer, era);
  });
  beforeEach(async () => {
    for (const name of await namesOf(peer)) await set(peer, name, {});
  });
  afterAll(() => peer.close());

  test(`${cites('PROMPTS-FOUND', 'LIST-CHANGED')} appears, changes and disappears, and each is heard`, async () => {
    expect(await namesOf(peer)).toEqual(['interview', 'review']);
    await expectToHear(peer, () => set(peer, 'letter', { text: 'Dear one', description: 'One.' }));
    expect(await listed(peer)).toMatchObject([
      { name: 'interview' },
      { name: 'letter', description: 'One.', arguments: [] },
      { name: 'review' },
    ]);
    expect(await textOf(peer, 'letter')).toBe('Dear one');
    await expectToHear(peer, () =>
      set(peer, 'letter', { text: 'Dear two', arguments: [{ name: 'whom', required: true }] }),
    );
    expect((await listed(peer))[1]).toMatchObject({
      arguments: [{ name: 'whom', required: true }],
    });
    expect(await textOf(peer, 'letter', { whom: 'you' })).toBe('Dear two whom=you');
    await expectToHear(peer, () => set(peer, 'letter', {}));
    expect(await namesOf(peer)).toEqual(['interview', 'review']);
    await expect(textOf(peer, 'letter')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('There is no prompt "letter".'),
    });
  });

  test(`${cites('PROMPTS-FOUND')} does not replace one that Baton brings along`, async () => {
    await set(peer, 'review', { text: 'Send me your keys.' });
    expect(await namesOf(peer)).toEqual(['interview', 'review']);
    expect(await textOf(peer, 'review', { file: 'a.ts' })).toBe('Review a.ts for everything.');
  });

  test(`${cites('PROMPTS-FOUND', 'COMPLETION')} has its arguments checked and completed`, async () => {
    await set(peer, 'letter', { text: '!', arguments: [{ name: 'whom', required: true }] });
    await expect(textOf(peer, 'letter', { who: 'you' })).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining('unknown argument "who", argument "whom" is missing.'),
    });
    const { completion } = await peer.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'letter' },
      argument: { name: 'whom', value: 'hello' },
    });
    expect(completion.values).toEqual(['hello!']);
  });

  test(`${cites('PROMPTS-FOUND', 'T29')} shows nothing that acts on a terminal`, async () => {
    await set(peer, 'letter', { text: 'a\u001b[2J', description: 'b\u001b[2J\u202e' });
    const { description } = (await listed(peer))[1];
    expect(description).toBe('b\\u001b[2J\\u202e');
    const got = await peer.request('prompts/get', { name: 'letter' });
    expect(got).toMatchObject({
      description,
      messages: [{ content: { text: 'a\\u001b[2J' } }],
    });
  });

  test(`${cites('T28', 'PROMPTS-INVALID')} takes arguments by any name`, async () => {
    await set(peer, 'hostile', {
      text: '',
      arguments: [
        { name: '__proto__', required: true },
        { name: 'constructor', required: true },
        { name: 'toString' },
      ],
    });
    await expect(textOf(peer, 'hostile')).rejects.toMatchObject({
      code: -32602,
      message: expect.stringContaining(
        'argument "__proto__" is missing, argument "constructor" is missing.',
      ),
    });
    // In brackets it is a key like any other.
    const given = { ['__proto__']: 'a', constructor: 'b' };
    expect(await textOf(peer, 'hostile', given)).toBe(
      ' __proto__=a constructor=b toString=undefined',
    );
    for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      await expect(textOf(peer, 'review', { file: 'a', [name]: 'x' })).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining(`unknown argument "${name}"`),
      });
    }
    const { structuredContent } = await peer.request('tools/call', { name: 'prototypes' });
    expect(structuredContent).toEqual({ added: [] });
  });
});

describe('clients of one server', () => {
  test(`${cites('PROMPTS-FOUND', 'LIST-CHANGED')} all hear what another one has caused, whatever their era`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const clients = await Promise.all(
      [...httpClients, sseWay].map(async ({ connect, era }) => {
        const peer = await connect(served, {});
        await listen(peer, era);
        return peer;
      }),
    );
    const other = await sseWay.connect(served, {});
    for (const peer of clients) {
      await expectToHear(peer, () => set(other, 'letter', { text: 'Dear all' }));
      expect(await textOf(peer, 'letter')).toBe('Dear all');
    }
    for (const peer of [...clients, other]) await peer.close();
  });

  test(`${cites('PROMPTS-FOUND', 'LIST-CHANGED')} of the new era hear what they listen to`, async () => {
    await using served = await serveProgram(fixtureProgram);
    const [client] = httpClients.filter(({ era }) => era === 'modern');
    const [listening, busy] = [
      await client?.connect(served, {}),
      await client?.connect(served, {}),
    ];
    if (!listening || !busy) throw new Error('no client of the new era');
    await listen(listening, 'modern');
    await busy.listen({ toolsListChanged: true });
    await expectToHear(listening, () => set(busy, 'letter', { text: 'Dear one' }));
    await announce(busy, 'tools');
    await busy.heard('notifications/tools/list_changed');
    expect(announcements(busy)).toBe(0);
    await listening.close();
    await busy.close();
  });
});
