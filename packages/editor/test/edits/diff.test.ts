import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, type ChangedFile, compactDiff } from '../edits-under-test.ts';
import { anyText, randomEdits } from './random-edits.ts';

const MUCH = 1_000_000;

/** Each `old` of a text becomes `fresh`, one edit each. */
function replacing(text: string, old: string, fresh: string): Omit<ChangedFile, 'file'> {
  const edits = text.split('\n').flatMap((content, line) =>
    [...content.matchAll(new RegExp(old, 'g'))].map(({ index }) => {
      const start = { line, character: index };
      return { range: { start, end: { line, character: index + old.length } }, newText: fresh };
    }),
  );
  return { before: text, edits };
}

function insertion(before: string, line: number, newText: string): Omit<ChangedFile, 'file'> {
  const start = { line, character: 0 };
  return { before, edits: [{ range: { start, end: start }, newText }] };
}

const diffOf = (...files: ChangedFile[]) => compactDiff(files, MUCH).text.split('\n');

describe('what is shown of a change', () => {
  test('lines with a change, and those beside each other together', () => {
    const text = 'let a;\nb();\na();\na(a);\n';
    expect(diffOf({ file: 'src/a.ts', ...replacing(text, 'a', 'z') })).toEqual([
      '--- src/a.ts',
      '+++ src/a.ts',
      ...['@@ -1 +1 @@', '-let a;', '+let z;'],
      ...['@@ -3,2 +3,2 @@', '-a();', '-a(a);', '+z();', '+z(z);'],
    ]);
  });

  test('lines that come and go, and where later ones are then', () => {
    const file = { file: 'a', ...insertion('one\ntwo\nthree\nfour', 1, 'new\n') };
    expect(diffOf(file).slice(2)).toEqual(['@@ -1,0 +2 @@', '+new']);
    const start = { line: 0, character: 0 };
    const removal = { range: { start, end: { line: 1, character: 0 } }, newText: '' };
    const place = { line: 3, character: 0 };
    const later = { range: { start: place, end: place }, newText: 'x' };
    const both = { ...file, edits: [removal, later] };
    expect(diffOf(both).slice(2)).toEqual([
      ...['@@ -1 +0,0 @@', '-one', '@@ -4 +3 @@', '-four', '+xfour'],
    ]);
  });

  test('moves', () => {
    const moved = { file: 'src/a.ts', to: 'src/b.ts' };
    expect(diffOf({ ...moved, before: 'a', edits: [] })).toEqual(['src/a.ts → src/b.ts']);
    expect(diffOf({ ...moved, ...replacing('a', 'a', 'b') }).slice(0, 2)).toEqual([
      ...['--- src/a.ts', '+++ src/b.ts'],
    ]);
  });

  test('the part of a long line around its change', () => {
    const text = `${'😀'.repeat(5_000)}old${'é😀'.repeat(5_000)}`;
    const [, , , removed, added] = diffOf({ file: 'a.js', ...replacing(text, 'old', 'new') });
    expect(removed).toMatch(/^-…(😀)+old(é😀)+é?…$/u);
    expect(added).toBe(removed?.replace('-', '+').replace('old', 'new'));
    expect(removed?.length).toBeLessThan(170);
  });

  test('nothing of what stays as it is', () => {
    expect(diffOf({ file: 'a', ...replacing('a', 'a', 'a') })).toEqual(['']);
    expect(compactDiff([], 0)).toEqual({ text: '', truncated: false });
  });
});

describe('what has no room', () => {
  const files = Array.from({ length: 14 }, (_, index) => ({
    file: `src/file-${index}.ts`,
    ...replacing('a\n\na\n\na', 'a', 'b'),
  }));

  test('is counted', () => {
    const { text, truncated } = compactDiff(files, 160);
    expect(truncated).toBe(true);
    expect(text.split('\n')).toEqual([
      ...['--- src/file-0.ts', '+++ src/file-0.ts', '@@ -1 +1 @@', '-a', '+b'],
      ...['@@ -3 +3 @@', '-a', '+b', '@@ -5 +5 @@', '-a', '+b'],
      '… 13 more files, 39 more changes',
    ]);
  });

  test('is one thing', () => {
    const { text } = compactDiff(files.slice(0, 1), 88);
    expect(text.split('\n').at(-1)).toBe('… 1 more change');
  });

  test('is moved only', () => {
    const moved = files.map(({ file }) => ({ file, to: `${file}x`, before: '', edits: [] }));
    const { text } = compactDiff(moved, 100);
    expect(text.split('\n').at(-1)).toBe('… 12 more files');
  });
});

/** Makes the changes of a diff with nothing left out, as `patch` does. */
function patched(before: string, diff: string): string {
  const lines = before.split(/\r\n|\r|\n/);
  const result: string[] = [];
  let taken = 0;
  for (const line of diff.split('\n').slice(2)) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$/.exec(line);
    if (hunk) {
      const from = Number(hunk[1]) - (hunk[2] === '0' ? 0 : 1);
      result.push(...lines.slice(taken, from));
      taken = from;
      const added = /\+(\d+)(,0)?/.exec(line);
      expect(Number(added?.[1])).toBe(result.length + (added?.[2] ? 0 : 1));
    } else if (line.startsWith('-')) {
      expect(lines[taken]).toBe(line.slice(1));
      taken += 1;
    } else result.push(line.slice(1));
  }
  return [...result, ...lines.slice(taken)].join('\n');
}

/** No half of a line break: beside another half, it would be a different one. */
const newText = anyText.map((text) => text.replaceAll('\r', ''));

test('a diff says what becomes of the lines', () => {
  fc.assert(
    fc.property(randomEdits(newText), ({ text, edits }) => {
      fc.pre(!/\r(?!\n)/.test(text));
      const after = applyEdits(text, edits).replaceAll('\r\n', '\n');
      // Half of a character is not shown as it is.
      fc.pre(!/\p{Surrogate}/u.test(after));
      const diff = compactDiff([{ file: 'a', before: text, edits }], MUCH).text;
      expect(diff === '' ? text.replaceAll('\r\n', '\n') : patched(text, diff)).toBe(after);
    }),
    { numRuns: 2_000 },
  );
});

test('a diff never has more characters than it may, nor half of one', () => {
  const file = fc
    .record({ changed: randomEdits(anyText), to: fc.option(fc.constant('b'), { nil: undefined }) })
    .map(({ changed, to }) => ({ file: 'a', to, before: changed.text, edits: changed.edits }));
  fc.assert(
    fc.property(fc.array(file, { maxLength: 5 }), fc.nat(200), (files, room) => {
      const whole = compactDiff(files, MUCH);
      const { text, truncated } = compactDiff(files, room);
      expect(whole.truncated).toBe(false);
      expect(text.length).toBeLessThanOrEqual(room);
      expect(truncated).toBe(whole.text.length > room);
      if (!truncated) expect(text).toBe(whole.text);
      expect(text).not.toMatch(/\p{Surrogate}/u);
    }),
    { numRuns: 2_000 },
  );
});
