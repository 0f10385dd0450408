import { afterEach, beforeEach, expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from './file-workspace.ts';
import { pageAbout } from './knowledge/knowledge-server.ts';
import { program } from './programs.ts';
import { cites } from './requirements.ts';
import { Terminal } from './terminal.ts';

const KNOWLEDGE = '.baton/knowledge';
const LOCKS = `---
tags: [postgresql, locks]
useWhen:
  - queries hang while a migration runs
---
# Lock contention

Find who waits for whom in pg_locks.
`;

/** What acts on a terminal, or hides what stands beside it. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/;

let workspace: FileWorkspace;
beforeEach(() => {
  workspace = fileWorkspace({
    [`${KNOWLEDGE}/skills/lock-contention.md`]: LOCKS,
    [`${KNOWLEDGE}/pets/walrus.md`]: pageAbout('walrus'),
    '.baton/prompts/release.md': 'Release {{version}}.\n',
  });
});
afterEach(() => workspace[Symbol.asyncDispose]());
const baton = (...args: readonly string[]) => workspace.baton('knowledge', ...args);
const json = async (...args: readonly string[]) =>
  JSON.parse((await baton(...args, '--json')).stdout);

function terminal(...args: readonly string[]): Terminal {
  return new Terminal([process.execPath, program, 'knowledge', ...args], {
    cwd: workspace.path,
    env: workspace.env,
  });
}

test(`${cites('CLI-KNOWLEDGE')} pieces are searched for in words, as agents do it`, async () => {
  const catalog = await baton('search', 'queries', 'hang');
  expect(catalog).toMatchObject({ status: 0, stderr: '' });
  expect(catalog.stdout).toMatch(
    /^ *\d+ {2}skill\/lock-contention {2}Lock contention {2}\d+ tokens\n {5}\S.*; \.baton\/knowledge\/skills\/lock-contention\.md\n\d+ tokens as an agent gets it\n$/,
  );
  const full = await baton('search', 'queries hang', '--mode', 'full', '--max-tokens', '400');
  expect(full.stdout).toMatch(
    /^skill\/lock-contention {2}\.baton\/.*\n\n# Lock contention\n\nFind who/,
  );
  expect(await json('search', 'queries', 'hang', '--mode', 'index')).toMatchObject({
    pieces: [{ id: 'skill/lock-contention', title: 'Lock contention' }],
    tokens: expect.any(Number),
  });
});

test(`${cites('CLI-KNOWLEDGE')} flags of a search are the parameters of the tool`, async () => {
  for (let page = 0; page < 4; page++) {
    workspace.write(
      `${KNOWLEDGE}/guides/pg-${page}.md`,
      LOCKS.replace('Lock', `Guide ${page}: lock`),
    );
  }
  const search = (...flags: readonly string[]) => json('search', 'lock contention', ...flags);
  const idsOf = ({ pieces }: { pieces: { id: string }[] }) => pieces.map(({ id }) => id);
  expect(idsOf(await search('--kind', 'skill'))).toEqual(['skill/lock-contention']);
  expect(await search('--kind', 'skill', '--kind', 'guide')).toMatchObject({
    pieces: { length: 5 },
  });
  expect(await search('--tag', 'locks', '--tag', 'mysql')).toMatchObject({ pieces: [] });
  expect(await search('--min-score', '100')).toMatchObject({ pieces: [] });
  const first = await search('--limit', '3');
  const second = await search('--limit', '3', '--cursor', first.cursor);
  expect(new Set([...idsOf(first), ...idsOf(second)]).size).toBe(5);
  expect(second).not.toHaveProperty('cursor');
  const { stdout } = await baton('search', 'lock contention', '--limit', '3');
  expect(stdout).toContain(`; more with --cursor ${first.cursor}\n`);
});

test(`${cites('CLI-KNOWLEDGE', 'KNOWLEDGE-NOTHING')} nothing found has exit code 1, and says so`, async () => {
  const nothing = await baton('search', 'quantum chromodynamics of the early universe');
  expect(nothing).toMatchObject({ status: 1, stderr: '' });
  expect(nothing.stdout).toMatch(/^Nothing here fits this request\./);
  expect(await json('search', 'quantum chromodynamics')).toMatchObject({ pieces: [] });
  for (const folder of [KNOWLEDGE, '.baton/prompts']) workspace.remove(folder);
  const empty = await baton('search', 'anything');
  expect(empty.stdout).toMatch(/^There is no knowledge yet: .*\.baton\/knowledge/);
  expect(empty.status).toBe(1);
});

test(`${cites('CLI-KNOWLEDGE')} a piece is shown with what its file says about it`, async () => {
  const { tokens } = await json('show', 'skill/lock-contention');
  expect(await baton('show', 'lock-contention')).toEqual({
    status: 0,
    stderr: '',
    stdout: [
      'skill/lock-contention  Lock contention',
      `.baton/knowledge/skills/lock-contention.md, ${tokens} tokens`,
      'tags: postgresql, locks',
      '',
      '# Lock contention',
      '',
      'Find who waits for whom in pg_locks.',
      '',
    ].join('\n'),
  });
  expect(await json('show', 'lock-contention')).toEqual({
    id: 'skill/lock-contention',
    from: '.baton/knowledge/skills/lock-contention.md',
    title: 'Lock contention',
    description: 'Find who waits for whom in pg_locks.',
    tags: ['postgresql', 'locks'],
    capabilities: [],
    useWhen: ['queries hang while a migration runs'],
    tokens: expect.any(Number),
    text: '# Lock contention\n\nFind who waits for whom in pg_locks.\n',
  });
});

test(`${cites('CLI-KNOWLEDGE')} for an unknown piece the nearest is named`, async () => {
  for (const name of ['skill/lock-contentoin', 'lock-contentoin', 'guide/lock-contention']) {
    const { status, stdout, stderr } = await baton('show', name);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toMatch(/^baton: knowledge_unknown: There is no piece "/);
    expect(stderr, name).toContain('Did you mean skill/lock-contention?');
  }
  expect((await baton('show', 'quantum')).stderr).not.toContain('Did you mean');
  // An id that two pieces have is not a name.
  workspace.write(`${KNOWLEDGE}/lock-contention.md`, pageAbout('badger'));
  const { status, stderr } = await baton('show', 'lock-contention');
  expect(status).toBe(1);
  expect(stderr).toMatch(/Did you mean guide\/lock-contention or skill\/lock-contention\?/);
});

test(`${cites('CLI-KNOWLEDGE')} pieces and tokens are counted by kind and by folder`, async () => {
  const sizes = await Promise.all(
    ['lock-contention', 'pets/walrus', 'release'].map(
      async (id) => (await json('show', id)).tokens,
    ),
  );
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const counted = await json('stats');
  expect(counted).toMatchObject({ pieces: 3, tokens: total, largest: Math.max(...sizes) });
  expect(counted.kinds).toContainEqual({ kind: 'skill', pieces: 1, tokens: sizes[0] });
  expect(counted.kinds).toContainEqual({ kind: 'agent', pieces: 0, tokens: 0 });
  expect(counted.sources).toContainEqual({
    name: '.baton/prompts',
    path: workspace.file('.baton/prompts'),
    pieces: 1,
    tokens: sizes[2],
  });
  const { status, stdout } = await baton('stats');
  expect(stdout).toMatch(new RegExp(`^all +3 +${total}$`, 'm'));
  expect(stdout).toMatch(
    new RegExp(`^\\.baton/knowledge +2 +\\d+ +${workspace.file(KNOWLEDGE)}$`, 'm'),
  );
  expect(status).toBe(0);
});

test(`${cites('CLI-KNOWLEDGE')} check has exit code 1 only if a file is left out`, async () => {
  expect(await baton('check')).toMatchObject({ status: 0 });
  const [problem, ...others] = await json('check');
  expect(others).toEqual([]);
  expect(problem).toEqual({
    file: '.baton/prompts/release.md',
    line: 1,
    column: 9,
    severity: 'warning',
    message: expect.stringContaining('version'),
  });
  workspace.write(`${KNOWLEDGE}/binary.md`, 'a\u0000b');
  expect((await baton('check')).status).toBe(1);
  expect((await baton('check', '--json')).status).toBe(1);
  expect(await json('check')).toContainEqual({
    file: '.baton/knowledge/binary.md',
    line: 1,
    column: expect.any(Number),
    severity: 'error',
    message: expect.stringContaining('NUL'),
  });
});

test(`${cites('CLI-KNOWLEDGE', 'T29')} nothing in a file acts on the terminal, or on what reads a pipe`, async () => {
  const evil = '\u001b[2J\u001b]0;x\u0007\u009b31m\u202e\u200b';
  workspace.write(
    `${KNOWLEDGE}/a\u202e\u200b.md`,
    `---\nid: evil\ntitle: "Evil \\e[2J \\x9b \\u202e"\ntags: ["t\\e[2J"]\ndescription: "D \\e[2J"\nuseWhen: ["w \\e[2J\\r[INFO] fake"]\n---\nHydra ${evil}\n\rfake\n`,
  );
  workspace.write(`${KNOWLEDGE}/b\u001b[2J.md`, 'x\u0000');
  const commands = [
    ['search', 'hydra evil'],
    ['search', 'hydra evil', '--mode', 'full'],
    ['search', 'hydra evil', '--json'],
    ['show', 'evil'],
    ['show', 'evil', '--json'],
    ['check'],
    ['check', '--json'],
    ['stats'],
    ['show', `guide/${evil}`],
    ['search', evil],
  ];
  await Promise.all(
    commands.map(async (args) => {
      const what = args.join(' ');
      await using screen = terminal(...args);
      const { stdout, stderr } = await baton(...args);
      expect(`${stdout}${stderr}`, what).not.toMatch(UNSAFE);
      await screen.exited;
      expect(screen.strayControls, what).toEqual([]);
      expect(screen.screen, what).not.toMatch(UNSAFE);
      // It was there to be shown.
      if (args[1]?.endsWith('evil')) expect(screen.screen, what).toContain('\\u001b[2J');
    }),
  );
});

test(`${cites('CLI-KNOWLEDGE', 'CLI-STRICT')} a wrong command line has exit code 2`, async () => {
  for (const [args, words] of [
    [['search'], 'What are you looking for?'],
    [['search', ' '], 'What are you looking for?'],
    [['search', 'x', '--mode', 'everything'], 'mode: '],
    [['search', 'x', '--kind', 'recipe'], 'kinds'],
    [['search', 'x', '--limit', 'many'], '--limit must be a whole number.'],
    [['search', 'x', '--max-tokens', '1'], 'maxTokens: '],
    [['search', 'x', '--min-score', '101'], 'minScore: '],
    [['search', 'x', '--budget', '1'], '--budget'],
    [['show'], 'Which piece?'],
    [['show', 'a', 'b'], ''],
    [['check', 'a'], ''],
    [['stats', '--verbose'], '--verbose'],
    [['serach', 'x'], 'knowledge search'],
    [[], 'knowledge search'],
  ] as const) {
    const { status, stdout, stderr } = await baton(...args);
    expect(stderr, args.join(' ')).toContain(words);
    expect({ status, stdout }, args.join(' ')).toEqual({ status: 2, stdout: '' });
  }
  const cursor = await baton('search', 'lock contention', '--cursor', 'x');
  expect(cursor).toMatchObject({ status: 1, stderr: expect.stringContaining('bad_cursor') });
  expect((await baton('search', '--', '--json')).stdout).not.toMatch(/^\{/);
});

test(`${cites('CLI-KNOWLEDGE', 'CLI-HELP')} every command has help with examples`, async () => {
  const overview = (await workspace.baton('--help')).stdout;
  for (const name of ['search', 'show', 'check', 'stats']) {
    const { status, stdout } = await baton(name, '--help');
    expect(stdout).toMatch(
      new RegExp(`^baton knowledge ${name}[ \\n][\\s\\S]+Examples:\\n {2}baton knowledge ${name}`),
    );
    expect(status).toBe(0);
    expect(overview).toMatch(new RegExp(`^ {2}knowledge ${name} `, 'm'));
  }
});
