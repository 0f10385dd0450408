import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createRandom } from '@baton/testkit';
import fc from 'fast-check';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect, test } from 'vitest';
import { TokenCounter, tokenFile } from '../tokens-under-test.ts';
import { randomText, stretchOf } from './random-texts.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const counter = TokenCounter.load(tokenFile());
const MEGABYTE = 2 ** 20;

/** As plain text: by default it throws when it meets the name of a special token. */
const reference = (text: string) => countTokens(text, { disallowedSpecial: new Set() });

function repositoryFiles(ending: string): string[] {
  return readdirSync(root, { withFileTypes: true })
    .filter(({ name }) => !['node_modules', '.git'].includes(name))
    .flatMap((entry) =>
      entry.isDirectory()
        ? readdirSync(path.join(root, entry.name), { withFileTypes: true, recursive: true })
        : [entry],
    )
    .filter((entry) => entry.isFile() && entry.name.endsWith(ending))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes('node_modules'));
}

const documents = repositoryFiles('.md').map((file) => readFileSync(file, 'utf8'));
const sources = repositoryFiles('.ts').map((file) => readFileSync(file, 'utf8'));

test('random texts have as many tokens as in gpt-tokenizer', () => {
  fc.assert(
    fc.property(randomText, (text) => {
      expect(counter.count(text)).toBe(reference(text));
    }),
    { seed: 200_019, numRuns: 5000 },
  );
});

test.each([
  ['Markdown', documents],
  ['TypeScript', sources],
])('%s of the repository has as many, in whole and in stretches', (_, texts) => {
  expect(texts.length).toBeGreaterThan(20);
  for (const text of texts) expect(counter.count(text)).toBe(reference(text));
  fc.assert(
    fc.property(stretchOf(texts.join('')), (text) => {
      expect(counter.count(text)).toBe(reference(text));
    }),
    { seed: 200_019, numRuns: 1000 },
  );
});

test('every token has as many', () => {
  const file = path.join(root, 'node_modules/gpt-tokenizer/data/o200k_base.tiktoken');
  const lines = readFileSync(file, 'latin1').trimEnd().split('\n');
  const texts = lines.map((line) => Buffer.from(line.split(' ')[0] ?? '', 'base64').toString());
  expect(texts.length).toBe(199_998);
  expect(texts.filter((text) => counter.count(text) !== reference(text))).toEqual([]);
});

test.each([
  ['', 0],
  ['hello world', 2],
  ['<|endoftext|>', 7],
  // Elsewhere a byte order mark is one token.
  ['\ufeff# Title', 4],
  ['\ufeffusing', 3],
  ['\ufeff名', 1],
])('%j has %i', (text, tokens) => {
  expect(reference(text)).toBe(tokens);
  expect(counter.count(text)).toBe(tokens);
});

// If time grew with the square of the length, none of these would end.
test.each([...['a', ' ', '7', '\0', '中', '😀', '\u0301', '\ud800', '\ufeff']])(
  'a megabyte of %j',
  (part) => {
    const some = part.repeat(3 * 128); // Whole tokens: spaces come by 128, digits by three.
    const times = Math.round(MEGABYTE / Buffer.byteLength(some));
    expect(counter.count(some.repeat(times))).toBe(times * reference(some));
  },
);

test('a megabyte of letters without a space', () => {
  const random = createRandom(1);
  const some = Array.from({ length: 1024 }, () => random.pick([...'etaoinshrdlu'])).join('');
  // Where one meets the next, tokens may be others.
  const difference = counter.count(some.repeat(1024)) - 1024 * reference(some);
  expect(Math.abs(difference)).toBeLessThan(2 * 1024);
});
