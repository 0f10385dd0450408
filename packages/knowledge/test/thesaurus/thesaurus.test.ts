import path from 'node:path';
import { expect, test } from 'vitest';
import {
  buildSegment,
  compileThesaurus,
  decodeSegment,
  Thesaurus,
  type WordSets,
} from '../search-under-test.ts';

const { concepts, wordSets } = compileThesaurus(
  path.resolve(import.meta.dirname, '../../thesaurus'),
);
const segment = decodeSegment(concepts);
if (!segment) throw new Error('The concepts cannot be read again');
const sets = JSON.parse(wordSets) as WordSets;
const thesaurus = new Thesaurus(segment, sets);

test('no concept is there twice, and each can be asked for', () => {
  const { keys } = segment;
  expect(keys.length).toBeGreaterThan(1000);
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  const { lineStarts } = segment.arrays;
  const silent = keys.filter((_, number) => lineStarts[number] === lineStarts[number + 1]);
  expect(silent).toEqual([]);
});

test('what stands for a word is known from either side', () => {
  expect(thesaurus.equivalentsAt(['k8s'], 0)).toContainEqual(['kubernetes']);
  expect(thesaurus.equivalentsAt(['kubernetes'], 0)).toContainEqual(['k8s']);
  for (const set of [...sets.equivalents, ...sets.everyday]) {
    expect(set.length).toBeGreaterThan(1);
    expect(new Set(set).size).toBe(set.length);
  }
});

test('its version is that of its concepts', () => {
  const another = new Thesaurus(buildSegment([]), sets);
  expect(new Thesaurus(segment, { equivalents: [], everyday: [] }).version).toBe(thesaurus.version);
  expect(another.version).not.toBe(thesaurus.version);
});
