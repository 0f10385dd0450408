import { expect, test } from 'vitest';
import { leadsOutOf } from '../src/index.ts';

test.each([
  ['/a/b', '/a/b', false],
  ['/a/b', '/a/b/c', false],
  ['/a/b', '/a/b/..c', false],
  ['/a/b', '/a/bc', true],
  ['/a/b', '/a', true],
  ['/a/b', '/c', true],
  ['/', '/a', false],
])('of %s leads %s out: %s', (folder, file, isOut) => {
  expect(leadsOutOf(folder, file)).toBe(isOut);
});
