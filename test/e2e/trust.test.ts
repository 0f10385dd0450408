import { spawn, spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { startProgram, temporaryFolder } from '@baton/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

const FILE = 'plans/release.commands';
const COMMANDS = [
  { title: 'build', command: 'npm run build', detail: { env: { CI: '1' } } },
  { title: 'publish', command: 'npm publish' },
];
const SHOWN = `2 commands in ${FILE}:

1. build
   $ npm run build
   with {"env":{"CI":"1"}}
2. publish
   $ npm publish
`;

/** Of a client of the new era whose person can be asked. */
const ASKABLE = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
};

let folder: ReturnType<typeof temporaryFolder>;
let workspace: string;
let env: Record<string, string>;
const inWorkspace = (file: string) => path.join(workspace, file);

beforeEach(() => {
  folder = temporaryFolder();
  workspace = path.join(folder.path, 'acme');
  mkdirSync(inWorkspace('.baton'), { recursive: true });
  mkdirSync(inWorkspace('plans'));
  writeFileSync(inWorkspace(FILE), JSON.stringify(COMMANDS));
  env = {
    PATH: process.env.PATH ?? '',
    HOME: folder.path,
    BATON_STATE: path.join(folder.path, 'state'),
  };
});
afterEach(() => folder[Symbol.dispose]());

function baton(...args: string[]) {
  return batonIn(workspace, ...args);
}

function batonIn(cwd: string, ...args: string[]) {
  const { status, stdout, stderr, error } = spawnSync(
    process.execPath,
    [fixtureProgram, 'trust', ...args],
    { cwd, env, encoding: 'utf8', input: '', timeout: 30_000 },
  );
  if (error) throw error;
  return { status, stdout, stderr: stderr.replace('printed while the program was loading\n', '') };
}

const listed = () => JSON.parse(baton('list', '--json').stdout);

describe('on the command line', () => {
  test(`${cites('CLI-TRUST')} commands are shown, approved, listed and revoked`, () => {
    const store = path.join(folder.path, 'state', 'baton.db');
    expect(baton('list')).toMatchObject({
      status: 0,
      stdout: `Nothing is approved in ${workspace}.\n`,
    });
    expect(listed()).toEqual([]);
    expect(existsSync(store)).toBe(false);
    expect(baton('grant', FILE, '--yes')).toEqual({
      status: 0,
      stdout: `${SHOWN}\nApproved, until anything in them changes.\n`,
      stderr: '',
    });
    expect(listed()).toEqual([
      {
        workspace,
        source: FILE,
        commands: COMMANDS,
        fingerprint: expect.any(String),
        by: 'baton trust grant --yes',
        at: expect.any(Number),
      },
    ]);
    expect(baton('list').stdout).toMatch(
      /^plans\/release\.commands, approved \d{4}-\S+Z by baton trust grant --yes:\n1\. build\n/,
    );
    expect(baton('revoke', FILE).stdout).toBe(`${FILE} is not approved any more.\n`);
    expect(listed()).toEqual([]);
    const again = baton('revoke', FILE);
    expect(again).toMatchObject({ status: 1, stdout: '' });
    expect(again.stderr).toMatch(/^baton: not_approved: There is no approval of .*trust list/);
  });

  test(`${cites('CLI-TRUST')} a file is named from where one is, and may be gone when it is revoked`, () => {
    expect(batonIn(inWorkspace('plans'), 'grant', 'release.commands', '--yes').status).toBe(0);
    expect(listed()).toMatchObject([{ source: FILE }]);
    rmSync(inWorkspace(FILE));
    expect(batonIn(inWorkspace('plans'), 'revoke', './release.commands').status).toBe(0);
    expect(listed()).toEqual([]);
  });

  test(`${cites('CLI-TRUST', 'T6')} nothing is approved where nobody can be asked`, () => {
    const { status, stdout, stderr } = baton('grant', FILE);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(/^baton: usage: Nobody can be asked here: .*--yes/);
    expect(listed()).toEqual([]);
    for (const command of ['grant', 'revoke']) {
      const alone = baton(command, ...(command === 'grant' ? ['--yes'] : []));
      expect(alone).toMatchObject({ status: 2, stderr: expect.stringContaining('Which file?') });
    }
  });

  test(`${cites('CLI-TRUST')} a file without commands, or of no known kind, is said to be one`, () => {
    writeFileSync(inWorkspace(FILE), '[]');
    expect(baton('grant', FILE, '--yes').stdout).toBe(`There are no commands in ${FILE}.\n`);
    writeFileSync(inWorkspace(FILE), 'nonsense');
    expect(baton('grant', FILE, '--yes').stderr).toMatch(/^baton: bad_commands: /);
    writeFileSync(inWorkspace('Makefile'), 'all:');
    const { status, stderr } = baton('grant', 'Makefile', '--yes');
    expect(stderr).toMatch(/^baton: file_unusable: .*Makefile is of no kind/);
    expect(status).toBe(1);
    expect(listed()).toEqual([]);
  });

  test(`${cites('CLI-TRUST', 'CLI-HELP')} the program has the commands, with help`, () => {
    for (const command of ['list', 'grant', 'revoke']) {
      const help = spawnSync(process.execPath, [program, 'trust', command, '--help'], {
        env,
        encoding: 'utf8',
      });
      expect(help).toMatchObject({ status: 0, stderr: '' });
      expect(help.stdout).toContain(`baton trust ${command}`);
    }
  });
});

describe('on a terminal', () => {
  /** Types an answer once the question is there; `before` happens between the two. */
  async function answer(typed: string, before = () => {}, given = `trust grant ${FILE}`) {
    const command = `exec '${process.execPath}' '${fixtureProgram}' ${given}`;
    const terminal = spawn('script', ['-qefc', command, '/dev/null'], { cwd: workspace, env });
    let said = '';
    let isAnswered = false;
    terminal.stdout.on('data', (part) => {
      said += part;
      if (isAnswered || !said.includes('[y/N] ')) return;
      isAnswered = true;
      before();
      terminal.stdin.write(typed);
    });
    const status = await new Promise((resolve) => terminal.on('close', resolve));
    return { status, said: said.replaceAll('\r\n', '\n') };
  }

  test(`${cites('CLI-TRUST', 'T6')} a person is asked and says yes`, async () => {
    const { status, said } = await answer('y\n');
    expect(said).toContain(`${SHOWN}\nApprove these 2 commands? [y/N] y\n`);
    expect(said).toContain('Approved, until anything in them changes.');
    expect(status).toBe(0);
    expect(listed()).toMatchObject([{ source: FILE, by: 'baton trust grant' }]);
  });

  test.each(['\n', 'n\n', 'yeah\n', 'no y\n', '\u0004', '\u0003'])(
    `${cites('CLI-TRUST', 'T6')} %j approves nothing`,
    async (typed) => {
      const { status, said } = await answer(typed);
      expect(said).not.toContain('Approved');
      expect(status).not.toBe(0);
      expect(listed()).toEqual([]);
    },
  );

  test(`${cites('CLI-TRUST', 'TRUST')} a tool that asks there says so in the approval`, async () => {
    const call = `call obey '{"file":"${FILE}"}'`;
    const { status, said } = await answer('y\n', undefined, call);
    expect(said).toContain('Nobody has approved them yet.');
    expect(status).toBe(0);
    expect(listed()).toMatchObject([{ source: FILE, by: 'an answer on the terminal' }]);
  });

  test(`${cites('CLI-TRUST', 'T6')} what was shown is approved, not what the file has become`, async () => {
    const { status } = await answer('y\n', () =>
      writeFileSync(inWorkspace(FILE), JSON.stringify([{ title: 'x', command: 'reboot' }])),
    );
    expect(status).toBe(0);
    expect(listed()).toMatchObject([{ commands: COMMANDS }]);
  });
});

describe('a hostile file', () => {
  const make: Record<string, [words: string, make: (file: string) => void]> = {
    'is a pipe': ['is not a regular file', (file) => spawnSync('mkfifo', [file])],
    'is a folder': ['is not a regular file', (file) => mkdirSync(file)],
    'is a link to a device': ['is outside of', (file) => symlinkSync('/dev/zero', file)],
    'is a link out of the workspace': ['is outside of', (file) => symlinkSync('/etc/passwd', file)],
    'is a link to itself': ['cannot be read (ELOOP)', (file) => symlinkSync(file, file)],
    'is a link to nothing': [
      'does not exist',
      (file) => symlinkSync(path.join(path.dirname(file), 'nothing'), file),
    ],
    'is a link to nothing outside': ['is outside of', (file) => symlinkSync('/nothing', file)],
    'is huge': [
      'is larger than 1 MiB',
      (file) => {
        writeFileSync(file, '');
        truncateSync(file, 100 * 1024 ** 3);
      },
    ],
    'is a byte too large': [
      'is larger than 1 MiB',
      (file) => writeFileSync(file, `[]${' '.repeat(1024 ** 2 - 1)}`),
    ],
    'is not UTF-8': ['is not a text in UTF-8', (file) => writeFileSync(file, '"\u00ff"', 'latin1')],
    'is missing': ['does not exist', () => {}],
  };

  test.each(Object.entries(make))(
    `${cites('CLI-TRUST', 'T6', 'T39')} that %s is refused by name within two seconds`,
    (_name, [words, prepare]) => {
      const file = inWorkspace('x.commands');
      prepare(file);
      const started = performance.now();
      const { status, stdout, stderr } = baton('grant', 'x.commands', '--yes');
      expect(performance.now() - started).toBeLessThan(2000);
      expect(stderr).toContain(`baton: file_unusable: ${file} ${words}`);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect([status, stdout]).toEqual([1, '']);
    },
  );

  test(`${cites('CLI-TRUST', 'T6')} outside of the workspace is refused, by whatever path`, () => {
    writeFileSync(path.join(folder.path, 'out.commands'), JSON.stringify(COMMANDS));
    mkdirSync(path.join(folder.path, 'acme-too'));
    writeFileSync(path.join(folder.path, 'acme-too', 'x.commands'), JSON.stringify(COMMANDS));
    symlinkSync(folder.path, inWorkspace('up'));
    for (const file of [
      '../out.commands',
      '../acme-too/x.commands',
      path.join(folder.path, 'out.commands'),
      'up/out.commands',
      '/dev/stdin',
      '.',
    ]) {
      const { status, stderr } = baton('grant', file, '--yes');
      expect(stderr, file).toMatch(/^baton: file_unusable: .* is outside of the workspace\./);
      expect(status).toBe(1);
    }
  });

  test(`${cites('CLI-TRUST')} a link within the workspace stands for the file behind it`, () => {
    symlinkSync(inWorkspace(FILE), inWorkspace('link.commands'));
    mkdirSync(inWorkspace('..odd'));
    writeFileSync(inWorkspace('..odd/x.commands'), JSON.stringify(COMMANDS));
    expect(baton('grant', 'link.commands', '--yes').status).toBe(0);
    expect(baton('grant', '..odd/x.commands', '--yes').status).toBe(0);
    expect(listed()).toMatchObject([{ source: '..odd/x.commands' }, { source: FILE }]);
  });

  test(`${cites('CLI-TRUST', 'T6', 'T29')} cannot act on the terminal, nor hide a command`, () => {
    const command = 'echo ok\u001b[2K\u001b[1A\u202e\u00ad\r; reboot\n2. harmless\n   $ true';
    const title = 'a\u0007\n2. b';
    const detail = { env: { 'LD_\u200bPRELOAD': '\u009b31m' } };
    writeFileSync(inWorkspace(FILE), JSON.stringify([{ title, command, detail }]));
    const { stdout } = baton('grant', FILE, '--yes');
    const shown = [
      '1. a\\u0007\\n2. b',
      '   $ echo ok\\u001b[2K\\u001b[1A\\u202e\\u00ad\\u000d; reboot',
      '   > 2. harmless',
      '   >    $ true',
      '   with {"env":{"LD_\\u200bPRELOAD":"\\u009b31m"}}',
    ].join('\n');
    expect(stdout).toContain(`1 command in ${FILE}:\n\n${shown}\n`);
    expect(stdout).not.toMatch(/[^\n\x20-\x7e]/);
    expect(baton('list').stdout).toContain(shown);
    expect(listed()).toMatchObject([{ commands: [{ title, command, detail }] }]);
  });
});

test(`${cites('CLI-TRUST', 'TRUST', 'T51', 'T56')} padding is counted, and settings are shown`, async () => {
  const command = `echo ok${' '.repeat(1500)}; reboot${'\n'.repeat(151)}halt`;
  const settings = { 'the plan': { git: { base: 'stranger', target: 'main' } } };
  writeFileSync(
    inWorkspace(FILE),
    JSON.stringify({ commands: [{ title: 'x', command }], settings }),
  );
  const shown = [
    '- the plan: {"git":{"base":"stranger","target":"main"}}',
    '1. x',
    '   $ echo ok⟨1,500 blanks⟩; reboot',
    '   > ⟨150 empty lines⟩',
    '   > halt',
  ];
  await using running = startProgram(fixtureProgram, { cwd: workspace, env });
  const params = { name: 'obey', arguments: { file: FILE }, _meta: ASKABLE };
  const { result } = await running.request(1, 'tools/call', params);
  const [question] = Object.values<{ params: { message: string } }>(result.inputRequests);
  expect(question?.params.message).toMatch(/ {4}> halt$/);
  expect(question?.params.message).toContain(shown.map((line) => `    ${line}`).join('\n'));
  expect(baton('grant', FILE, '--yes').stdout).toContain(`${shown.join('\n')}\n`);
  expect(baton('list').stdout).toContain(`${shown.join('\n')}\n`);
  expect(listed()).toMatchObject([{ settings }]);
});

describe('a tool that runs commands from a file', () => {
  const META = ASKABLE;
  const start = () => startProgram(fixtureProgram, { cwd: workspace, env });
  const call = { name: 'obey', arguments: { file: FILE } };
  const hasRun = () => existsSync(inWorkspace('ran.log'));
  const accepted = (key: string, approve: boolean) => ({
    inputResponses: { [key]: { action: 'accept', content: { approve } } },
  });

  test(`${cites('TRUST', 'T6')} waits for the person at a terminal if its client cannot be asked`, async () => {
    await using running = start();
    const { result: refused } = await running.request(1, 'tools/call', call);
    expect(refused).toMatchObject({
      isError: true,
      structuredContent: {
        code: 'not_trusted',
        message: `The commands in ${FILE} are new: no person has approved them. Nothing was run.`,
        next: expect.stringContaining(`\`baton trust grant ${FILE}\``),
      },
    });
    expect(hasRun()).toBe(false);
    expect(baton('grant', FILE, '--yes').status).toBe(0);
    const { result } = await running.request(2, 'tools/call', call);
    expect(result.structuredContent).toEqual({ ran: 2 });
    const text = readFileSync(inWorkspace(FILE), 'utf8');
    writeFileSync(inWorkspace(FILE), text.replace('npm publish', 'npm publisH'));
    const { result: changed } = await running.request(3, 'tools/call', call);
    expect(changed.structuredContent.message).toContain('have CHANGED since a person approved');
    baton('grant', FILE, '--yes');
    baton('revoke', FILE);
    const { result: revoked } = await running.request(4, 'tools/call', call);
    expect(revoked.structuredContent.message).toContain('are new');
    expect(readFileSync(inWorkspace('ran.log'), 'utf8')).toBe('npm run build\nnpm publish\n');
  });

  test(`${cites('TRUST', 'ASK', 'T6')} asks its client, and an answer counts for what was asked`, async () => {
    await using running = start();
    const ask = (id: number, more: object = {}) =>
      running.request(id, 'tools/call', { ...call, ...more, _meta: META });
    const first = (await ask(1)).result;
    const [[key = '', question] = []] = Object.entries<{ params: { message: string } }>(
      first.inputRequests,
    );
    expect(question?.params.message).toContain(
      '   $ npm run build\n       with {"env":{"CI":"1"}}',
    );
    appendFileSync(inWorkspace(FILE), ' ');
    const text = readFileSync(inWorkspace(FILE), 'utf8');
    writeFileSync(inWorkspace(FILE), text.replace('npm publish', 'npm publish; reboot'));
    const second = (await ask(2, { requestState: first.requestState, ...accepted(key, true) }))
      .result;
    const [other = ''] = Object.keys(second.inputRequests);
    expect(other).not.toBe(key);
    expect(hasRun()).toBe(false);
    expect(listed()).toEqual([]);
    const third = await ask(3, { requestState: second.requestState, ...accepted(other, true) });
    expect(third.result.structuredContent).toEqual({ ran: 2 });
    expect((await ask(4)).result.structuredContent).toEqual({ ran: 2 });
    expect(listed()).toMatchObject([{ source: FILE, by: 'an answer in the client' }]);
  });

  test.each([{ action: 'decline' }, { action: 'cancel' }, accepted('x', false).inputResponses.x])(
    `${cites('TRUST', 'ASK', 'T6')} runs nothing when the person answers %j`,
    async (answer) => {
      await using running = start();
      const first = await running.request(1, 'tools/call', { ...call, _meta: META });
      const [key = ''] = Object.keys(first.result.inputRequests);
      const { requestState } = first.result;
      const inputResponses = { [key]: answer };
      const params = { ...call, _meta: META, requestState, inputResponses };
      const { result } = await running.request(2, 'tools/call', params);
      expect(result.structuredContent).toMatchObject({
        code: 'not_trusted',
        message: expect.stringContaining('declined'),
      });
      expect(hasRun()).toBe(false);
      expect(listed()).toEqual([]);
    },
  );
});
