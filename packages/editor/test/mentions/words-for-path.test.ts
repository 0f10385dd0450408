import { expect, test } from 'vitest';
import { findMentions, wordsForPackage, wordsForPath } from '../mentions-under-test.ts';

test.each<[string, readonly string[]]>([
  [
    'src/util/money.ts',
    [
      ...['src/util/money.ts', 'src/util/money.js', 'src/util/money'],
      ...['money.ts', 'money.js', '/money'],
    ],
  ],
  ['money.mts', ['money.mts', 'money.mjs', '/money']],
  [
    'ui/card.tsx',
    [
      'ui/card.tsx',
      'ui/card.js',
      'ui/card.jsx',
      'ui/card',
      'card.tsx',
      'card.js',
      'card.jsx',
      '/card',
    ],
  ],
  ['a/x.d.ts', ['a/x.d.ts', 'a/x.js', 'a/x', 'x.d.ts', 'x.js', '/x']],
  ['a/x.test.ts', ['a/x.test.ts', 'a/x.test.js', 'a/x.test', 'x.test.ts', 'x.test.js', '/x.test']],
  ['a/x.cjs', ['a/x.cjs', 'a/x', 'x.cjs', '/x']],
  [
    'src/util/index.ts',
    [
      ...['src/util/index.ts', 'src/util/index.js', 'src/util/index'],
      ...['util/index.ts', 'util/index.js', 'util/index'],
    ],
  ],
  ['index.ts', ['./index.ts', './index.js', './index']],
  ['docs/plans.md', ['docs/plans.md', 'plans.md']],
  ['docs/README.md', ['docs/README.md']],
  [
    'src/shop/totals.py',
    [
      ...['src/shop/totals.py', 'totals.py', 'src.shop.totals', 'src.shop.totals.'],
      ...['shop.totals', 'shop.totals.'],
    ],
  ],
  ['a/b/__init__.py', ['a/b/__init__.py', 'b/__init__.py', 'a.b', 'a.b.']],
  ['package.json', ['./package.json']],
  [
    'a/src/util',
    [
      ...['a/src/util', 'a/src/util/', 'src/util', 'src/util/'],
      ...['./util', './util/', '../util', '../util/'],
    ],
  ],
  ['docs/', ['docs/', './docs', './docs/', '../docs', '../docs/']],
  ['.github', ['.github/', '.github']],
])('%s', (path, words) => {
  expect(wordsForPath(path)).toEqual(words);
});

/** What an agent is told, or not, after a file or folder got another path. */
test.each<[path: string, file: string, text: string, isMention: boolean]>([
  ['src/money.ts', 'README.md', 'See src/money.ts.', true],
  ['src/money.ts', 'CLAUDE.md', '@src/money.ts', true],
  ['src/money.ts', 'README.md', '[it](./src/money.ts#L3)', true],
  ['src/money.ts', 'README.md', 'all about money', false],
  ['shop/totals.py', 'pyproject.toml', 'total = "shop.totals:main"', true],
  ['shop/totals.py', 'test.py', "patch('shop.totals.order')", true],
  ['shop/totals.py', 'test.py', "patch('workshop.totals.order')", false],
  ['src/money.ts', 'package.json', '"main": "./dist/money.js"', true],
  ['src/money.ts', 'src/a.test.ts', "vi.mock('./money.js')", true],
  ['src/money.ts', 'src/a.test.ts', "vi.mock('./money')", true],
  ['src/money.ts', 'other/a.test.ts', "vi.mock('./money.js')", false],
  ['src/money.ts', 'other/a.test.ts', "vi.mock('../src/money.js?raw')", true],
  ['src/money.ts', 'scripts/a.ts', "read('./src/money.ts')", true],
  ['src/money.ts', 'src/a.ts', "'./money.test.ts'", false],
  [
    'src/money.ts',
    'README.md',
    'src/money.test.ts, src/money/x.ts, my-money.ts, https://money',
    false,
  ],
  ['src/util', 'README.md', 'src/util/money.ts', true],
  ['src/util', 'README.md', 'in `src/util`', true],
  ['src/util', 'src/a.ts', "x('./util/money.ts')", true],
  ['src/util', 'other/a.ts', "x('./util/money.ts')", false],
  ['src/util', 'README.md', 'lib/util/money.ts', false],
  ['src/util/index.ts', 'README.md', 'index.ts', false],
  ['src/util/index.ts', 'README.md', 'util/index.ts', true],
  ['money.ts', 'a.ts', "x('./money')", true],
])('%s, in %s: %s → %s', (path, file, text, isMention) => {
  expect(findMentions(text, file, wordsForPath(path), []).length).toBe(isMention ? 1 : 0);
});

test('a package of Python is called by its dotted name', () => {
  expect(wordsForPackage('src/shop')).toEqual(['src.shop', 'src.shop.', 'shop.']);
  const called = (text: string) => findMentions(text, 'x.toml', wordsForPackage('src/shop'), []);
  expect(called('run = "shop.totals:main"')).toHaveLength(1);
  expect(called('run = "workshop.totals:main"')).toEqual([]);
});
