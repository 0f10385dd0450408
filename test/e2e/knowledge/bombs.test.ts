import { mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { type KnowledgeServer, knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';
const MIB = 1024 * 1024;
const MOST_RESIDENT = 300 * MIB;
/** What is longer is not read: a little less than that. */
const LONGEST_HEAD = 16_000;

/** The most memory that a process has had so far. */
function mostResident({ pid }: KnowledgeServer): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function repeated(text: string, bytes: number): string {
  return text.repeat(Math.floor(bytes / Buffer.byteLength(text)));
}

/** As many lines as there is room for. */
function numbered(bytes: number, line: (number: number) => string): string {
  const lines: string[] = [];
  for (let left = bytes, number = 0; ; number++) {
    const next = line(number);
    left -= next.length;
    if (left < 0) return lines.join('');
    lines.push(next);
  }
}

/** Ten times ten times ten … of a word. */
function aliases(levels: number): string {
  const level = (depth: number) => `l${depth}: &l${depth} [${Array(10).fill(`*l${depth - 1}`)}]`;
  const deeper = Array.from({ length: levels }, (_, depth) => level(depth + 1));
  return ['l0: &l0 word', ...deeper].join('\n');
}

/** Texts of a size, by what is unusual about them. */
function bodies(bytes: number): Record<string, string> {
  return {
    line: 'a'.repeat(bytes),
    words: repeated('page of words ', bytes),
    emoji: repeated('😀', bytes),
    'letters-and-marks': repeated('aB-c.d_', bytes),
    'heading-of-spaces': `# a${' '.repeat(bytes - 10)}x`,
    'heading-of-brackets': `# ${'['.repeat(bytes - 10)}`,
    'heading-of-links': `# ${repeated('[a](', bytes - 10)}`,
    headings: numbered(bytes, (number) => `# h${number}\n`),
    'line-breaks': `# x${'\n'.repeat(bytes - 10)}y`,
    'code-without-end': `\`\`\`\n${repeated('~~~\n', bytes - 10)}`,
    'dead-links': repeated('orchestr8://agents/nobody\n', bytes),
    'lines-of-use': `# x\n\n## When to use\n\n${repeated('- when it is slow\n', bytes - 100)}`,
    places: `---\nkind: workflow\n---\n${numbered(bytes - 30, (number) => `{{a${number}}} `)}`,
    'places-without-end': `---\nkind: workflow\n---\n${repeated('{{ ', bytes - 100)}`,
    'head-without-end': `---\n${repeated('a: v\n', bytes - 10)}`,
  };
}

/** Front matter of a size, by what is unusual about it. */
function heads(bytes: number): Record<string, string> {
  return {
    aliases: `${aliases(12)}\n${repeated('# comment\n', bytes - 1000)}`,
    'deep-value': `a: ${'['.repeat(bytes / 2 - 10)}${']'.repeat(bytes / 2 - 10)}`,
    'deep-block': numbered(bytes, (depth) => `${' '.repeat(depth)}a:\n`),
    'long-value': `description: ${repeated('word ', bytes - 20)}`,
    keys: numbered(bytes, (number) => `k${number}: v\n`),
    'same-key': repeated('a: v\n', bytes),
    tags: `tags:\n${numbered(bytes - 10, (number) => `- t${number}\n`)}`,
    'open-list-of-lines': `x: [\ntags:\n${numbered(bytes - 20, (number) => `- t${number}\n`)}`,
    'open-list-of-spaces': `x: [\ntitle: a${' '.repeat(bytes - 20)}b`,
    'open-list-of-words': `x: [\ntitle: a\n${numbered(bytes - 20, (number) => ` t${number}\n`)}`,
    quotes: `title: ${repeated(`"'`, bytes - 10)}`,
  };
}

async function expectUnharmed(server: KnowledgeServer): Promise<void> {
  expect(await server.found('walrus')).toEqual(['guide/pet']);
  expect(mostResident(server)).toBeLessThan(MOST_RESIDENT);
}

test(`${cites('T46')} files that are too large are refused by name, at little cost`, async () => {
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus'),
    [`${KNOWLEDGE}/sparse.md`]: '# Nothing\n',
    [`${KNOWLEDGE}/long.md`]: 'a'.repeat(MIB + 1),
    [`${KNOWLEDGE}/just.md`]: `# Badger\n${'\n'.repeat(MIB - 9)}`,
  });
  truncateSync(workspace.file(`${KNOWLEDGE}/sparse.md`), 1024 * MIB);
  const server = knowledgeServer(workspace);
  await expectUnharmed(server);
  expect(await server.found('badger')).toEqual(['guide/just']);
  expect(await workspace.baton('knowledge', 'check')).toMatchObject({
    status: 1,
    stdout: [
      '.baton/knowledge/long.md:1:1: error: This is larger than 1 MiB: split it.',
      '.baton/knowledge/sparse.md:1:1: error: This is larger than 1 MiB: split it.',
      '2 pieces, 2 errors, 0 warnings.',
      '',
    ].join('\n'),
  });
});

/** A workspace with these files besides a usual one, and a server that has looked at them. */
async function exposed(files: Readonly<Record<string, string>>) {
  const workspace = fileWorkspace({ [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus') });
  for (const [name, text] of Object.entries(files)) {
    workspace.write(`${KNOWLEDGE}/${name}.md`, text);
  }
  const server = knowledgeServer(workspace);
  await expectUnharmed(server);
  return { workspace, server, [Symbol.asyncDispose]: () => workspace[Symbol.asyncDispose]() };
}

test(`${cites('T46', 'T26')} files as large as they may be cost little, whatever they hold`, async () => {
  const files = bodies(MIB);
  await using world = await exposed(files);
  const { server, workspace } = world;
  await server.call('knowledge_search', { query: 'page of words', mode: 'full' });
  await server.request('prompts/list');
  await expectUnharmed(server);
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  expect(stdout).toMatch(new RegExp(`\\n${Object.keys(files).length + 1} pieces, 0 errors, `));
  expect(status).toBe(0);
});

for (const [what, bytes] of [
  ['as long as it may be', LONGEST_HEAD],
  ['far too long', MIB - 1000],
] as const) {
  test(`${cites('T46', 'T26')} front matter that is ${what} costs little, and the text counts`, async () => {
    const all = Object.entries(heads(bytes));
    const files = all.map(([name, head]) => [name, `---\n${head}\n---\n${pageAbout('ferret')}`]);
    await using world = await exposed(Object.fromEntries(files));
    const { server, workspace } = world;
    const found = await server.found('ferret', { maxResults: 50 });
    expect(found.toSorted()).toEqual(all.map(([name]) => `guide/${name}`).toSorted());
    expect(mostResident(server)).toBeLessThan(MOST_RESIDENT);
    const { status, stdout } = await workspace.baton('knowledge', 'check');
    const told = stdout.split('The front matter is longer than 16 KiB').length - 1;
    expect(told).toBe(bytes > LONGEST_HEAD ? all.length : 0);
    expect(stdout).toContain('.baton/knowledge/aliases.md:');
    expect(status).toBe(0);
  });
}

/** Many small files in a few folders. */
function fill(workspace: FileWorkspace, count: number): void {
  const folders = Array.from({ length: 100 }, (_, folder) =>
    workspace.file(`${KNOWLEDGE}/f${folder}`),
  );
  for (const folder of folders) mkdirSync(folder);
  for (let file = 0; file < count; file++) {
    const text = `# Note ${file}\n\nAbout word${file} and word${file % 977}.\n`;
    writeFileSync(`${folders[file % folders.length]}/n${file}.md`, text);
  }
}

test(`${cites('T46')} a great many files fit into little memory`, async () => {
  await using workspace = fileWorkspace({ [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus') });
  fill(workspace, 10_000);
  const server = knowledgeServer(workspace);
  await expectUnharmed(server);
  expect(await server.found('word9999')).toContain('guide/f99/n9999');
  workspace.write(`${KNOWLEDGE}/f7/late.md`, pageAbout('badger'));
  expect(await server.found('badger')).toEqual(['guide/f7/late']);
  expect(await server.read('baton://knowledge')).toContain('10002 pieces');
  expect(mostResident(server)).toBeLessThan(MOST_RESIDENT);
});
