import { expect, test } from 'vitest';
import { createWorld } from './world.ts';

const ids = (found: { tickets: { id: string }[] }) => found.tickets.map(({ id }) => id);

test('words that very many tickets have find the newest first, and all of them', async () => {
  await using world = await createWorld();
  const count = 520;
  for (let made = 0; made < count; made += 1) await world.create('common', { labels: ['x'] });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await world.call('ticket_find', { text: 'comm', limit: 100, cursor });
    seen.push(...ids(page));
    cursor = page.cursor;
  } while (cursor);
  expect(seen).toEqual(Array.from({ length: count }, (_, index) => `T-${count - index}`));
  await world.create('rare and common', { body: 'common', labels: ['y'] });
  expect(ids(await world.call('ticket_find', { text: 'common rare' }))).toEqual(['T-521']);
  expect((await world.take({ text: 'common' })).id).toBe('T-1');
  expect((await world.take({ text: 'common', labels: ['y'] })).id).toBe('T-521');
  expect((await world.take({ labels: ['x'] })).id).toBe('T-2');
});

test('titles come before texts on every page, and nothing is shown twice', async () => {
  await using world = await createWorld();
  for (let made = 0; made < 9; made += 1) {
    await world.create(made % 2 ? 'wanted' : 'other', { body: 'wanted here as well' });
  }
  for (const limit of [1, 2, 4, 5, 9]) {
    const seen: string[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await world.call('ticket_find', { text: 'want', limit, cursor });
      seen.push(...ids(page));
      cursor = page.cursor;
    }
    const expected = ['T-8', 'T-6', 'T-4', 'T-2', 'T-9', 'T-7', 'T-5', 'T-3', 'T-1'];
    expect(seen, `pages of ${limit}`).toEqual(expected);
  }
});

test('the beginning of a word is enough, however many words begin so', async () => {
  await using world = await createWorld();
  await world.create('Straße');
  for (let made = 0; made < 12; made += 1) await world.create(`stream${made}`);
  expect(ids(await world.call('ticket_find', { text: 'stra' }))).toEqual(['T-1']);
  expect(ids(await world.call('ticket_find', { text: 'stream11' }))).toEqual(['T-13']);
  expect(ids(await world.call('ticket_find', { text: 'STREAM1' }))).toHaveLength(3);
  expect(ids(await world.call('ticket_find', { text: 'str' }))).toHaveLength(13);
});

test('pages of everything follow one another', async () => {
  await using world = await createWorld();
  for (let made = 0; made < 3; made += 1) await world.create('one');
  await world.report(await world.take(), 'done');
  const first = await world.call('ticket_find', { state: 'all', limit: 2 });
  const rest = await world.call('ticket_find', { state: 'all', limit: 2, cursor: first.cursor });
  expect([...ids(first), ...ids(rest)]).toEqual(['T-3', 'T-2', 'T-1']);
});
