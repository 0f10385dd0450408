import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asking, createKnowledge } from '../knowledge-under-test.ts';
import { distanceWithin, topOf } from '../search-under-test.ts';

test('the highest values come first, as if all were sorted', () => {
  const value = fc.oneof(
    fc.constant(1),
    fc.float({ min: Math.fround(0.001), max: 9, noNaN: true }),
  );
  fc.assert(
    fc.property(
      fc.array(value, { maxLength: 400 }),
      fc.integer({ min: 1, max: 60 }),
      (given, most) => {
        const values = Float32Array.from(given);
        const entries = Uint32Array.from(given.keys());
        const sorted = [...given.keys()].sort(
          (a, b) => (values[b] ?? 0) - (values[a] ?? 0) || a - b,
        );
        expect(topOf(entries, values, most)).toEqual(sorted.slice(0, most));
      },
    ),
  );
});

describe('words differ by letters', () => {
  test.each([
    ['kubernetes', 'kubernets', 1],
    ['recieve', 'receive', 1],
    ['cache', 'cache', 0],
    ['postgres', 'posgrse', 2],
    ['abc', 'xyz', 3],
  ])('%s and %s', (a, b, distance) => {
    expect(distanceWithin(a, b, 2)).toBe(distance);
    expect(distanceWithin(b, a, 2)).toBe(distance);
  });
});

const PIECES = {
  'skills/layout-shift.md':
    '---\ntags: [css]\n---\n# Cumulative layout shift\n\nReserve the space of pictures with width and height, or an aspect ratio.',
  'skills/cursor-paging.md':
    '---\nuseWhen:\n  - a list grows too long for one answer\n---\n# Cursor pagination\n\nHand out opaque cursors instead of offsets.',
  'guides/cpp.md': '# Lifetimes in C++\n\nWho owns memory, and `std::unique_ptr`.',
  'guides/node.md': '# Node.js services\n\nShut down gracefully on SIGTERM.',
  'guides/go.md': '# Goroutine leaks\n\nEvery goroutine needs a way out.',
  'patterns/kubernetes-probes.md':
    '# Kubernetes probes\n\nReadiness and liveness of a pod, for rolling deployments.',
  'guides/money.md': '# Geld rechnen\n\nBeträge sind ganze Cents: Größe, Währung, Rundung.',
  'guides/db.md': '# データベースの接続\n\n接続プールの大きさを決める。',
} as const;

describe('a request finds the piece that answers it first', () => {
  test.each([
    ['cursor pagination', 'skill/cursor-paging'],
    ['paginate with cursors', 'skill/cursor-paging'],
    ['our list grows too long for one answer', 'skill/cursor-paging'],
    ['the page jumps while images load', 'skill/layout-shift'],
    ['CLS', 'skill/layout-shift'],
    ['cumulatve layuot shift', 'skill/layout-shift'],
    ['c++ ownership', 'guide/cpp'],
    ['cpp memory', 'guide/cpp'],
    ['nodejs shutdown', 'guide/node'],
    ['NodeJS graceful', 'guide/node'],
    ['k8s readiness', 'pattern/kubernetes-probes'],
    ['kubernets probs', 'pattern/kubernetes-probes'],
    ['golang goroutines leak', 'guide/go'],
    ['betrage und rundung', 'guide/money'],
    ['100% c++', 'guide/cpp'],
    ['データベース', 'guide/db'],
    ['guide/go', 'guide/go'],
    ['layout-shift', 'skill/layout-shift'],
  ])(`${cites('KNOWLEDGE-FOUND')} %s`, async (query, id) => {
    using knowledge = createKnowledge(PIECES);
    const { pieces } = await knowledge.service.search(asking(query));
    expect(pieces[0]?.id).toBe(id);
  });
});

test.each([
  'recipe for apple pie with cinnamon',
  'parental leave policy',
  'xqzvw plokij',
  'bluetooth pairing on android',
])(`${cites('KNOWLEDGE-NOTHING')} nothing fits: %s`, async (query) => {
  using knowledge = createKnowledge(PIECES);
  const { pieces, next } = await knowledge.service.search(asking(query));
  expect(pieces).toEqual([]);
  expect(next).toMatch(/^Nothing here fits/);
});

test(`${cites('KNOWLEDGE-NOTHING')} an empty collection says how to begin`, async () => {
  using knowledge = createKnowledge();
  const { next } = await knowledge.service.search(asking('anything'));
  expect(next).toMatch(/no knowledge yet/);
});

test('what is found does not depend on how it came into the index', async () => {
  using knowledge = createKnowledge(PIECES);
  const queries = ['the page jumps', 'paging', 'k8s readiness', 'c++'];
  const ask = () => Promise.all(queries.map((query) => knowledge.service.search(asking(query))));
  const atOnce = await ask();
  for (const [file, text] of Object.entries(PIECES)) {
    knowledge.write({ [`knowledge/${file}`]: `${text}\n\nMore.` });
    await ask();
    knowledge.write({ [`knowledge/${file}`]: text });
    await ask();
  }
  expect(await ask()).toEqual(atOnce);
});
