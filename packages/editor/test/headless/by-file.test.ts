import { expect, test } from 'vitest';
import { byFile } from '../headless-under-test.ts';

const edit = (from: number, to: number, newText: string) => ({
  range: { start: { line: 0, character: from }, end: { line: 0, character: to } },
  newText,
});
const edited = (file: string, ...edits: ReturnType<typeof edit>[]) => ({
  file,
  contents: Buffer.from('import "./a";'),
  edits,
});

test('a file that is known by two paths is edited once, where both say the same', () => {
  expect(
    byFile([
      edited('a.ts', edit(8, 11, './b')),
      edited('b.ts', edit(8, 11, './b')),
      edited('a.ts', edit(8, 11, './b'), edit(0, 0, '// ')),
    ]),
  ).toEqual([
    edited('a.ts', edit(8, 11, './b'), edit(0, 0, '// ')),
    edited('b.ts', edit(8, 11, './b')),
  ]);
});

test('what is said twice in one breath counts once', () => {
  const twice = edited('a.ts', edit(8, 11, './b'), edit(8, 11, './b'));
  expect(byFile([twice])).toEqual([edited('a.ts', edit(8, 11, './b'))]);
});

test('where they differ it has changed in between', () => {
  const both = [edited('a.ts', edit(8, 11, './b')), edited('a.ts', edit(8, 11, './c'))];
  expect(() => byFile(both)).toThrow(expect.objectContaining({ code: 'files_changed' }));
});
