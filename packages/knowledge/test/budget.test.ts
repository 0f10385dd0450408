import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asking, createKnowledge } from './knowledge-under-test.ts';
import { renderMarkdown } from './parts-under-test.ts';
import { collection, query } from './random-collections.ts';
import { referenceCount } from './reference-count.ts';

const SEED = 80_000;
const MOST = 50;
/** With less than this left, another piece would only be begun. */
const CRUMBS = 80;

const budget = fc.oneof(
  fc.integer({ min: 100, max: 500 }),
  fc.integer({ min: 100, max: 3000 }),
  fc.integer({ min: 100, max: 8000 }),
);
const requests = fc.array(
  fc.record({ words: query, maxTokens: budget, mode: fc.constantFrom('index', 'catalog', 'full') }),
  { minLength: 1, maxLength: 6 },
);

test(`${cites('KNOWLEDGE-BUDGET')} an answer costs what it says, never more than it may, and uses that well`, async () => {
  let wellUsed = 0;
  await fc.assert(
    fc.asyncProperty(collection, requests, async (files, asked) => {
      using knowledge = createKnowledge(files);
      for (const { words, ...limits } of asked) {
        const request = asking(words, { maxResults: MOST, ...limits });
        const answer = await knowledge.service.search(request);
        const costs = [JSON.stringify(answer), renderMarkdown(answer)].map(referenceCount);
        expect(Math.max(...costs)).toBe(answer.tokens);
        expect(answer.tokens).toBeLessThanOrEqual(limits.maxTokens);
        if (limits.mode !== 'full') continue;
        const all = await knowledge.service.search({
          ...request,
          mode: 'index',
          maxTokens: 100_000,
        });
        const matching = all.pieces.reduce((sum, { tokens }) => sum + tokens, 0);
        if (matching < 2 * limits.maxTokens) continue;
        wellUsed += 1;
        const enough = Math.min(0.8 * limits.maxTokens, limits.maxTokens - CRUMBS);
        expect(answer.tokens).toBeGreaterThanOrEqual(enough);
      }
    }),
    { seed: SEED, numRuns: 25 },
  );
  expect(wellUsed).toBeGreaterThan(12);
});

test(`${cites('KNOWLEDGE-BUDGET')} so does the Markdown of a resource`, async () => {
  await fc.assert(
    fc.asyncProperty(collection, requests, async (files, asked) => {
      using knowledge = createKnowledge(files);
      for (const { words, maxTokens, mode } of asked) {
        const given = { query: words, mode, maxTokens: String(maxTokens) };
        const parameters = new Map(Object.entries(given));
        const text = await knowledge.service.read({ type: 'match', parameters });
        expect(referenceCount(text ?? '')).toBeLessThanOrEqual(maxTokens);
      }
    }),
    { seed: SEED, numRuns: 12 },
  );
});
