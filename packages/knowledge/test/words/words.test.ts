import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { acronymsOf, analyse, splitWords, stem } from '../search-under-test.ts';

const textsOf = (text: string) => splitWords(text).map((word) => word.text);
/** All that a word can be found by. */
const stemsOf = (text: string) => {
  const { stems, others } = analyse(text);
  return [...stems, ...others];
};

describe('a text is cut into words', () => {
  test.each([
    ['Use C++ and C#, F# or .NET', ['use', 'c++', 'and', 'c#', 'f#', 'or', '.net']],
    ['N+1 queries', ['n+1', 'queries']],
    ['state-of-the-art', ['state', 'of', 'the', 'art']],
    ["don't panic, it’s Rust's", ["don't", 'panic', "it's", 'rust']],
    ['std::vector', ['std', 'vector']],
    ['src/order.ts', ['src', 'order', 'ts']],
    ['snake_case', ['snake', 'case']],
    ['ﬁne', ['fine']],
    ['Café naïve Größe', ['cafe', 'naive', 'große']],
    ['🚀 to the moon 👩‍💻', ['to', 'the', 'moon']],
    ['', []],
    ['%&/()="', []],
  ])('%j', (text, words) => {
    expect(textsOf(text)).toEqual(words);
  });

  test('names are found by all of their forms', () => {
    expect(stemsOf('node.js')).toEqual(expect.arrayContaining(['node', 'js', 'nodejs']));
    expect(stemsOf('useEffect')).toEqual(expect.arrayContaining(['useeffect', 'effect'].map(stem)));
    expect(stemsOf('XMLHttpRequest')).toEqual(
      expect.arrayContaining(['xml', 'http', 'request'].map(stem)),
    );
    expect(stemsOf('python3')).toContain('python');
    expect(stemsOf('JavaScript')).not.toContain('java');
    expect(stemsOf('e-mail')).toContain('email');
  });

  test('what has no blanks between its words is found by any part of it', () => {
    const pieces = new Set(stemsOf('データベースの接続'));
    expect(stemsOf('データベース').every((one) => pieces.has(one))).toBe(true);
    expect(stemsOf('料理').some((one) => pieces.has(one))).toBe(false);
  });

  test('words that say nothing are no stems', () => {
    expect(analyse('what is the way to do it').stems).toEqual([]);
  });
});

test('any text is cut within its length, and always the same', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 400 }), (text) => {
      const words = textsOf(text);
      expect(words.every((word) => word.length > 0 && word.length <= 48)).toBe(true);
      expect(textsOf(text)).toEqual(words);
    }),
  );
});

describe('words of one family have one stem', () => {
  test.each([
    ['connect', 'connecting', 'connected', 'connection', 'connections'],
    ['cache', 'caches', 'caching', 'cached'],
    ['query', 'queries', 'querying'],
    ['retry', 'retries', 'retried'],
    ['stop', 'stops', 'stopped', 'stopping'],
    ['deploy', 'deploys', 'deploying', 'deployment'],
    ['die', 'dying'],
  ])('%s', (...family) => {
    expect(new Set(family.map(stem)).size).toBe(1);
  });

  test.each([
    ['redis', 'redis'],
    ['kubernetes', 'kubernetes'],
    ['css', 'css'],
    ['k8s', 'k8s'],
    ['c++', 'c++'],
    // From the vocabulary that the Snowball project publishes for this stemmer.
    ['consistency', 'consist'],
    ['generously', 'generous'],
    ['knackered', 'knacker'],
    ['happily', 'happili'],
    ['relational', 'relat'],
  ])('%s becomes %s', (word, expected) => {
    expect(stem(word)).toBe(expected);
  });
});

test('names of three words and more have an acronym', () => {
  expect(acronymsOf(['Core Web Vitals', 'Cursor paging', 'Law of Demeter for functions'])).toEqual([
    'cwv',
    'ldf',
  ]);
});
