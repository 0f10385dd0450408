import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { LineReader } from '../src/transports/line-reader.ts';

function reader(limit = 1e9) {
  const seen: string[] = [];
  const lines = new LineReader(limit, {
    line: (text) => seen.push(text),
    oversize: () => seen.push('OVERSIZE'),
    undecodable: () => seen.push('UNDECODABLE'),
  });
  return { lines, seen };
}

afterEach(() => vi.restoreAllMocks());

test('lines come out as they went in, however the bytes are cut', () => {
  const line = fc
    .string({ unit: 'grapheme', minLength: 1 })
    .filter((text) => !/[\n\r]|^[\s\ufeff]*$/.test(text) && !text.startsWith('\ufeff'));
  fc.assert(
    fc.property(fc.array(line), fc.array(fc.nat(20), { minLength: 1 }), (texts, cuts) => {
      const { lines, seen } = reader();
      const bytes = Buffer.from(texts.join('\n'));
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = (cuts[turn % cuts.length] ?? 0) + 1;
        lines.push(bytes.subarray(at, at + size));
        at += size;
      }
      lines.end();
      expect(seen).toEqual(texts);
    }),
  );
});

test(`${cites('STDIO-LONG-LINEAR')} the bytes of a long line are joined once`, () => {
  const concat = vi.spyOn(Buffer, 'concat');
  const { lines, seen } = reader();
  const chunk = Buffer.alloc(64 * 1024, 'x');
  for (let sent = 0; sent < 800; sent++) lines.push(chunk);
  lines.push(Buffer.from('\n'));
  expect(seen[0]).toHaveLength(800 * chunk.length);
  expect(concat).toHaveBeenCalledTimes(1);
});

test('a line over the limit is told once, at its end, and nothing of it is kept', () => {
  const { lines, seen } = reader(10);
  for (let sent = 0; sent < 100; sent++) lines.push(Buffer.alloc(5, 'x'));
  expect(seen).toEqual([]);
  lines.push(Buffer.from('\nshort\n'));
  expect(seen).toEqual(['OVERSIZE', 'short']);
  lines.push(Buffer.from('too long for the limit'));
  lines.end();
  expect(seen.at(-1)).toBe('OVERSIZE');
});

test('a byte order mark counts only at the very start', () => {
  const { lines, seen } = reader();
  lines.push(Buffer.from('\ufeffone\n\ufefftwo\n'));
  expect(seen).toEqual(['one', '\ufefftwo']);
});
