import { describe, expect, test } from 'vitest';
import { createWorld, refusal } from './world.ts';

const ids = (found: { tickets: { id: string }[] }) => found.tickets.map(({ id }) => id);

describe('finding', () => {
  test('lists what is open, the newest first, page by page', async () => {
    await using world = await createWorld();
    for (let count = 0; count < 5; count += 1) await world.create(`ticket ${count}`);
    await world.report(await world.take(), 'done');
    const first = await world.call('ticket_find', { limit: 3 });
    expect(ids(first)).toEqual(['T-5', 'T-4', 'T-3']);
    const second = await world.call('ticket_find', { limit: 3, cursor: first.cursor });
    expect(ids(second)).toEqual(['T-2']);
    expect(second.cursor).toBeUndefined();
    expect(ids(await world.call('ticket_find', { state: 'done' }))).toEqual(['T-1']);
    expect(ids(await world.call('ticket_find', { state: 'all' }))).toHaveLength(5);
    expect((await refusal(world.call('ticket_find', { cursor: 'x' }))).code).toBe('bad_cursor');
  });

  test('filters by kind, labels, assignee and parent', async () => {
    await using world = await createWorld();
    await world.create('whole');
    await world.create('a', { kind: 'person', labels: ['x', 'y'], parent: 'T-1' });
    await world.create('b', { labels: ['x'], assignee: 'anna' });
    expect(ids(await world.call('ticket_find', { kind: 'person' }))).toEqual(['T-2']);
    expect(ids(await world.call('ticket_find', { labels: ['x'] }))).toEqual(['T-3', 'T-2']);
    expect(ids(await world.call('ticket_find', { labels: ['x', 'y'] }))).toEqual(['T-2']);
    expect(ids(await world.call('ticket_find', { assignee: 'anna' }))).toEqual(['T-3']);
    expect(ids(await world.call('ticket_find', { parent: 'T-1' }))).toEqual(['T-2']);
  });

  test('ranks what has the words in its title before what has them in its text', async () => {
    await using world = await createWorld();
    await world.create('Other', { body: 'The parser is slow.' });
    await world.create('Parser');
    await world.create('Nothing');
    expect(ids(await world.call('ticket_find', { text: 'parser' }))).toEqual(['T-2', 'T-1']);
    expect(ids(await world.call('ticket_find', { text: 'parser slow' }))).toEqual(['T-1']);
    const page = await world.call('ticket_find', { text: 'parser', limit: 1 });
    const next = await world.call('ticket_find', { text: 'parser', limit: 1, cursor: page.cursor });
    expect([ids(page), ids(next), next.cursor]).toEqual([['T-2'], ['T-1'], undefined]);
    expect((await world.call('ticket_find', { text: '?!' })).tickets).toEqual([]);
  });

  test.each(['"', 'a"b', 'NEAR(a b)', 'a AND', '*', 'title:x', '^x', "'; --", '🎉', 'é'])(
    'takes %s as words, whatever it means elsewhere',
    async (text) => {
      await using world = await createWorld();
      await world.create('x');
      const found = await world.call('ticket_find', { text });
      expect(found.tickets).toBeDefined();
    },
  );

  test('finds letters without their marks, and in other scripts', async () => {
    await using world = await createWorld();
    await world.create('Übergänge prüfen');
    await world.create('修复登录');
    expect(ids(await world.call('ticket_find', { text: 'ubergange' }))).toEqual(['T-1']);
    expect(ids(await world.call('ticket_find', { text: '修复登录' }))).toEqual(['T-2']);
  });

  test('says what can be done with a ticket', async () => {
    await using world = await createWorld();
    await world.create('one');
    const next = async () => (await world.call('ticket_find', { id: 'T-1' })).next;
    expect(await next()).toContain('ticket_next');
    const claim = await world.take();
    expect(await next()).toContain('ticket_report');
    expect((await world.call('ticket_update', { ...claim, note: 'x' })).next).toBe(await next());
    await world.report(claim, 'done');
    expect(await next()).toContain('opens it again');
  });

  test('takes references as people write them', async () => {
    await using world = await createWorld();
    await world.create('one');
    const { ticket } = await world.call('ticket_find', { id: 'T-1' });
    for (const id of ['t-1', 'T1', '1', ticket.uuid, ticket.uuid.toUpperCase()]) {
      expect((await world.call('ticket_find', { id })).ticket.id).toBe('T-1');
    }
    for (const id of ['T-0', 'x', '../1', 'T-1 or 1=1', '']) {
      expect((await refusal(world.call('ticket_find', { id }))).code).toBe('invalid_input');
    }
  });

  test('keeps answers small, whatever people write', async () => {
    await using world = await createWorld();
    const id = await world.create('big', { body: 'x'.repeat(100_000), checks: ['true'] });
    for (let count = 0; count < 20; count += 1) {
      await world.call('ticket_update', { id, note: 'y'.repeat(20_000) });
    }
    const found = await world.call('ticket_find', { id, history: true });
    expect(JSON.stringify(found).length).toBeLessThan(20_000);
    expect(found.ticket.body).toContain(`baton://ticket/${id}`);
    const shown = await world.call('ticket_find', { id });
    expect(JSON.stringify(shown).length).toBeLessThan(10_000);
  });
});

describe('waiting', () => {
  test('for a ticket ends when it rests, or when it has a newer version', async () => {
    await using world = await createWorld();
    const id = await world.create('one');
    const newer = world.call('ticket_find', { id, version: 1, waitSeconds: 50 });
    const over = world.call('ticket_find', { id, waitSeconds: 50 });
    const claim = await world.take();
    expect((await newer).ticket.state).toBe('claimed');
    await world.report(claim, 'done');
    expect((await over).ticket.state).toBe('done');
  });

  test('for any ticket ends when one matches', async () => {
    await using world = await createWorld();
    const found = world.call('ticket_find', { labels: ['x'], waitSeconds: 50 });
    await world.create('other');
    await world.create('wanted', { labels: ['x'] });
    expect(ids(await found)).toEqual(['T-2']);
  });
});

describe('creating', () => {
  test('with the same key is one ticket, with other arguments a conflict', async () => {
    await using world = await createWorld();
    const first = await world.create('one', { key: 'k' });
    expect(await world.create('one', { key: 'k' })).toBe(first);
    expect((await refusal(world.create('two', { key: 'k' }))).code).toBe('key_conflict');
    expect((await world.call('ticket_find')).tickets).toHaveLength(1);
  });

  test.each([
    { title: '' },
    { title: ' ' },
    { title: 'a\nb' },
    { title: 'x'.repeat(201) },
    { title: 'x', labels: ['-a'] },
    { title: 'x', labels: ['a,b'] },
    { title: 'x', priority: 0 },
    { title: 'x', priority: 6 },
    { title: 'x', kind: 'robot' },
    { title: 'x', needs: ['what'] },
    { title: 'x', checks: [{ type: 'shell', command: 'x', env: { TOKEN: 'secret' } }] },
    { title: 'x', checks: [''] },
    { title: 'x', body: 'a\0b' },
    { title: 'x', unknown: 1 },
  ])('refuses %j', async (given) => {
    await using world = await createWorld();
    expect((await refusal(world.call('ticket_create', given))).code).toBe('invalid_input');
  });
});
