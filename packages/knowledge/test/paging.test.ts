import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asking, createKnowledge, type KnowledgeUnderTest } from './knowledge-under-test.ts';
import { collection, query } from './random-collections.ts';

type Request = ReturnType<typeof asking>;

/** The ids of each page, from the first to the last. */
async function pagesOf({ service }: KnowledgeUnderTest, request: Request): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const answer = await service.search({ ...request, cursor });
    pages.push(answer.pieces.map(({ id }) => id));
    cursor = answer.cursor;
  } while (cursor !== undefined && pages.length < 100);
  return pages;
}

test(`${cites('KNOWLEDGE-PAGES')} pages have every hit once, in order, and each has something`, async () => {
  let most = 0;
  const asked = fc.record({
    mode: fc.constantFrom('index', 'catalog', 'full'),
    maxTokens: fc.integer({ min: 100, max: 2500 }),
    maxResults: fc.integer({ min: 1, max: 15 }),
  });
  await fc.assert(
    fc.asyncProperty(collection, query, asked, async (files, words, more) => {
      using knowledge = createKnowledge(files);
      const all = { mode: 'index', maxTokens: 100_000, maxResults: 50 } as const;
      const [hits = []] = await pagesOf(knowledge, asking(words, all));
      const pages = await pagesOf(knowledge, asking(words, more));
      expect(pages.flat()).toEqual(hits);
      if (hits.length > 0) expect(pages.filter(({ length }) => length === 0)).toEqual([]);
      most = Math.max(most, pages.length);
    }),
    { seed: 80_000, numRuns: 30 },
  );
  expect(most).toBeGreaterThan(3);
});

test(`${cites('KNOWLEDGE-PAGES')} a page goes on with more tokens than the page before`, async () => {
  using knowledge = createKnowledge(guides(6));
  const request = asking('cursor pagination', { mode: 'full', maxTokens: 150 });
  const first = await knowledge.service.search(request);
  const rest = await knowledge.service.search({
    ...request,
    maxTokens: 3000,
    cursor: first.cursor,
  });
  expect([...first.pieces, ...rest.pieces].map(({ id }) => id)).toEqual([
    ...['guide/g0', 'guide/g1', 'guide/g2', 'guide/g3', 'guide/g4', 'guide/g5'],
  ]);
});

test(`${cites('KNOWLEDGE-PAGES')} a piece that no page has room for is said to need more tokens`, async () => {
  const id = '分页查询需要稳定的游标'.repeat(10);
  const text = `---\nid: ${id}\n---\n# Cursor pagination\n\nPages with a cursor.\n`;
  using knowledge = createKnowledge({ 'a.md': text });
  for (const mode of ['index', 'catalog', 'full'] as const) {
    const request = asking('cursor pagination', { mode });
    const { pieces, cursor, next } = await knowledge.service.search({ ...request, maxTokens: 100 });
    expect({ pieces, cursor }).toEqual({ pieces: [], cursor: undefined });
    expect(next).toContain('maxTokens is too small');
    expect((await knowledge.service.search(request)).pieces).toHaveLength(1);
  }
});

test(`${cites('KNOWLEDGE-PAGES')} what has gone since the last page ends the pages`, async () => {
  using knowledge = createKnowledge(guides(3));
  const request = asking('cursor pagination', { maxResults: 2 });
  const { cursor } = await knowledge.service.search(request);
  for (const file of ['g0', 'g1', 'g2']) knowledge.remove(`knowledge/${file}.md`);
  knowledge.write({ 'knowledge/g3.md': guide(3) });
  const answer = await knowledge.service.search({ ...request, cursor });
  expect(answer).toMatchObject({ pieces: [], next: expect.stringContaining('Nothing more') });
  expect(answer).not.toHaveProperty('cursor');
});

test.each(['', 'x', '1', '1.', '-1.00000000', '1e3.x', '__proto__', '0.0.0', 'MTU6YWJj', '\0'])(
  'the cursor %j is refused',
  async (cursor) => {
    using knowledge = createKnowledge(guides(3));
    const request = asking('cursor pagination', { maxResults: 1, cursor });
    await expect(knowledge.service.search(request)).rejects.toMatchObject({
      code: 'bad_cursor',
    });
  },
);

test('a cursor belongs to its request', async () => {
  using knowledge = createKnowledge(guides(3));
  const request = asking('cursor pagination', { maxResults: 1 });
  const { cursor } = await knowledge.service.search(request);
  for (const other of [{ query: 'pagination' }, { mode: 'index' }, { tags: ['x'] }] as const) {
    const changed = knowledge.service.search({ ...request, ...other, cursor });
    await expect(changed).rejects.toMatchObject({ code: 'bad_cursor' });
  }
});

function guides(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, number) => [`g${number}.md`, guide(number)]),
  );
}

function guide(number: number): string {
  return `# Cursor pagination ${number}\n\nPages with a cursor stay stable.\n`;
}
