import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { pageOf } from '../src/paging.ts';

const identity = (item: string) => item;

test(`${cites('PAGING')} the pages together are the list`, () => {
  const names = fc.uniqueArray(fc.string({ unit: 'grapheme' }));
  fc.assert(
    fc.property(names, fc.integer({ min: 1, max: 7 }), (unsorted, size) => {
      const items = [...unsorted].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = pageOf(items, cursor, identity, size);
        expect(page.items.length).toBeLessThanOrEqual(size);
        seen.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor);
      expect(seen).toEqual(items);
    }),
  );
});

test(`${cites('PAGING')} a cursor goes on where it stopped when items come and go`, () => {
  const { nextCursor } = pageOf(['a', 'b', 'c', 'd'], undefined, identity, 2);
  expect(pageOf(['a', 'aa', 'c', 'd'], nextCursor, identity, 2).items).toEqual(['c', 'd']);
  expect(pageOf(['a'], nextCursor, identity, 2).items).toEqual([]);
});

test(`${cites('PAGING')} a cursor that is not ours is refused`, () => {
  for (const cursor of ['', 'x', 'YWZ0ZXI', 'b25lOg', 'YWZ0ZXI6YQ==', '🦄']) {
    expect(() => pageOf(['a'], cursor, identity)).toThrow(
      expect.objectContaining({ code: -32602 }),
    );
  }
});
