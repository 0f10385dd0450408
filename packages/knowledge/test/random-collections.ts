import fc from 'fast-check';
import type { Files } from './knowledge-under-test.ts';

const SUBJECTS = [
  ...[
    'cursor pagination',
    'lock contention',
    'token rotation',
    'cache invalidation',
    'rate limits',
  ],
  ...['database migration', 'feature flags', 'image loading', 'retry backoff', 'memory leak'],
];

const WORDS =
  `the a request server client index query response page slow fast error timeout transaction column row
  table schema worker queue message event handler render component state hook effect async await promise buffer stream
  useEffect parse_url kebab-case HTTPServer node.js c++ O'Neil naïve Straße 3.14159 2026-01-31 v1.2.3-beta.4 “quoted” "plain"
  don't https://example.com/a?b=c#d path\\to\\file 100% {{name}} $& ${'`'}code${'`'} **bold** <b> <|endoftext|>`.split(
    /\s+/,
  );

const OTHER = [
  ...[
    '分页查询需要稳定的游标',
    'データベースの移行',
    '잠금 경합을 찾는 방법',
    'Привет мир',
    'مرحبا بالعالم',
  ],
  ...['😀😀', '👩‍👩‍👧', '🇩🇪', 'e\u0301', '\u200b', '\t', 'ﬁ', '½'],
];

const subject = fc.constantFrom(...SUBJECTS);
const word = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 3, arbitrary: subject },
  { weight: 1, arbitrary: fc.constantFrom(...OTHER) },
);
const joined = (parts: fc.Arbitrary<string>, by: string, min: number, max: number) =>
  fc.array(parts, { minLength: min, maxLength: max }).map((all) => all.join(by));

const sentence = joined(word, ' ', 3, 25);
const paragraph = joined(sentence, '. ', 1, 6);
const items = joined(
  sentence.map((one) => `- ${one}`),
  '\n',
  1,
  12,
);
const code = fc
  .tuple(fc.constantFrom('```ts', '~~~', '```'), joined(sentence, '\n  ', 1, 12))
  .map(([mark, lines]) => `${mark}\n${lines}\n\n# no heading\n${mark.slice(0, 3)}`);
const table = joined(
  sentence.map((one) => `| ${one} | x |`),
  '\n',
  1,
  6,
);
/** One line that no budget has room for. */
const longLine = fc.oneof(
  fc
    .tuple(word, fc.integer({ min: 200, max: 4000 }))
    .map(([one, times]) => `${one} `.repeat(times)),
  fc
    .tuple(
      fc.constantFrom('x', '分页', '😀', 'QmF0b24', '\\"'),
      fc.integer({ min: 200, max: 6000 }),
    )
    .map(([one, times]) => one.repeat(times)),
);
const block = fc.oneof(
  { weight: 6, arbitrary: paragraph },
  { weight: 3, arbitrary: items },
  { weight: 2, arbitrary: code },
  { weight: 1, arbitrary: table },
  { weight: 1, arbitrary: longLine },
  { weight: 1, arbitrary: fc.constant('```\nleft open') },
);
const section = fc
  .tuple(fc.constantFrom('##', '###', '#'), sentence, joined(block, '\n\n', 0, 5))
  .map(([mark, heading, text]) => `${mark} ${heading}\n\n${text}`);

const piece = fc
  .record({
    about: subject,
    hasHead: fc.boolean(),
    title: sentence,
    useWhen: fc.array(sentence, { maxLength: 3 }),
    sections: joined(section, '\n\n', 0, 10),
    breaks: fc.constantFrom('\n', '\n', '\r\n'),
  })
  .map(({ about, hasHead, title, useWhen, sections, breaks }) => {
    const head = ['---', `title: ${JSON.stringify(`${about} ${title}`)}`, 'useWhen:'];
    const lines = useWhen.map((one) => `  - ${JSON.stringify(one)}`);
    const text = `# About ${about}\n\n${about} is explained here.\n\n${sections}\n`;
    const whole = hasHead ? `${[...head, ...lines, '---'].join('\n')}\n${text}` : text;
    return whole.replaceAll('\n', breaks);
  });

/** Markdown files as people and programs write them, and worse. */
export const collection: fc.Arbitrary<Files> = fc
  .array(piece, { minLength: 1, maxLength: 14 })
  .map((pieces) =>
    Object.fromEntries(pieces.map((text, number) => [`guides/piece-${number}.md`, text])),
  );

export const query: fc.Arbitrary<string> = fc
  .tuple(subject, joined(word, ' ', 0, 6))
  .map((parts) => parts.join(' '));
