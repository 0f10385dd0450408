import { existsSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { BatonError } from '@baton/core';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { type EditorHost, EditorLink, LinkClient } from '../link-under-test.ts';

const open: { close(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.close();
});

async function linkTo(host: Partial<EditorHost>, faults: unknown[] = []): Promise<EditorLink> {
  const link = new EditorLink({
    hostFor: (root) => ({ read: async () => root, ...host }) as EditorHost,
    onFault: (error) => faults.push(error),
  });
  open.push(link);
  await link.open();
  return link;
}

function clientOf({ address }: EditorLink, token = address.token, root = '/w'): LinkClient {
  const client = new LinkClient({ path: address.path, token }, root);
  open.push(client);
  return client;
}

const refusal = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    (error: unknown) => error as BatonError,
  );

/** Sends raw bytes, and tells whether the other side has cut us off. */
function isCutOff({ address }: EditorLink, ...chunks: string[]): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address.path, () => {
      for (const chunk of chunks) socket.write(chunk);
    });
    open.push({ close: () => socket.destroy() });
    socket.on('error', () => {});
    socket.on('close', () => resolve(true));
    socket.on('data', () => resolve(false));
  });
}

/** Reads until it is told to stop. */
function endless() {
  let onStop = () => {};
  const stopped = new Promise<void>((resolve) => {
    onStop = resolve;
  });
  const read: EditorHost['read'] = (_, signal) =>
    new Promise(() => signal.addEventListener('abort', onStop, { once: true }));
  return { read, stopped };
}

const greeting = ({ address }: EditorLink) =>
  `${JSON.stringify({ token: address.token, root: '/w' })}\n`;
const question = `${JSON.stringify({ id: 1, method: 'read', asked: { file: 'a' } })}\n`;

test('questions are answered, each with its own answer, whatever order they end in', async () => {
  const link = await linkTo({
    read: async ({ file }) => {
      await pause(file === 'slow' ? 30 : 0);
      return `text of ${file}`;
    },
  });
  const client = clientOf(link);
  const files = ['slow', 'b', 'ü\u2028\n', '\ud800'];
  const read = await Promise.all(files.map((file) => client.ask('read', { file })));
  expect(read).toEqual(files.map((file) => `text of ${file}`));
});

test('the socket is in a folder that nobody else can look into, and goes with the link', async () => {
  const link = await linkTo({});
  const folder = path.dirname(link.address.path);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(Buffer.from(link.address.token, 'base64url')).toHaveLength(32);
  link.close();
  expect(existsSync(folder)).toBe(false);
});

test('there is nothing before it is opened', () => {
  const link = new EditorLink({ hostFor: () => ({}) as EditorHost, onFault: () => {} });
  expect(existsSync(path.dirname(link.address.path))).toBe(false);
  link.close();
});

test('errors keep their code, message and next step; what nobody expected is reported', async () => {
  const faults: unknown[] = [];
  const fault = new Error('broken');
  const link = await linkTo(
    {
      read: async () => {
        throw new BatonError('files_changed', 'It was changed.', 'Call again.');
      },
      undo: async () => {
        throw fault;
      },
    },
    faults,
  );
  const client = clientOf(link);
  const expected = await refusal(client.ask('read', { file: 'a' }));
  expect(expected).toBeInstanceOf(BatonError);
  expect(expected).toMatchObject({
    code: 'files_changed',
    message: 'It was changed.',
    next: 'Call again.',
  });
  expect(faults).toEqual([]);
  expect(await refusal(client.ask('undo', { id: 'x' }))).toMatchObject({
    code: 'editor_failed',
    message: expect.stringContaining('broken'),
  });
  expect(faults).toEqual([fault]);
});

test('a wrong token is cut off before anything is asked', async () => {
  let isAsked = false;
  const link = await linkTo({
    read: async () => {
      isAsked = true;
      return '';
    },
  });
  for (const token of ['', 'x', `${link.address.token}x`, link.address.token.slice(1)]) {
    const refused = await refusal(clientOf(link, token).ask('read', { file: 'a' }));
    expect(refused).toMatchObject({ code: 'editor_gone' });
  }
  expect(isAsked).toBe(false);
  expect(await clientOf(link).ask('read', { file: 'a' })).toBe('');
});

test('whoever sends garbage is cut off, and others are not', async () => {
  const link = await linkTo({});
  const client = clientOf(link);
  expect(await client.ask('read', { file: 'a' })).toBe('/w');
  expect(await isCutOff(link, question)).toBe(true);
  expect(await isCutOff(link, 'GET / HTTP/1.1\r\n')).toBe(true);
  expect(await isCutOff(link, 'x'.repeat(100_000))).toBe(true);
  expect(await isCutOff(link, greeting(link), '{"id":1,"method":"toString","asked":{}}\n')).toBe(
    true,
  );
  expect(await isCutOff(link, greeting(link), '[1]\n')).toBe(true);
  expect(await isCutOff(link, greeting(link), question)).toBe(false);
  expect(await client.ask('read', { file: 'a' })).toBe('/w');
});

test('messages are understood however they are cut', async () => {
  const link = await linkTo({ read: async ({ file }) => file });
  const text = greeting(link) + question;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 6 }), async (cuts) => {
      const ends = [0, ...cuts.sort((a, b) => a - b), text.length];
      const chunks = ends.slice(1).map((end, index) => text.slice(ends[index], end));
      expect(await isCutOff(link, ...chunks)).toBe(false);
    }),
    { numRuns: 25 },
  );
});

test('two processes have their own workspaces and do not hear of each other', async () => {
  const link = await linkTo({});
  const one = clientOf(link, link.address.token, '/one');
  const two = clientOf(link, link.address.token, '/two');
  const ask = (client: LinkClient) => client.ask('read', { file: 'a' });
  expect(await Promise.all([ask(one), ask(two), ask(one)])).toEqual(['/one', '/two', '/one']);
  one.close();
  expect(await ask(two)).toBe('/two');
});

test('cancelling ends the wait at once and tells the editor', async () => {
  const { read, stopped } = endless();
  const link = await linkTo({
    read,
    undo: async () => ({ title: 'done', writes: [], moves: [] }),
  });
  const client = clientOf(link);
  const abort = new AbortController();
  const waiting = refusal(client.ask('read', { file: 'a' }, abort.signal));
  abort.abort();
  expect(await waiting).toMatchObject({ code: 'cancelled' });
  await stopped;
  expect(await refusal(client.ask('read', { file: 'a' }, abort.signal))).toMatchObject({
    code: 'cancelled',
  });
  expect(await client.ask('undo', { id: 'x' })).toMatchObject({ title: 'done' });
});

test('when the editor goes away, all who wait are told; the next call connects again', async () => {
  const link = await linkTo({ read: () => new Promise(() => {}) });
  const client = clientOf(link);
  const waiting = [1, 2, 3].map((n) => refusal(client.ask('read', { file: `${n}` })));
  await pause(20);
  link.close();
  for (const told of await Promise.all(waiting))
    expect(told).toMatchObject({ code: 'editor_gone', next: expect.stringContaining('window') });
  expect(await refusal(client.ask('read', { file: 'a' }))).toMatchObject({ code: 'editor_gone' });
});

test('a broken connection is made anew by the next call', async () => {
  let calls = 0;
  const link = await linkTo({
    read: async () => {
      calls += 1;
      return `${calls}`;
    },
  });
  const client = clientOf(link);
  expect(await client.ask('read', { file: 'a' })).toBe('1');
  client.close();
  await pause(20);
  expect(await client.ask('read', { file: 'a' })).toBe('2');
});

test('the editor stops what it does for a process that has gone', async () => {
  const { read, stopped } = endless();
  const link = await linkTo({ read });
  const client = clientOf(link);
  const waiting = refusal(client.ask('read', { file: 'a' }));
  await pause(20);
  client.close();
  expect(await waiting).toMatchObject({ code: 'editor_gone' });
  await stopped;
});
