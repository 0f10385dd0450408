import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findMentions } from '../mentions-under-test.ts';

/** Each mention of `total` as `line where`. */
const inCode = (text: string, file = 'a.tsx') =>
  findMentions(text, file, ['total'], []).map(({ line, where }) => `${line} ${where}`);

test('in a text, it finds what a pattern finds', () => {
  const piece = fc.constantFrom(
    ...['ab', 'a', '$', '${', '_', '-', '.', '/', ' ', '\n', '\r\n', '😀', '𝒳', 'é', '.ts', 'b/'],
  );
  const around = new Map([
    ['ab', ['(?<![\\p{ID_Continue}$])ab', '(?!\\p{ID_Continue}|\\$(?!\\{))']],
    [
      'ab.ts',
      ['(?<![\\p{ID_Continue}$.-])ab\\.ts', '(?!\\.?(?:[\\p{ID_Continue}-]|\\$(?!\\{))|/)'],
    ],
    ['/ab', ['(?<!/)/ab', '(?!\\.?(?:[\\p{ID_Continue}-]|\\$(?!\\{))|/)']],
    ['ab/', ['(?<![\\p{ID_Continue}$.-])ab/', '']],
  ]);
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom(...around.keys()),
      (pieces, word) => {
        const text = pieces.join('');
        const pattern = new RegExp((around.get(word) ?? []).join(''), 'u');
        const expected = text
          .split(/\r\n|\n/)
          .flatMap((line, index) => (pattern.test(line) ? [index + 1] : []));
        expect(findMentions(text, 'a.md', [word], []).map(({ line }) => line)).toEqual(expected);
      },
    ),
    { numRuns: 5_000 },
  );
});

interface Piece {
  readonly text: string;
  readonly where: string | undefined;
}

/** Code of which it is known what it is, each with one mention. */
const { code, template } = fc.letrec<{ code: readonly Piece[]; template: readonly Piece[] }>(
  (tie) => ({
    code: fc
      .array(
        fc.oneof(
          { depthSize: 'small' },
          fc.constantFrom(
            ...[
              'total;',
              'f(total) / 2;',
              '{ total }',
              'x = /[/"]total`\'/g;',
              'a = b / c / total;',
            ].map((text): Piece[] => [{ text, where: undefined }]),
            ...['// total `', "/* 'total */", '/** total ${ */', '// total /*'].map(
              (text): Piece[] => [{ text, where: 'comment' }],
            ),
            ...["f('// total');", '"`total";', "'\\'total';", "return '/* total';"].map(
              (text): Piece[] => [{ text, where: 'string' }],
            ),
          ),
          tie('template') as fc.Arbitrary<Piece[]>,
        ),
        { maxLength: 6 },
      )
      .map((pieces) => pieces.flat()),
    template: tie('code').map((inner) => [
      { text: "`' total // ${", where: 'string' },
      ...(inner as Piece[]),
      { text: '} /* total`;', where: 'string' },
    ]),
  }),
);

test('in code, it knows what each piece is', () => {
  fc.assert(
    fc.property(
      fc.oneof(code, template),
      fc.constantFrom('\n', '\r\n', '\r'),
      (pieces, lineBreak) => {
        const text = pieces.map((piece) => piece.text).join(lineBreak);
        const expected = pieces.flatMap(({ where }, index) =>
          where === undefined ? [] : [`${index + 1} ${where}`],
        );
        expect(inCode(text, 'a.ts')).toEqual(expected);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('whatever the code is, a mention is in its line', () => {
  const piece = fc.constantFrom(
    ...[
      'total',
      "'",
      '"',
      '`',
      '${',
      '}',
      '{',
      '/',
      '*',
      '//',
      '/*',
      '*/',
      '\\',
      '\n',
      '\r',
      '[',
      ']',
    ],
    ...[' ', '<', '>', '#!', '=', '(', ')', '😀', '\ud83d', '\u2028', '+', '!', './'],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const text = pieces.join('');
      const lines = text.split(/\r\n|\r|\n/);
      for (const mention of findMentions(text, 'a.tsx', ['total', './total'], [])) {
        expect(lines[mention.line - 1]).toContain('total');
        expect(mention.text).toContain('total');
        expect(mention.text).not.toMatch(/\p{Surrogate}/u);
      }
    }),
    { numRuns: 5_000 },
  );
});
