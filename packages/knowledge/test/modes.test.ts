import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { asking, createKnowledge } from './knowledge-under-test.ts';
import { renderMarkdown } from './parts-under-test.ts';
import { referenceCount } from './reference-count.ts';

const LOCKS = `---
name: lock-contention
description: Finds what waits for locks in PostgreSQL, and who holds them.
tags: [postgresql, performance]
useWhen:
  - Queries hang and nothing uses the processor
---
# Lock contention

Look at pg_locks first.

## Who waits

\`\`\`sql
select * from pg_locks where not granted;
\`\`\`

## History of this text

It was written long ago.
`;

const FILES = {
  'skills/lock-contention/SKILL.md': LOCKS,
  'guides/indexes.md':
    '---\ntags: postgresql\n---\n# Indexes in PostgreSQL\n\nAn index helps queries that wait for disks.\n',
  'patterns/retry.md': '# Retry with backoff\n\nTry again later when a lock is not free.\n',
};

test(`${cites('KNOWLEDGE-MODES')} an index has at most 25 tokens a hit, whatever titles there are`, async () => {
  const titles = Array.from({ length: 20 }, (_, number) => {
    const words = `Lock contention in ${'very '.repeat(number)}busy “databases” and what to do about it`;
    return [`guides/locks-${number}.md`, `# ${words}\n\nLock contention ${number}.\n`] as const;
  });
  using knowledge = createKnowledge(Object.fromEntries(titles));
  const request = asking('lock contention', { mode: 'index', maxResults: 50 });
  const answer = await knowledge.service.search(request);
  expect(answer.pieces).toHaveLength(20);
  expect(Object.keys(answer.pieces[0] ?? {})).toEqual(['id', 'title', 'tokens', 'score']);
  expect(answer.pieces.map(({ title }) => title.slice(0, 7))).toEqual(Array(20).fill('Lock co'));
  for (const piece of answer.pieces) {
    const costs = [JSON.stringify(piece), renderMarkdown({ pieces: [piece] })].map(referenceCount);
    expect(Math.max(...costs)).toBeLessThanOrEqual(25);
  }
});

test(`${cites('KNOWLEDGE-MODES')} a catalog has descriptions, reasons and files`, async () => {
  using knowledge = createKnowledge(FILES);
  const { pieces, source } = await knowledge.service.search(asking('queries hang on locks'));
  expect(pieces[0]).toMatchObject({
    id: 'skill/lock-contention',
    title: 'Lock contention',
    description: 'Finds what waits for locks in PostgreSQL, and who holds them.',
    why: expect.stringContaining('use when: Queries hang and nothing uses the processor'),
    from: 'knowledge/skills/lock-contention/SKILL.md',
  });
  expect(pieces[0]).not.toHaveProperty('text');
  expect(source).toContain('knowledge files');
});

test(`${cites('KNOWLEDGE-MODES')} contents are whole if they fit`, async () => {
  using knowledge = createKnowledge(FILES);
  const { pieces } = await knowledge.service.search(asking('lock contention', { mode: 'full' }));
  const body = LOCKS.slice(LOCKS.indexOf('# Lock'));
  expect(pieces[0]).toMatchObject({ text: body.trim(), tokens: referenceCount(body) });
  expect(pieces[0]).not.toHaveProperty('isPart');
});

test(`${cites('KNOWLEDGE-MODES')} else their most relevant sections, in the order of the text`, async () => {
  const filler = 'Other things are told here. '.repeat(80);
  const text = `# Handbook

${filler}

## Meals

${filler}

## Lock contention

Look at pg_locks to see lock contention.

## Colours

${filler}

### Locks while colours mix

A lock is held, contention follows.
`;
  using knowledge = createKnowledge({ 'handbook.md': text });
  const request = asking('lock contention', { mode: 'full', maxTokens: 200 });
  const { pieces } = await knowledge.service.search(request);
  expect(pieces[0]?.isPart).toBe(true);
  const parts = pieces[0]?.text?.split('\n\n') ?? [];
  // What is left of the budget goes to the beginning of the text.
  expect([parts[0], ...parts.slice(2)]).toEqual([
    '# Handbook',
    ...['[…]', '## Lock contention', 'Look at pg_locks to see lock contention.'],
    ...['[…]', '### Locks while colours mix', 'A lock is held, contention follows.'],
  ]);
  expect(filler.startsWith(parts[1] ?? '')).toBe(true);
});

test(`${cites('KNOWLEDGE-MODES')} one endless line gives its beginning, cut at a word`, async () => {
  using knowledge = createKnowledge({
    'a.md': `cursor pagination ${'stable pages '.repeat(3000)}`,
  });
  const request = asking('cursor pagination', { mode: 'full', maxTokens: 300 });
  const answer = await knowledge.service.search(request);
  expect(answer.pieces[0]).toMatchObject({
    isPart: true,
    text: expect.stringMatching(/^cursor pagination (?:stable pages )+(?:stable )?\[…\]$/),
  });
  expect(answer.tokens).toBeGreaterThan(240);
});

test(`${cites('KNOWLEDGE-MODES')} with 60 tokens left there is something of the next piece`, async () => {
  const first = { 'a.md': '# Lock contention\n\nLock contention, in short.\n' };
  const second = { 'b.md': `# Notes\n\n${'The lock of a door, without contention. '.repeat(200)}` };
  using knowledge = createKnowledge({ ...first, ...second });
  const only = await createOnly(first);
  const request = asking('lock contention', { mode: 'full', maxTokens: only + 85 });
  const { pieces } = await knowledge.service.search(request);
  expect(pieces.map(({ id, isPart }) => ({ id, isPart }))).toEqual([
    { id: 'guide/a', isPart: undefined },
    { id: 'guide/b', isPart: true },
  ]);
});

async function createOnly(files: Record<string, string>): Promise<number> {
  using knowledge = createKnowledge(files);
  return (await knowledge.service.search(asking('lock contention', { mode: 'full' }))).tokens;
}

test(`${cites('KNOWLEDGE-FILTERS')} kinds, tags and scores leave out what does not have them`, async () => {
  using knowledge = createKnowledge(FILES);
  const ids = async (more: object) =>
    (await knowledge.service.search(asking('queries wait for a lock', more))).pieces.map(
      ({ id }) => id,
    );
  const [locks, indexes] = ['skill/lock-contention', 'guide/indexes'];
  expect(await ids({ tags: ['postgresql'] })).toEqual([locks, indexes]);
  expect(await ids({ tags: [' PostgreSQL '] })).toEqual([locks, indexes]);
  expect(await ids({ tags: ['postgresql', 'performance'] })).toEqual([locks]);
  expect(await ids({ tags: ['postgresql'], kinds: ['guide', 'agent'] })).toEqual([indexes]);
  expect(await ids({ kinds: ['agent'] })).toEqual([]);
  expect(await ids({ tags: ['postgresql'], maxResults: 1 })).toEqual([locks]);
  const [{ score = 0 } = {}] = (await knowledge.service.search(asking('queries wait for a lock')))
    .pieces;
  expect(await ids({ minScore: score })).toEqual([locks]);
  expect(await ids({ minScore: score + 1 })).toEqual([]);
});

test(`${cites('KNOWLEDGE-FOUND')} whoever asks by its id gets the piece first`, async () => {
  using knowledge = createKnowledge(FILES);
  for (const name of ['pattern/retry', 'retry', ' retry ']) {
    const { pieces } = await knowledge.service.search(asking(name));
    expect(pieces[0]).toMatchObject({ id: 'pattern/retry', score: 100 });
  }
});

test(`${cites('KNOWLEDGE-NOTHING')} what nothing answers is told so`, async () => {
  using knowledge = createKnowledge(FILES);
  const none = await knowledge.service.search(
    asking('bake bread with sourdough', { mode: 'full' }),
  );
  expect(none).toMatchObject({ pieces: [], next: expect.stringContaining('Nothing here fits') });
  using empty = createKnowledge();
  const nothing = await empty.service.search(asking('lock contention'));
  expect(nothing.next).toContain('There is no knowledge yet');
});

test.each(['', ' ', '%', '"\'`', '…', '🚀', '**', '\0'])('the query %j has no word', (query) => {
  using knowledge = createKnowledge(FILES);
  expect(() => knowledge.service.search(asking(query))).toThrow(
    expect.objectContaining({ code: 'query_empty' }),
  );
});

test.each([
  ...[
    'lock %',
    '100%',
    'c++',
    '"lock',
    "lock' or 1=1; --",
    '(a+)+$ lock',
    '[lock',
    'lock*',
    'NEAR(lock',
  ],
  ...['__proto__ lock', 'constructor lock', 'toString lock', 'lock\0', '🔒 lock', '%2e%2e%2f lock'],
  'lock '.repeat(2000),
  `lock ${'x'.repeat(9990)}`,
])(`${cites('T26', 'T28')} the query %# is words like any other`, async (query) => {
  using knowledge = createKnowledge(FILES);
  const { pieces } = await knowledge.service.search(asking(query, { mode: 'index' }));
  expect(pieces.every(({ id }) => id.includes('/'))).toBe(true);
  expect(({} as Record<string, unknown>)['lock']).toBeUndefined();
});
