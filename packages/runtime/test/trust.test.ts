import path from 'node:path';
import {
  type Asking,
  BatonError,
  type CallContext,
  type CommandSource,
  createExecutor,
  defineTool,
} from '@baton/core';
import { cites } from '@baton/e2e/requirements';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createApprovals, createStoreAccess, type StoreAccess } from '../src/index.ts';

const ports = { clock: createFakeClock(), ids: createFakeIds(), log: createMemoryLog() };
const release: CommandSource = {
  workspace: '/src/acme',
  source: 'plans/release.yaml',
  commands: [
    { title: 'build', command: 'npm run build', detail: { env: { CI: '1' }, shell: false } },
    { title: 'publish', command: 'npm publish' },
  ],
};
const [build, publish] = release.commands as [
  CommandSource['commands'][0],
  CommandSource['commands'][0],
];

let folder: ReturnType<typeof temporaryFolder>;
const opened: StoreAccess[] = [];

/** As another process would have it. */
function approvals() {
  const store = createStoreAccess({ ...ports, file: path.join(folder.path, 'baton.db') });
  opened.push(store);
  return createApprovals(store);
}

beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
  folder[Symbol.dispose]();
});

/** A call of a tool that needs trust, with what the client can do and has answered. */
function call(trust: ReturnType<typeof approvals>, source: CommandSource, more: object = {}) {
  const tool = defineTool({
    name: 'run',
    title: 'Run',
    description: 'Runs it.',
    toolset: 'a',
    effect: 'run',
    input: z.object({}),
    output: z.object({ ran: z.boolean() }),
    examples: [],
    async run(_service: unknown, _input, asking: Asking) {
      await trust.require(source, asking);
      return { ran: true };
    },
  });
  const context: CallContext = { signal: new AbortController().signal, ...more };
  return createExecutor(ports)({ item: tool, service: () => ({}) }, {}, context);
}

const can = { ask: true, sample: false, roots: false };
const ran = { kind: 'result', data: { ran: true } };
const refused = (words: string) => ({
  kind: 'error',
  error: { code: 'not_trusted', message: expect.stringContaining(words) },
});

/** The key of the question that the commands are asked by. */
async function questionKey(trust: ReturnType<typeof approvals>, source: CommandSource) {
  const outcome = await call(trust, source, { can });
  if (outcome.kind !== 'question') throw new Error(`no question: ${JSON.stringify(outcome)}`);
  const [key = '', ...others] = Object.keys(outcome.requests);
  expect(others).toEqual([]);
  return key;
}

describe('an approval', () => {
  test(`${cites('TRUST', 'T6')} is needed, and lasts`, async () => {
    const trust = approvals();
    expect(await trust.isTrusted(release)).toBe(false);
    expect(await call(trust, release)).toMatchObject(refused('are new'));
    expect(await trust.grant(release, 'me')).toEqual({
      ...release,
      by: 'me',
      at: ports.clock.now(),
      fingerprint: expect.stringMatching(/^[\w-]{43}$/),
    });
    expect(await trust.isTrusted(release)).toBe(true);
    expect(await call(trust, release)).toMatchObject(ran);
  });

  test.each<[string, CommandSource['commands']]>([
    ['a byte of a command', [{ ...build, command: 'npm run build ' }, publish]],
    ['a title', [{ ...build, title: 'Build' }, publish]],
    [
      'a byte deep in the detail',
      [{ ...build, detail: { env: { CI: '2' }, shell: false } }, publish],
    ],
    ['a flag in the detail', [{ ...build, detail: { env: { CI: '1' }, shell: true } }, publish]],
    ['a new variable', [{ ...build, detail: { env: { CI: '1', A: '' }, shell: false } }, publish]],
    ['no detail', [{ title: build.title, command: build.command }, publish]],
    ['the order', [publish, build]],
    ['one command less', [build]],
    ['one command more', [build, publish, publish]],
    [
      'what moves from one field to another',
      [{ ...build, title: 'build npm', command: 'run build' }, publish],
    ],
  ])(`${cites('TRUST', 'T6')} ends when they change by %s`, async (_what, commands) => {
    const trust = approvals();
    await trust.grant(release, 'me');
    const changed = { ...release, commands };
    expect(await trust.isTrusted(changed)).toBe(false);
    expect(await call(trust, changed)).toMatchObject(refused('have CHANGED'));
    await trust.grant(changed, 'me');
    expect(await trust.isTrusted(changed)).toBe(true);
    expect(await trust.isTrusted(release)).toBe(false);
    expect(await trust.list(release.workspace)).toHaveLength(1);
  });

  test(`${cites('TRUST')} does not depend on the order of keys`, async () => {
    const trust = approvals();
    await trust.grant(release, 'me');
    const detail = { shell: false, env: { CI: '1' }, cwd: undefined };
    expect(await trust.isTrusted({ ...release, commands: [{ ...build, detail }, publish] })).toBe(
      true,
    );
  });

  test.each<[string, CommandSource['settings']]>([
    ['a setting that changes', { 'the plan': { git: { base: 'stranger' } } }],
    ['one setting more', { 'the plan': { git: { base: 'main' } }, build: { retry: 1 } }],
    ['a setting about something else', { build: { git: { base: 'main' } } }],
    ['no setting any more', {}],
    ['none at all any more', undefined],
  ])(`${cites('TRUST', 'T51')} ends by %s`, async (_what, settings) => {
    const trust = approvals();
    const approved = { ...release, settings: { 'the plan': { git: { base: 'main' } } } };
    await trust.grant(approved, 'me');
    expect(await trust.isTrusted(approved)).toBe(true);
    expect(await trust.list(release.workspace)).toMatchObject([approved]);
    const { settings: _settings, ...rest } = approved;
    const changed = settings ? { ...rest, settings } : rest;
    expect(await call(trust, changed)).toMatchObject(refused('have CHANGED'));
  });

  test(`${cites('TRUST', 'T51')} ends by the first setting that a file gets`, async () => {
    const trust = approvals();
    await trust.grant(release, 'me');
    const changed = { ...release, settings: { 'the plan': { git: { target: 'main' } } } };
    expect(await call(trust, changed)).toMatchObject(refused('have CHANGED'));
  });

  test(`${cites('TRUST', 'T6')} counts for its workspace and its file only`, async () => {
    const trust = approvals();
    await trust.grant(release, 'me');
    for (const other of [
      { ...release, workspace: '/src/other' },
      { ...release, source: 'plans/other.yaml' },
    ]) {
      expect(await trust.isTrusted(other)).toBe(false);
      expect(await call(trust, other)).toMatchObject(refused('are new'));
    }
  });

  test(`${cites('TRUST')} can be listed and revoked`, async () => {
    const trust = approvals();
    const second = { ...release, source: 'a.yaml' };
    await trust.grant(release, 'me');
    await trust.grant(second, 'you');
    const listed = await trust.list(release.workspace);
    expect(listed.map(({ source, by, commands }) => ({ source, by, commands }))).toEqual([
      { source: 'a.yaml', by: 'you', commands: release.commands },
      { source: 'plans/release.yaml', by: 'me', commands: release.commands },
    ]);
    expect(await trust.list('/src/other')).toEqual([]);
    expect(await trust.revoke(release.workspace, release.source)).toBe(true);
    expect(await trust.revoke(release.workspace, release.source)).toBe(false);
    expect(await trust.isTrusted(release)).toBe(false);
    expect(await trust.isTrusted(second)).toBe(true);
  });

  test(`${cites('TRUST')} is seen by every process at once, as is its end`, async () => {
    const [one, other] = [approvals(), approvals()];
    expect(await other.isTrusted(release)).toBe(false);
    await one.grant(release, 'me');
    expect(await other.isTrusted(release)).toBe(true);
    await other.revoke(release.workspace, release.source);
    expect(await one.isTrusted(release)).toBe(false);
  });

  test(`${cites('TRUST')} is not needed where nothing would run`, async () => {
    expect(await call(approvals(), { ...release, commands: [] })).toMatchObject(ran);
  });
});

describe('an approval that an older Baton has kept', () => {
  /** As it was written before there were settings; its fingerprint is what the older one made. */
  const OLD_FINGERPRINT = '03Yr9aqXBMX7iXQaW4u_RzmmmAcrRsBSUExD8gc0SkE';

  async function approvedBefore() {
    const store = createStoreAccess({ ...ports, file: path.join(folder.path, 'baton.db') });
    const older = await store.open();
    await older.write('durable', async ({ db, now }) => {
      await db.schema.alterTable('trust').dropColumn('settings').execute();
      const tables = db.withTables<{ schemas: { feature: string; version: number } }>();
      await tables
        .updateTable('schemas')
        .set({ version: 1 })
        .where('feature', '=', 'trust')
        .execute();
      const { workspace, source } = release;
      const commands = JSON.stringify(release.commands);
      const row = { workspace, source, commands, fingerprint: OLD_FINGERPRINT, by: 'me', at: now };
      await db.withTables<{ trust: typeof row }>().insertInto('trust').values(row).execute();
    });
    await store.close();
    return approvals();
  }

  test(`${cites('TRUST', 'T51', 'T43')} stays good where there is nothing more to show`, async () => {
    const trust = await approvedBefore();
    expect(await trust.isTrusted(release)).toBe(true);
    expect(await trust.isTrusted({ ...release, settings: {} })).toBe(true);
    expect(await trust.list(release.workspace)).toMatchObject([{ ...release, by: 'me' }]);
  });

  test(`${cites('TRUST', 'T51')} is asked for again with more detail, not as a change`, async () => {
    const trust = await approvedBefore();
    const detailed = { ...release, settings: { 'the plan': { git: { base: 'main' } } } };
    expect(await call(trust, detailed)).toMatchObject(refused('shown in more detail'));
    const question = JSON.stringify(await call(trust, detailed, { can }));
    expect(question).toContain('are shown in more detail now');
    expect(question).toContain('- the plan: {');
    const other = { ...detailed, commands: [build] };
    expect(await call(trust, other)).toMatchObject(refused('have CHANGED'));
    const answers = { [await questionKey(trust, detailed)]: { approve: true } };
    expect(await call(trust, detailed, { can, answers })).toMatchObject(ran);
    const moved = { ...release, settings: { 'the plan': { git: { base: 'stranger' } } } };
    expect(await call(trust, moved)).toMatchObject(refused('have CHANGED'));
    expect(await call(trust, release)).toMatchObject(refused('have CHANGED'));
  });
});

describe('a client that can be asked', () => {
  test(`${cites('TRUST', 'T6')} is asked, and its yes is kept`, async () => {
    const trust = approvals();
    const key = await questionKey(trust, release);
    expect(await trust.list(release.workspace)).toEqual([]);
    const answers = { [key]: { approve: true } };
    expect(await call(trust, release, { can, answers })).toMatchObject(ran);
    expect(await trust.list(release.workspace)).toMatchObject([
      { source: release.source, by: 'an answer in the client' },
    ]);
    expect(await call(approvals(), release)).toMatchObject(ran);
  });

  test.each([null, { approve: false }])(
    `${cites('TRUST', 'T6')} can say no with %j, and nothing is kept`,
    async (answer) => {
      const trust = approvals();
      const answers = { [await questionKey(trust, release)]: answer };
      expect(await call(trust, release, { can, answers })).toMatchObject(refused('declined'));
      expect(await trust.isTrusted(release)).toBe(false);
    },
  );

  test(`${cites('TRUST', 'T6')} has approved nothing but what it was asked about`, async () => {
    const trust = approvals();
    const answers = { [await questionKey(trust, release)]: { approve: true } };
    for (const other of [
      { ...release, commands: [{ ...build, command: 'npm run build; reboot' }, publish] },
      { ...release, source: 'plans/other.yaml' },
      { ...release, workspace: '/src/other' },
    ]) {
      expect(await call(trust, other, { can, answers })).toMatchObject({ kind: 'question' });
      expect(await trust.isTrusted(other)).toBe(false);
    }
    expect(await trust.list(release.workspace)).toEqual([]);
  });

  test(`${cites('TRUST')} is told that they have changed`, async () => {
    const trust = approvals();
    await trust.grant(release, 'me');
    const outcome = await call(trust, { ...release, commands: [build] }, { can });
    expect(JSON.stringify(outcome)).toContain('They have CHANGED since they were approved.');
  });

  test(`${cites('TRUST', 'T6')} is not asked about more than it can read`, async () => {
    const trust = approvals();
    const long = { ...release, commands: [{ title: 'x', command: 'x'.repeat(5000) }] };
    expect(await call(trust, long, { can })).toMatchObject(refused('too long'));
    await trust.grant(long, 'me');
    expect(await call(trust, long, { can })).toMatchObject(ran);
  });
});

test(`${cites('TRUST', 'T6')} a client that cannot be asked has no answer that counts`, async () => {
  const trust = approvals();
  const answers = { [await questionKey(trust, release)]: { approve: true } };
  expect(await call(trust, release, { answers })).toMatchObject(refused('are new'));
  expect(await trust.isTrusted(release)).toBe(false);
});

test(`${cites('TRUST', 'T6')} without a store nothing is trusted`, async () => {
  const broken = createApprovals({
    open: () => Promise.reject(new BatonError('store_io', 'The disk fails.', 'Replace it.')),
  });
  expect(await call(broken, release, { can })).toMatchObject({ error: { code: 'store_io' } });
  await expect(broken.isTrusted(release)).rejects.toThrow('The disk fails.');
});
