import { cites } from '@baton/e2e/requirements';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  approvalQuestion,
  type CommandSource,
  describeCommands,
  notTrusted,
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
  expect(describeCommands(release.commands)).toBe(
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
    expect(describeCommands([{ title: 'x', command }])).toBe(`1. x\n   $ ${shown}`);
  }
  expect(describeCommands([{ title: 'äöü 漢字 🦄', command: '\techo ok' }])).toBe(
    '1. äöü 漢字 🦄\n   $ \techo ok',
  );
});

test(`${cites('TRUST', 'T6')} no text can look like another command, or like less than it is`, () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('a\n2. b\n   $ c', 'a\n   with {}', '\n\n\n', '    \r\n1. x'),
  );
  const command = fc.record(
    { title: text, command: text, detail: fc.dictionary(text, text) },
    { requiredKeys: ['title', 'command'] },
  );
  fc.assert(
    fc.property(fc.array(command), (commands: TrustedCommand[]) => {
      const lines = commands.length === 0 ? [] : describeCommands(commands).split('\n');
      const starting = (start: RegExp) => lines.filter((line) => start.test(line)).length;
      const rows = commands.reduce((sum, each) => sum + each.command.split('\n').length, 0);
      const details = commands.filter(({ detail }) => detail !== undefined).length;
      expect(starting(/^\d+\. /)).toBe(commands.length);
      expect(starting(/^ {3}\$ /)).toBe(commands.length);
      expect(starting(/^ {3}[$>] /)).toBe(rows);
      expect(starting(/^ {3}with /)).toBe(details);
      expect(lines).toHaveLength(commands.length + rows + details);
      expect(lines.join('')).not.toMatch(/(?![\t ])[\p{C}\p{Z}]/u);
    }),
  );
});

test(`${cites('TRUST')} the question says whether they are new, and where they stand`, () => {
  const fresh = approvalQuestion(release, 'new', 'abc');
  expect(fresh?.key).toBe('trust abc');
  expect(fresh?.message).toContain('Nobody has approved them yet.');
  expect(approvalQuestion(release, 'changed', 'abc')?.message).toContain('have CHANGED since');
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

test(`${cites('TRUST', 'T6')} what is too long to be read is not asked`, () => {
  const room = 4000 - (approvalQuestion(withCommand(''), 'new', 'abc')?.message.length ?? 0);
  const fits = approvalQuestion(withCommand('x'.repeat(room)), 'new', 'abc');
  expect(fits?.message).toHaveLength(4000);
  expect(fits?.message).toContain('x'.repeat(room));
  expect(approvalQuestion(withCommand('x'.repeat(room + 1)), 'new', 'abc')).toBeUndefined();
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
