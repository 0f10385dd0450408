import { cites } from '@baton/e2e/requirements';
import { expect, test } from 'vitest';
import { readPiece } from '../parts-under-test.ts';

async function read(text: string, file = 'notes/some-file.md') {
  const { piece, problems } = await readPiece(file, text);
  const told = problems.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);
  return { ...piece, problems: told };
}

test(`${cites('KNOWLEDGE-SOURCES')} a fragment of orchestr8`, async () => {
  const text = `---
id: typescript-core
category: agent
tags: [TypeScript, types, typescript]
capabilities:
  - Generics and inference
  - Migrations: from JavaScript, in steps
useWhen:
  - Types get in the way, or lie
estimatedTokens: 650
---

# TypeScript Core Expert

Knows types.
`;
  expect(await read(text, 'agents/_fragments/typescript-core.md')).toEqual({
    kind: 'agent',
    id: 'typescript-core',
    title: 'TypeScript Core Expert',
    description: 'Knows types.',
    tags: ['typescript', 'types'],
    capabilities: ['Generics and inference', 'Migrations: from JavaScript, in steps'],
    useWhen: ['Types get in the way, or lie'],
    arguments: [],
    headings: ['TypeScript Core Expert'],
    body: '# TypeScript Core Expert\n\nKnows types.\n',
    problems: [],
  });
});

test(`${cites('KNOWLEDGE-SOURCES')} a fragment without front matter says it in its sections`, async () => {
  const text = `# TypeScript Core Expert

**Role**

Knows types, and
\`generics\`.

## Core Capabilities

### Types
- **Generics**
1. Inference

## When to Use
* Types lie

## Examples
- none
`;
  expect(await read(text, 'skills/_fragments/typescript.md')).toMatchObject({
    kind: 'skill',
    id: 'typescript',
    description: 'Knows types, and generics.',
    capabilities: ['Generics', 'Inference'],
    useWhen: ['Types lie'],
    problems: [],
  });
});

test(`${cites('KNOWLEDGE-SOURCES')} a skill is called by its folder, or by its name`, async () => {
  const skill = { kind: 'skill', id: 'lock-contention', title: 'Lock contention' };
  expect(await read('Look at locks.', 'lock-contention/SKILL.md')).toMatchObject(skill);
  const named = '---\nname: lock-contention\ndescription: Use when locks wait.\n---\nLook.';
  expect(await read(named, 'x/SKILL.md')).toMatchObject({
    ...skill,
    description: 'Use when locks wait.',
    body: 'Look.',
  });
});

test(`${cites('KNOWLEDGE-SOURCES')} an agent of Claude, with a description that is no YAML`, async () => {
  const text = `---
name: code-reviewer
description: Use this agent when: code was written. Example: user: "Done" <commentary>review it</commentary>
tools: Read, Grep
model: sonnet
---
You review code.
`;
  const { problems, ...piece } = await read(text, 'code-reviewer.md');
  expect(piece).toMatchObject({
    kind: 'agent',
    id: 'code-reviewer',
    description: expect.stringMatching(/^Use this agent when: code was written\..*<\/commentary>$/),
    body: 'You review code.\n',
  });
  expect(problems).toEqual([expect.stringMatching(/^3 warning: /)]);
});

test(`${cites('KNOWLEDGE-SOURCES')} line breaks of Windows and a byte order mark change nothing`, async () => {
  const text = `---\ntags:\n  - a\nuseWhen: |\n  - One, or\n  - Two\n---\n\n# Title\n\nText.\n\n## When to use\n- x\n`;
  const plain = await read(text);
  expect(plain).toMatchObject({ title: 'Title', tags: ['a'], useWhen: ['One, or', 'Two'] });
  expect(await read(`\ufeff${text.replaceAll('\n', '\r\n')}`)).toEqual(plain);
  const listed = '# Title\r\n\r\n## Capabilities\r\n- a\r\n- b\r\n';
  expect((await read(listed)).capabilities).toEqual(['a', 'b']);
});

test.each([
  ['agents/a.md', '', 'agent'],
  ['Patterns/deep/er/a.md', '', 'pattern'],
  ['skills/x/examples/a.md', '', 'example'],
  ['.claude/commands/a.md', '', 'workflow'],
  ['prompts/a.md', '', 'workflow'],
  ['a.md', '', 'guide'],
  ['a.md', 'tools: Read', 'agent'],
  ['agents/a.md', 'kind: Skills', 'skill'],
  ['a.md', 'category: workflow', 'workflow'],
  ['a.md', 'type: pattern', 'pattern'],
  ['a.md', 'kind: 7\ncategory: pattern', 'pattern'],
])('%s with %j is of the kind %s', async (file, head, kind) => {
  expect(await read(`---\n${head}\n---\nText.`, file)).toMatchObject({ kind, problems: [] });
});

test(`${cites('KNOWLEDGE-CHECK')} what a file says wrong is told with its line, and the rest is read`, async () => {
  const text =
    '---\ntitle: Title\nkind: poem\nid: "../../etc/passwd"\narguments:\n  - 7\n  - [a, b]\n---\nText.';
  const { problems, ...piece } = await read(text, 'agents/a.md');
  expect(piece).toMatchObject({ kind: 'agent', id: 'a', title: 'Title', arguments: [] });
  expect(problems).toEqual([
    '3 warning: There is no kind "poem": it is one of agent, example, guide, pattern, skill, workflow.',
    '4 warning: The id "../../etc/passwd" is none: letters, digits, ".", "_", "-" and "/".',
    '5 warning: The argument 7 has no name of its own: letters, digits, "_" and "-".',
    '5 warning: The argument ["a","b"] has no name of its own: letters, digits, "_" and "-".',
  ]);
});

test.each([
  ['..', 'a'],
  ['a/../b', 'a'],
  ['./b', 'a'],
  ['b//c', 'a'],
  ['/b', 'a'],
  ['b\\c', 'a'],
  ['"b\\0"', 'a'],
  ['"%2e%2e%2fb"', 'a'],
  ['file:///b', 'a'],
  [`"${'b'.repeat(121)}"`, 'a'],
  ['"two words"', 'two-words'],
  ['b/c.d_e', 'b/c.d_e'],
  ['"cafe\u0301"', 'café'],
  ['नमस्ते', 'नमस्ते'],
  ['42', '42'],
  ['[b]', 'a'],
])(`${cites('T12')} the id %s becomes %s`, async (given, id) => {
  expect((await read(`---\nid: ${given}\n---\nText.`, 'a.md')).id).toBe(id);
});

test.each([
  ['agents/_fragments/x.md', 'x'],
  ['guides/deep/x.md', 'deep/x'],
  ['a b&c/x y.mdx', 'a-b-c/x-y'],
  ['🚀.md', '-'],
  [`${'😀'.repeat(10)}${'é'.repeat(300)}.md`, `-${'é'.repeat(119)}`],
  ['skill.md', 'skill'],
])('the file %s has the id %s', async (file, id) => {
  expect((await read('Text.', file)).id).toBe(id);
});

test.each([
  ['---\n', '---\n', ['1 warning: The front matter has no end: a line --- must follow it.']],
  ['---\ntitle: x\n', '---\ntitle: x\n', [expect.stringContaining('has no end')]],
  ['---\n---\nText.', 'Text.', []],
  ['---\n# only a comment\n---\nText.', 'Text.', [expect.stringContaining('is empty')]],
  ['---\njust text\n---\nText.', 'Text.', [expect.stringContaining('list of names')]],
  ['---\n- a\n- b\n---\nText.', 'Text.', [expect.stringContaining('list of names')]],
  [`---\na: ${'x'.repeat(20_000)}\n---\nText.`, 'Text.', [expect.stringContaining('16 KiB')]],
  ['---\ntitle: x\n---\n', '', ['1 warning: There is no text besides the front matter.']],
  ['', '', ['1 warning: There is no text besides the front matter.']],
])('the front matter of %j', async (text, body, problems) => {
  expect(await read(text)).toMatchObject({ body, problems, kind: 'guide', id: 'notes/some-file' });
});

test('values of any type are read as what they mean, or not at all', async () => {
  const text = `---
title: 2026-01-31
description: {a: 1}
tags: [1, true, null, [deep, [er]], {a: b}, {a: b, c: d}, "  "]
useWhen: One thing, and another
capabilities: 7
---
The first paragraph.
`;
  expect(await read(text)).toMatchObject({
    title: '2026-01-31',
    description: 'The first paragraph.',
    tags: ['1', 'true', 'deep', 'er', 'a: b'],
    useWhen: ['One thing, and another'],
    capabilities: ['7'],
    problems: [],
  });
});

test('what is no YAML is read line by line', async () => {
  const text = `---
description: Use when: "a" or: b
  and more of it
tags: [one, "two"]
useWhen:
  - First: with: colons
  - 'second'
title: 'Quoted: title'
---
Text.
`;
  const { problems, ...piece } = await read(text);
  expect(piece).toMatchObject({
    title: 'Quoted: title',
    description: 'Use when: "a" or: b and more of it',
    tags: ['one', 'two'],
    useWhen: ['First: with: colons', 'second'],
  });
  expect(problems.length).toBeGreaterThan(0);
});

test(`${cites('T28')} names of prototypes are names like any other`, async () => {
  const hostile = '__proto__:\n  polluted: yes\nconstructor:\n  prototype: {polluted: yes}\n';
  const texts = [
    `---\n${hostile}toString: x\ntitle: Title\n---\nText.`,
    `---\n${hostile}bad: yaml: here\ntitle: Title\n---\nText.`,
    '---\narguments: [__proto__, constructor, {__proto__: {name: x}}]\n---\n{{constructor}}',
  ];
  const [plain, loose, prompt] = await Promise.all(texts.map((text) => read(text)));
  expect([plain?.title, loose?.title]).toEqual(['Title', 'Title']);
  expect(prompt?.arguments.map(({ name }) => name)).toEqual(['constructor']);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test('long values are cut, and never within a character', async () => {
  const long = `${'a'.repeat(998)}😀😀`;
  const { description, useWhen, title } = await read(
    `---\ntitle: ${long}\ndescription: ${long}\nuseWhen: ["${long}"]\n---\nText.`,
  );
  for (const text of [description, useWhen[0], title]) expect(text).toBe(`${'a'.repeat(998)}…`);
});

// If time grew with the square of the length, none of these would end.
test.each([
  ['blanks in a value', `---\na: b: c${' '.repeat(900_000)}x\n---\nText.`],
  ['lines of a value', `---\na: b: c\n${'  more\n'.repeat(120_000)}---\nText.`],
  ['items of YAML', `---\nb:\n${'- x\n'.repeat(200_000)}---\nText.`],
  ['items', `---\na: b: c\nb:\n${'- x\n'.repeat(200_000)}---\nText.`],
  ['blank lines', `\n${' \n'.repeat(400_000)}x`],
  ['items of a list', `## When to use\n${'- x\n'.repeat(200_000)}`],
  ['digits', `## When to use\n${'1'.repeat(900_000)}`],
])(`${cites('T26', 'T46')} a megabyte of %s takes no time`, async (_, text) => {
  expect((await read(text)).kind).toBe('guide');
});
