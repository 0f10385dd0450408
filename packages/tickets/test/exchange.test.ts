import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createExchangeWorld, type ExchangeWorld } from './exchange-world.ts';

const WAITING = {
  signal: new AbortController().signal,
  draining: new AbortController().signal,
  progress: () => {},
};

let world: ExchangeWorld;
beforeEach(async () => {
  world = await createExchangeWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

/** Without what is only told. */
const outcomes = async (...given: Parameters<ExchangeWorld['import']>) =>
  (await world.import(...given)).map(({ outcome }) => outcome);
const only = () => [...world.files.keys()][0] ?? '';
const edit = (file: string, from: string | RegExp, to: string) =>
  world.files.set(file, (world.files.get(file) ?? '').replace(from, to));
const stateOf = async (ref: string) => (await world.service.find(ref)).state;
const claim = () => world.service.next({ agent: 'codex' }, {}, WAITING);

const index = fc.nat({ max: 20 });
const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const anySpec = fc.record({
  title: text.map((words) => `x${words.replace(/[\r\n\0]/g, ' ')}`),
  body: fc.oneof(fc.constant(''), fc.string({ maxLength: 50 }), fc.constant('---\r\na\n\n')),
  kind: fc.constantFrom('agent' as const, 'person' as const, 'question' as const),
  priority: fc.integer({ min: 1, max: 5 }),
  labels: fc.subarray(['a', 'Z', 'ä', 'b c']),
  checks: fc.subarray(['npm test', 'true']),
  state: fc.constantFrom('ready', 'blocked', 'done', 'cancelled', undefined),
  notes: fc.array(text, { maxLength: 3 }),
  needs: fc.array(index, { maxLength: 3 }),
  related: fc.array(index, { maxLength: 2 }),
  parent: fc.option(index, { nil: undefined }),
  isDeleted: fc.boolean(),
});

/** Makes tickets that refer to earlier ones, and does things to them. */
async function populate(
  { service, add }: ExchangeWorld,
  specs: readonly (typeof anySpec extends fc.Arbitrary<infer Spec> ? Spec : never)[],
): Promise<void> {
  const refs: string[] = [];
  for (const { needs, related, parent, state, notes, isDeleted, ...ticket } of specs) {
    const earlier = (at: number | undefined) => refs[at ?? refs.length] ?? [];
    const linksTo = (type: 'needs' | 'related', all: readonly number[]) =>
      all.flatMap(earlier).map((other) => ({ type, ticket: other }));
    const links = [...linksTo('needs', needs), ...linksTo('related', related)];
    const ref = await add({ ...ticket, links });
    const above = [earlier(parent)]
      .flat()
      .map((other) => ({ type: 'parent' as const, ticket: other }));
    await service.update(ref, { links: above }, 'anna').catch(() => {});
    for (const note of notes) await service.update(ref, { note }, 'bert');
    const change = { state, waitsFor: 'carla', resolution: 'so', isDecided: true };
    await service.update(ref, change, 'anna');
    if (isDeleted && refs.length % 3 === 0) await service.remove(ref, 'anna');
    else refs.push(ref);
  }
}

test('what is exported, imported elsewhere and exported again is the same to the byte', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anySpec, { maxLength: 8 }), async (specs) => {
      await using one = await createExchangeWorld();
      await using other = await createExchangeWorld('/elsewhere');
      await populate(one, specs);
      await one.service.next({ agent: 'codex' }, {}, WAITING);
      await one.export();
      for (const [name, content] of one.files) other.files.set(name, content);
      const imported = await other.import();
      expect(imported.every(({ outcome, was }) => outcome === 'created' && !was)).toBe(true);
      other.files.clear();
      await other.export();
      expect([...other.files]).toEqual([...one.files]);
      expect((await other.import()).every(({ outcome }) => outcome === 'unchanged')).toBe(true);
    }),
    { numRuns: 60 },
  );
});

describe('import', () => {
  test('a file of a person needs a title, and is the same ticket when it is read again', async () => {
    world.files.set('tickets/a.md', '---\ntitle: One\nneeds: [T-7]\n---\nDo it.\n');
    world.files.set('tickets/b.md', '---\ntitle: Two\nticket: T-7\n---\n');
    expect(await outcomes()).toEqual(['created', 'created']);
    expect(await stateOf('T-7')).toBe('ready');
    expect(await stateOf('T-8')).toBe('waiting');
    expect(await outcomes()).toEqual(['unchanged', 'unchanged']);
    await world.service.update('T-7', { state: 'done', isDecided: true }, 'anna');
    // The file still says that it is open, as it did when it was read.
    expect(await outcomes()).toEqual(['unchanged', 'unchanged']);
    expect(await stateOf('T-7')).toBe('done');
    // That it has become ready is nothing that a file tells of.
    edit('tickets/a.md', 'Do it.', 'Do it now.');
    expect(await outcomes()).toEqual(['updated', 'unchanged']);
    const { id, body } = await world.service.find('T-8');
    expect(id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(body).toBe('Do it now.\n');
    edit('tickets/b.md', 'Two', 'Zwei');
    expect(await outcomes()).toEqual(['unchanged', 'conflict']);
    expect(await outcomes({ force: true })).toEqual(['unchanged', 'updated']);
    edit('tickets/b.md', 'Zwei', 'Deux');
    expect(await outcomes()).toEqual(['unchanged', 'updated']);
    expect(await stateOf('T-8')).toBe('waiting');
  });

  test('a number that was given already becomes another one, and references follow', async () => {
    await world.add({ title: 'here' });
    world.files.set('a.md', '---\nticket: T-1\ntitle: One\n---\n');
    world.files.set('b.md', '---\nticket: T-2\ntitle: Two\nneeds: [T-1]\n---\n');
    expect(await world.import()).toMatchObject([{ ticket: 'T-2', was: 'T-1' }, { ticket: 'T-3' }]);
    const shown = await world.service.show(await world.service.find('T-3'));
    expect(shown.needs).toEqual(['T-2']);
  });

  test('an edited file changes its ticket, in one entry of its history', async () => {
    await world.add({ title: 'Need' });
    await world.add({ title: 'Before', labels: ['a'] });
    await world.export();
    const file = 'T-0002-before.md';
    edit(file, 'title: Before', 'title: After\nneeds: [T-1]\npriority: 1');
    edit(file, 'labels: [a]', 'labels: [b]');
    expect(await world.import({ dryRun: true })).toContainEqual({
      file,
      outcome: 'updated',
      ticket: 'T-2',
      changed: ['title', 'priority', 'labels', 'needs'],
    });
    expect(await stateOf('T-2')).toBe('ready');
    expect(await outcomes()).toEqual(['unchanged', 'updated']);
    const ticket = await world.service.find('T-2');
    expect(ticket).toMatchObject({ title: 'After', priority: 1, state: 'waiting' });
    expect(await world.service.history(ticket)).toContainEqual(
      expect.stringContaining(`imported from ${file} by bert: title Before → After`),
    );
    expect(await outcomes()).toEqual(['unchanged', 'unchanged']);
  });

  test('what has changed here since is a conflict, and nothing is lost', async () => {
    await world.add({ title: 'One' });
    await world.export();
    await world.service.update('T-1', { priority: 1 }, 'anna');
    edit(only(), 'title: One', 'title: Other');
    expect(await world.import()).toMatchObject([
      { outcome: 'conflict', why: expect.stringContaining('different: title, priority') },
    ]);
    expect(await world.service.find('T-1')).toMatchObject({ title: 'One', priority: 1 });
    expect(await outcomes({ force: true })).toEqual(['updated']);
    expect(await world.service.find('T-1')).toMatchObject({ title: 'Other', priority: 3 });
  });

  test('claims are left alone, unless somebody insists', async () => {
    await world.add({ title: 'One' });
    await claim();
    await world.export();
    edit(only(), 'title: One', 'title: Other');
    expect(await outcomes()).toEqual(['updated']);
    expect(await world.service.find('T-1')).toMatchObject({ state: 'claimed', title: 'Other' });
    await world.export();
    edit(only(), 'title: Other', 'title: Other\nstate: done');
    expect(await world.import()).toMatchObject([
      { outcome: 'conflict', why: 'is claimed by codex' },
    ]);
    expect(await outcomes({ force: true })).toEqual(['updated']);
    expect(await world.service.find('T-1')).toMatchObject({ state: 'done', claim_token: null });
  });

  test('notes are merged', async () => {
    await world.add({ title: 'One' });
    await world.service.update('T-1', { note: 'first' }, 'anna');
    await world.export();
    await world.service.update('T-1', { note: 'second' }, 'anna');
    const third = '  - {at: 2026-01-01T00:00:00Z, by: carla, text: third}\n---';
    edit(only(), /---\n$/, `${third}\n`);
    expect(await outcomes()).toEqual(['updated']);
    const { notes } = await world.service.document(await world.service.find('T-1'));
    expect(notes.map(({ text: said }) => said).toSorted()).toEqual(['first', 'second', 'third']);
    expect(await outcomes()).toEqual(['unchanged']);
  });

  test.each([
    ['needs: [T-9]', /^b\.md: needs: there is no ticket T-9, neither in these files/],
    ['parent: 0190b7a4-6f0e-4d0c-9a62-2b7c1c0f6f11', /^b\.md: parent: .* with the id 0190b7a4/],
    ['ticket: T-1', /^b\.md: T-1 is in another of these files, too\.$/],
    ['needs: [T-1]\nticket: T-2', /^[ab]\.md: That would be a circle.*T-1/],
    ['state: blocked', /^b\.md: what is blocked must say who or what it waits for/],
    ['priority: 9', /^b\.md:3:11: priority: /],
  ])('all or nothing: %s', async (line, problem) => {
    world.files.set('a.md', '---\nticket: T-1\ntitle: a\n---\n');
    world.files.set('b.md', `---\ntitle: b\n${line}\n---\n`);
    if (line.includes('T-2')) edit('a.md', 'title: a', 'title: a\nneeds: [T-2]');
    await expect(world.import()).rejects.toThrow(problem);
    await expect(world.service.find('T-1')).rejects.toMatchObject({ code: 'ticket_unknown' });
  });

  test('checks are approved before anything is written, unless they are here already', async () => {
    world.files.set('a.md', '---\ntitle: a\nchecks: [npm test]\n---\n');
    await world.import();
    expect(world.approved).toEqual([
      { workspace: '/ws', source: 'a.md', commands: [{ title: 'check 1', command: 'npm test' }] },
    ]);
    edit('a.md', 'title: a', 'title: b');
    await world.import();
    expect(world.approved).toHaveLength(1);
    edit('a.md', 'npm test', 'npm run all');
    await world.import({ dryRun: true });
    expect(world.approved).toHaveLength(1);
    await world.import();
    expect(world.approved).toHaveLength(2);
  });

  test('states come along', async () => {
    const states = ['open', 'blocked', 'failed', 'done', 'cancelled'];
    for (const state of states) {
      world.files.set(
        `${state}.md`,
        `---\ntitle: ${state}\nstate: ${state}\nwaitsFor: anna\n---\n`,
      );
    }
    await world.import();
    expect(await Promise.all(states.map((_, at) => stateOf(`T-${at + 1}`)))).toEqual([
      'ready',
      ...states.slice(1),
    ]);
    for (const file of world.files.keys()) edit(file, /state: \w+/, 'state: done');
    await world.import();
    expect(await Promise.all(states.map((_, at) => stateOf(`T-${at + 1}`)))).toEqual(
      states.map(() => 'done'),
    );
    for (const file of world.files.keys()) edit(file, /state: \w+/, 'state: open');
    await world.import();
    expect(new Set(await Promise.all(states.map((_, at) => stateOf(`T-${at + 1}`))))).toEqual(
      new Set(['ready']),
    );
  });

  test('a parent waits for parts that come in', async () => {
    await world.add({ title: 'Parent' });
    world.files.set('a.md', '---\ntitle: Part\nparent: T-1\n---\n');
    await world.import();
    expect(await stateOf('T-1')).toBe('waiting');
    edit('a.md', 'parent: T-1', 'state: open');
    await world.import();
    expect(await stateOf('T-1')).toBe('ready');
  });
});

describe('export', () => {
  test('a ticket stays in its file, and only what has changed is written', async () => {
    await world.add({ title: 'One' });
    world.files.set('mine.md', '---\ntitle: Mine\n---\n');
    await world.import();
    await world.service.update('T-1', { title: 'Uno' }, 'anna');
    expect(await world.export()).toEqual([
      { file: 'T-0001-uno.md', ticket: 'T-1', outcome: 'created' },
      { file: 'mine.md', ticket: 'T-2', outcome: 'changed' },
    ]);
    await world.service.update('T-1', { title: 'Eins' }, 'anna');
    expect((await world.export()).map(({ outcome }) => outcome)).toEqual(['changed', 'unchanged']);
    expect([...world.files.keys()]).toEqual(['mine.md', 'T-0001-uno.md']);
  });

  test('nothing is written over what somebody has written', async () => {
    await world.add({ title: 'One' });
    world.files.set('T-0001-one.md', '# My own');
    await expect(world.export()).rejects.toThrow('is in the way of T-1');
    world.files.clear();
    await world.export();
    edit(only(), 'title: One', 'title: Uno');
    await expect(world.export()).rejects.toThrow('was changed and not imported yet');
    expect(world.files.get(only())).toContain('Uno');
    expect(await world.export(true)).toMatchObject([{ outcome: 'changed' }]);
  });
});
