import { expect, test } from 'vitest';
import { AnswerCost, lazyTokenCount, list } from './parts-under-test.ts';

const cost = new AnswerCost(lazyTokenCount());
type Found = Parameters<typeof list>[0] extends Iterable<infer One> ? One : never;

function found(id: string, text: string | undefined): Found {
  const piece = { ...{ key: `guide/${id}`, kind: 'guide', id, title: id, from: `${id}.md` } };
  const known = { tokens: 5, hash: '', root: '', file: '', description: '' };
  const lists = { tags: [], capabilities: [], useWhen: [], arguments: [] };
  const hit = { entry: 0, score: 1, coverage: 1, fit: 'sure' };
  return { hit, piece: { ...piece, ...known, ...lists }, text: () => text } as Found;
}

const listing = { mode: 'full', most: 2, matched: { slots: [], concepts: [], hits: [] }, cost };

test('a file that has gone since it was found takes no place on a page', () => {
  const all = [found('a', undefined), found('b', 'B.'), found('c', undefined), found('d', 'D.')];
  const page = list([...all, found('e', 'E.')], 1000, listing as never);
  expect(page.pieces.map(({ id }) => id)).toEqual(['guide/b', 'guide/d']);
  expect(page.end).toBe(4);
});

test('what there is no room for begins the next page', () => {
  const all = [found('a', 'A.'), found('b', 'Many words. '.repeat(1000))];
  const price = cost.ofPiece(list(all, 1000, listing as never).pieces[0] ?? {});
  const page = list(all, price + 30, listing as never);
  expect(page.pieces.map(({ id }) => id)).toEqual(['guide/a']);
  expect(page.end).toBe(1);
});
