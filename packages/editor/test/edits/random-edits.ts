import fc from 'fast-check';
import type { Position, TextEdit } from '../edits-under-test.ts';

const piece = fc.constantFrom(
  ...[
    'a',
    'bc',
    ' ',
    '\n',
    '\r\n',
    '\r',
    '\n\n',
    '\r\r\n',
    '😀',
    '👩‍💻',
    '\u2028',
    '\u2029',
    'é',
    '',
  ],
);

export const anyText = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

/** As slow and plain as can be. */
export function naivePosition(text: string, offset: number): Position {
  const isInBreak = text.slice(0, offset).endsWith('\r') && text[offset] === '\n';
  const before = text.slice(0, isInBreak ? offset - 1 : offset).split(/\r\n|\r|\n/);
  return { line: before.length - 1, character: before.at(-1)?.length ?? 0 };
}

export function naiveOffset(text: string, { line, character }: Position): number {
  const parts = text.split(/(\r\n|\r|\n)/);
  const before = parts.slice(0, line * 2).join('').length;
  return before + Math.min(character, parts[line * 2]?.length ?? 0);
}

export interface RandomEdits {
  readonly text: string;
  /** In the order of their places. */
  readonly edits: readonly TextEdit[];
}

/** Edits that do not overlap; some are at one place, some name characters beyond their line. */
export const randomEdits = (newText: fc.Arbitrary<string>): fc.Arbitrary<RandomEdits> =>
  anyText.chain((text) =>
    fc
      .array(fc.tuple(fc.nat(text.length), newText, fc.boolean()), { maxLength: 12 })
      .map((picked) => {
        const offsets = picked.map(([offset]) => offset).sort((a, b) => a - b);
        const edits: TextEdit[] = [];
        for (let index = 0; index + 1 < offsets.length; index += 2) {
          const [, fresh, isBeyond] = picked[index] as [number, string, boolean];
          const start = naivePosition(text, offsets[index] as number);
          const end = naivePosition(text, offsets[index + 1] as number);
          const isLineEnd =
            naiveOffset(text, end) ===
            naiveOffset(text, { line: end.line, character: Number.POSITIVE_INFINITY });
          const character = isBeyond && isLineEnd ? end.character + 7 : end.character;
          edits.push({ range: { start, end: { line: end.line, character } }, newText: fresh });
        }
        return { text, edits };
      }),
  );
