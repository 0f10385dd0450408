import fc from 'fast-check';

/** What the pattern of o200k treats in a way of its own, and what is near to it. */
const telling = [
  ...["'s", "'S", "'ll", "'Ve", "'rE", "'x", "'", "'\u017f", '’s'],
  ...[
    'a',
    'bc',
    'A',
    'BC',
    'Ab',
    'aB',
    'é',
    'É',
    'ß',
    'ǅ',
    'ʰ',
    'ª',
    '中',
    '名',
    'ោ',
    'ب',
    'й',
    'Й',
  ],
  ...['\u0301', '\u20dd', '\u093f', '\u200d', '\ufe0f'],
  ...['0', '12', '345', '6789', '²', '½', 'Ⅷ', '٣', '𝟘'],
  ...[' ', '  ', '\t', '\n', '\r\n', '\r', '\n\n', '\v', '\u0085', '\u00a0', '\u180e', '\u2003'],
  ...['\u2028', '\u3000', '\ufeff', '\u200b'],
  ...['/', '//', '#', '-', '---', '```', '|', '*', '_', '$', '…', '—', '€', '\0', '\x1b', '\x7f'],
  ...['😀', '👨‍👩‍👧', '🇩🇪', '𠮷', '𝒳', '\ufffd', '\ud800', '\udc00', '\u{10ffff}', '\uffff'],
  ...['<|endoftext|>', '<|im_start|>', '<|fim_prefix|>', '<|'],
];

const words =
  "The quick brown fox GraphQL useEffect don’t isn't we'LL O'Neil naïve Straße Привет мир 你好世界 こんにちは 안녕하세요 مرحبا नमस्ते สวัสดี" +
  ' HTTPServer parse_url kebab-case --flag src/index.ts https://example.com/a?b=c#d 3.14159 2024-01-31 0xDEADBEEF v1.2.3-beta.4';

const markdown = [
  ...[
    '# ',
    '## ',
    '\n\n',
    '\n',
    '- ',
    '  - ',
    '1. ',
    '> ',
    '```ts\n',
    '\n```\n',
    '| ',
    ' | ',
    '**',
  ],
  ...['](', '[', ')', '`', '---\n', '<!-- ', ' -->', '    ', '\t', ': ', ', ', '. ', ' '],
];

const joined = (parts: fc.Arbitrary<string>, maxLength: number) =>
  fc.array(parts, { maxLength }).map((all) => all.join(''));

/** Any code units, with halves of surrogate pairs. */
const codeUnits = joined(
  fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)),
  60,
);

export const randomText = fc.oneof(
  codeUnits,
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.string({ unit: 'binary-ascii', maxLength: 200 }),
  joined(fc.constantFrom(...telling), 30),
  joined(fc.constantFrom(...words.split(' '), ...markdown, ...telling), 60),
  joined(fc.constantFrom(' ', ' ', '\t', '\n', '\r', '\u00a0', '\u3000', 'x', '#'), 40),
  joined(fc.constantFrom('0', '1', '23', '٣', '²', ' ', '.', ','), 40),
  fc
    .tuple(fc.constantFrom(...telling), fc.integer({ min: 1, max: 400 }))
    .map(([part, times]) => part.repeat(times)),
);

/** A stretch of a given text, so that it can begin and end anywhere. */
export function stretchOf(text: string): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(text.length), fc.nat(400))
    .map(([start, length]) => text.slice(start, start + length));
}
