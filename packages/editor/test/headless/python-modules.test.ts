import { expect, test } from 'vitest';
import { importPlaces, moduleRename } from '../headless-under-test.ts';

test.each([
  ['import totals', 1],
  ['import shop.totals as t, totals', 2],
  ['from .totals import total', 1],
  ['from shop import totals as t', 1],
  ['    from shop import (a,\n        totals,  # all\n        b)', 1],
  ['from shop import a, \\\n    totals', 1],
  ['from shop import a, \\\r\n    totals', 1],
  ['try: import totals', 1],
  ['x = 1; import totals', 1],
  ['# import totals', 0],
  ['x = 1  # note: import totals', 0],
  ['totals.total()', 0],
  ['from shop import (a)\nx = (totals)', 0],
  ['important = totals', 0],
  ['from shop import subtotals, totals_of', 0],
])('%j imports it %i times', (text, count) => {
  expect(importPlaces(text, 'totals')).toHaveLength(count);
});

test('a megabyte of brackets takes no time', () => {
  const started = performance.now();
  importPlaces('from a import (totals,\n'.repeat(2000), 'totals');
  expect(performance.now() - started).toBeLessThan(5000);
});

const FILES = ['a/totals.py', 'a/twin.py', 'a/twin.pyi', 'a/__init__.py', 'space/x.py', 'a/one.py'];

test.each([
  ['a/totals.py', 'a/sums.py', { name: 'totals', newName: 'sums', file: 'a/totals.py' }],
  ['a', 'b', { name: 'a', newName: 'b', file: 'a/__init__.py' }],
  ['a/totals.py', 'b/totals.py', undefined],
  ['a/totals.py', 'a/sums.txt', undefined],
  ['a/totals.py', 'a/class.py', undefined],
  ['a/totals.py', 'a/2.py', undefined],
  ['a/twin.py', 'a/other.py', undefined],
  ['a/__init__.py', 'a/init.py', undefined],
  ['space', 'room', undefined],
  ['space/x.py', 'space/json.py', undefined],
  ['a', 'random', undefined],
  ['a/one.py', 'a/json.py', { name: 'one', newName: 'json', file: 'a/one.py' }],
])('%s → %s', (from, to, rename) => {
  expect(moduleRename({ from, to }, (file) => FILES.includes(file))).toEqual(rename);
});
