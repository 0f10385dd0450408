import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import packageJson from '@baton/cli/package.json' with { type: 'json' };
import { startProgram, temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fixtureProgram, program } from './programs.ts';
import { cites } from './requirements.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeAll(() => {
  folder = temporaryFolder();
});
afterAll(() => folder[Symbol.dispose]());

interface Run {
  readonly env?: Record<string, string>;
  readonly input?: string;
  readonly cwd?: string;
  readonly file?: string;
}

function baton(args: string[], { env = {}, input = '', cwd, file = program }: Run = {}) {
  const home = path.join(folder.path, 'home');
  mkdirSync(home, { recursive: true });
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: cwd ?? home,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH ?? '', HOME: home, ...env },
  });
  return { status, stdout, stderr };
}

describe('help', () => {
  test(`${cites('CLI-HELP')} is there for the program and for every command`, () => {
    const { stdout, status } = baton(['--help']);
    expect(status).toBe(0);
    for (const word of [
      'stdio',
      'serve',
      'token',
      'call',
      'tools',
      'doctor',
      'status',
      '--workspace',
      'Exit codes',
      'BATON_STATE',
    ]) {
      expect(stdout).toContain(word);
    }
    for (const command of ['stdio', 'serve', 'token', 'call', 'tools', 'doctor', 'status']) {
      const help = baton([command, '--help']);
      expect(help).toMatchObject({ status: 0, stderr: '' });
      expect(help.stdout).toContain(`baton ${command}`);
      expect(help.stdout).toContain('Examples:');
    }
  });

  test(`${cites('CLI-HELP')} shows a tool's flags and examples`, () => {
    const { stdout } = baton(['echo', '--help'], { file: fixtureProgram });
    expect(stdout).toContain('--text <text>');
    expect(stdout).toMatch(/--tags <text>\s+labels \(may be repeated\)/);
    expect(stdout).toContain("baton echo --text hello --tags a --tags 'b c' --times 2");
  });

  test(`${cites('CLI-HELP')} tells the version`, () => {
    expect(baton(['--version'])).toMatchObject({ status: 0, stdout: `${packageJson.version}\n` });
  });
});

describe('flags', () => {
  test.each([
    [['--prot=1'], 'usage: Unknown flag --prot'],
    [['stdio', '--workspaec', '/x'], 'Did you mean --workspace?'],
    [['--log-level=info', '--log-level=debug', 'tools'], '--log-level is given twice'],
    [['tools', '--workspace'], 'workspace'],
    [['tools', '--json=yes'], 'json'],
    [['--', '--x'], 'There is no command "--x"'],
    [['call', 'status', '--', '--x'], 'not JSON'],
    [['tool'], 'Did you mean `baton tools`?'],
    [['tools', 'extra'], 'Unexpected "extra"'],
    [['call'], 'Which tool?'],
    [['call', 'status', '{'], 'not JSON'],
    [['stdio', '-x'], 'Unknown flag -x'],
    [['--stdio', '--nope'], 'Unknown flag --nope'],
  ])(`${cites('CLI-STRICT', 'T41')} %j is refused`, (args, words) => {
    const { status, stdout, stderr } = baton(args);
    expect(stderr).toContain(words);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stdout).toBe('');
    expect(status).toBe(2);
  });
});

describe('calling tools', () => {
  test(`${cites('CLI-CALL')} with JSON, from the command line or from stdin`, () => {
    const { stdout, status } = baton(['call', 'status']);
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      version: packageJson.version,
      features: ['data', 'editor', 'knowledge', 'plans', 'system', 'tickets'],
    });
    const piped = baton(['call', 'echo', '-'], { input: '{"text":"hi"}', file: fixtureProgram });
    expect(JSON.parse(piped.stdout)).toEqual({ text: 'hi', tags: [] });
  });

  test(`${cites('CLI-CALL')} with exit codes that tell failure from misuse`, () => {
    const run = (...args: string[]) => baton(['call', ...args], { file: fixtureProgram });
    expect(run('fail')).toMatchObject({ status: 1 });
    expect(JSON.parse(run('fail').stdout)).toMatchObject({ code: 'no_luck' });
    expect(run('answer', '{"question":5}').status).toBe(2);
    const unknown = run('ecko');
    expect(unknown.status).toBe(1);
    expect(unknown.stderr).toContain('Did you mean echo?');
  });

  test(`${cites('CLI-TOOLS')} as commands with flags`, () => {
    const echo = (...args: string[]) => baton(['echo', ...args], { file: fixtureProgram });
    expect(
      echo('--text', 'ab', '--times', '3', '--loud', '--tags', 'x', '--tags', 'y').stdout,
    ).toBe('text: ABABAB\ntags: x, y\n');
    expect(JSON.parse(echo('--data', '{"a":[1]}', '--json').stdout)).toMatchObject({
      data: '{"a":[1]}',
    });
    expect(echo('--times', 'many')).toMatchObject({ status: 2 });
    const outOfRange = echo('--times', '0');
    expect(outOfRange.status).toBe(2);
    expect(outOfRange.stderr).toContain('times');
    const added = baton(['note', 'add', '--id', 'n', '--text', 't', '--json'], {
      file: fixtureProgram,
    });
    expect(JSON.parse(added.stdout)).toEqual({ id: 'n' });
    expect(baton(['status']).stdout).toContain(`version: ${packageJson.version}`);
    const picture = baton(['picture', '--caption', 'red'], { file: fixtureProgram });
    expect(picture.stdout).toMatch(
      /^Picture: red\n\[image\/png, \d+ bytes\]\n\[audio\/wav, 52 bytes\]\nred\n$/,
    );
    const confirm = baton(['confirm', '--subject', 'x'], { file: fixtureProgram });
    expect(confirm).toMatchObject({ status: 1, stderr: expect.stringContaining('Really x?') });
  });

  test(`${cites('CLI-TOOLS', 'STDIO-STDOUT')} keeps stdout for the result, whatever prints`, () => {
    const { stdout, stderr } = baton(['noisy', '--json'], { file: fixtureProgram });
    expect(JSON.parse(stdout)).toEqual({ done: true });
    expect(stderr).toContain('console.log says hello');
  });

  test(`${cites('CLI-TOOLS')} lists them`, () => {
    expect(baton(['tools']).stdout).toMatch(/^status {12}reads/m);
    const listed = JSON.parse(
      baton(['tools', '--json', '--read-only'], { file: fixtureProgram }).stdout,
    );
    expect(listed.map((tool: { name: string }) => tool.name)).not.toContain('note_add');
  });
});

describe('starting the server', () => {
  const hello = '{"jsonrpc":"2.0","id":1,"method":"initialize"}\n';
  test.each([
    [['stdio']],
    [['--stdio']],
    [[]],
    [['--read-only']],
    [['--stdio', '--log-level', 'error']],
  ])(`${cites('CLI-ENTRY')} by %j`, (args) => {
    const { stdout, status } = baton(args, { input: hello });
    expect(JSON.parse(stdout)).toMatchObject({ id: 1, result: { serverInfo: { name: 'baton' } } });
    expect(status).toBe(0);
  });
});

describe('configuration', () => {
  function workspaceWith(config: string): string {
    const workspace = path.join(folder.path, `ws-${Math.random().toString(36).slice(2)}`);
    mkdirSync(path.join(workspace, '.baton'), { recursive: true });
    writeFileSync(path.join(workspace, '.baton', 'config.yaml'), config);
    return workspace;
  }
  function userConfig(config: string): Record<string, string> {
    const home = path.join(folder.path, `home-${Math.random().toString(36).slice(2)}`);
    mkdirSync(path.join(home, '.config', 'baton'), { recursive: true });
    writeFileSync(path.join(home, '.config', 'baton', 'config.yaml'), config);
    return { HOME: home };
  }
  const toolNames = (run: ReturnType<typeof baton>): string[] =>
    JSON.parse(run.stdout).map((tool: { name: string }) => tool.name);

  test(`${cites('CLI-CONFIG')} flags win over environment over the user's file`, () => {
    const user = userConfig('toolsets: [fixtures]\n');
    const list = (args: string[], env = {}) =>
      toolNames(
        baton(['tools', '--json', ...args], { env: { ...user, ...env }, file: fixtureProgram }),
      );
    expect(list([])).toContain('echo');
    expect(list([], { BATON_TOOLSETS: 'notes' })).toEqual(['note_add', 'note_remove', 'status']);
    expect(list(['--toolsets', 'notes'], { BATON_TOOLSETS: 'fixtures' })).not.toContain('echo');
    const without = { BATON_TOOLSETS: 'notes', BATON_WITHOUT_TOOLS: 'status' };
    expect(list([], without)).toEqual(['note_add', 'note_remove']);
    expect(list(['--without-tools', 'note_add'], without)).toEqual(['note_remove']);
  });

  test(`${cites('CLI-CONFIG', 'T52')} a repository's file tightens what the user has set, never loosens it`, () => {
    const run = (config: string, env = {}) =>
      baton(['tools', '--json'], { cwd: workspaceWith(config), env, file: fixtureProgram });
    expect(toolNames(run('readOnly: true\n'))).not.toContain('note_add');
    expect(toolNames(run('withoutTools: [note_add]\n'))).not.toContain('note_add');
    const env = userConfig(
      'readOnly: true\ntoolsets: [notes, fixtures]\nwithoutTools: [echo]\nlogLevel: error\n',
    );
    const loose = run(
      'readOnly: false\ntoolsets: [fixtures, plans]\nwithoutTools: []\nlogLevel: debug\nport: [1]\n',
      env,
    );
    for (const name of ['note_add', 'echo', 'plan_list'])
      expect(toolNames(loose)).not.toContain(name);
    expect(toolNames(loose)).toContain('answer');
    expect(loose.stderr).toMatch(
      /^baton: warning: Ignored: \S+config\.yaml:4 \(logLevel\), \S+config\.yaml:5 \(port\)\. /m,
    );
    // What the user says now counts more than what the user's file says.
    const asked = run('readOnly: false\n', { ...env, BATON_READ_ONLY: 'false' });
    expect(toolNames(asked)).toContain('note_add');
  });

  test(`${cites('CLI-CONFIG', 'T52')} what a repository's file may not set is told by a server, and in its status`, async () => {
    const cwd = workspaceWith('maxMessageBytes: 1024\n');
    const said = `Ignored: ${path.join(cwd, '.baton', 'config.yaml')}:1 (maxMessageBytes).`;
    await using running = startProgram(program, { cwd });
    const { result } = await running.request(1, 'tools/call', {
      name: 'status',
      arguments: {},
      _meta: { padding: 'x'.repeat(2000) },
    });
    expect(result.structuredContent.warnings).toEqual([expect.stringContaining(said)]);
    expect(running.stderr).toContain(`[WARN] [baton] ${said}`);
    expect((await running.end()).code).toBe(0);
  });

  test.each([
    ['tols: [a]\n', 'Unknown setting tols'],
    ['maxClaims: many\n', 'Bad value for maxClaims'],
    ['maxClaims: [\n', 'not valid YAML'],
    ['- a\n', 'Bad value for all of '],
    ['toolsets: [nothing]\n', 'no toolset "nothing"'],
    ['withoutTools: [nothing]\n', 'no tool "nothing"'],
    ['&a [*a, *a]\n', 'The alias *a contains itself. (1:5)'],
  ])(
    `${cites('CLI-ERRORS', 'CLI-CONFIG')} bad config %j stops it with one line`,
    (config, words) => {
      const { status, stdout, stderr } = baton(['stdio'], { cwd: workspaceWith(config) });
      expect(stderr).toContain(words);
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(stdout).toBe('');
      expect(status).toBe(1);
    },
  );

  test.each([
    [{ BATON_LOG_LEVEL: 'loud' }, 'Bad value for BATON_LOG_LEVEL'],
    [{ BATON_READ_ONLY: 'perhaps' }, 'Bad value for BATON_READ_ONLY'],
    [{ BATON_MAX_MESSAGE_BYTES: '3' }, 'Bad value for BATON_MAX_MESSAGE_BYTES'],
    [{ BATON_WORKSPACE: '/does/not/exist' }, 'workspace_missing: The workspace "/does/not/exist"'],
  ])(`${cites('CLI-ERRORS')} bad environment %j`, (env, words) => {
    const { status, stdout, stderr } = baton(['stdio'], { env: env as Record<string, string> });
    expect(stderr).toContain(words);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  });

  test(`${cites('CLI-ERRORS')} a level of another program in LOG_LEVEL is a warning`, () => {
    const { status, stderr } = baton(['stdio'], { env: { LOG_LEVEL: 'verbose' } });
    expect(stderr).toContain('[WARN] [baton] LOG_LEVEL=verbose');
    expect(status).toBe(0);
  });
});

test(`${cites('CLI-ERRORS')} a result that could not be written is a failure`, () => {
  const full = openSync('/dev/full', 'w');
  const { status, stderr } = spawnSync(process.execPath, [program, 'tools'], {
    stdio: ['ignore', full, 'pipe'],
    encoding: 'utf8',
  });
  closeSync(full);
  expect(stderr).toMatch(/^baton: output_failed: .+ENOSPC/);
  expect(status).toBe(1);
});

describe('a hostile environment', () => {
  test(`${cites('T39')} a state directory that cannot be written is a warning, not an end`, async () => {
    const file = path.join(folder.path, 'not-a-folder');
    writeFileSync(file, '');
    await using running = startProgram(program, { env: { BATON_STATE: path.join(file, 'state') } });
    await running.until('the warning', () => running.stderr.includes('cannot be written'));
    const { result } = await running.request(1, 'tools/call', { name: 'status' });
    expect(result.structuredContent.warnings[0]).toContain('cannot be written');
    expect((await running.end()).code).toBe(0);
  });

  test(`${cites('T39')} no HOME, few file descriptors, odd folder names`, () => {
    const odd = path.join(folder.path, 'späce 🦄 and "quotes"', 'x'.repeat(200), 'y'.repeat(100));
    mkdirSync(odd, { recursive: true });
    expect(JSON.parse(baton(['call', 'status'], { cwd: odd }).stdout).workspace.path).toBe(odd);
    const { status, stdout } = spawnSync(
      'prlimit',
      ['--nofile=64', process.execPath, program, 'call', 'status'],
      {
        env: { PATH: process.env.PATH ?? '', BATON_STATE: folder.path },
        encoding: 'utf8',
      },
    );
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      features: ['data', 'editor', 'knowledge', 'plans', 'system', 'tickets'],
    });
  });

  test(`${cites('T39')} a config that cannot be read is a named error, and never waited for`, () => {
    const make = (name: string) => {
      const config = path.join(folder.path, name, '.baton', 'config.yaml');
      mkdirSync(path.dirname(config), { recursive: true });
      return { config, cwd: path.join(folder.path, name) };
    };
    const asFolder = make('as-folder');
    mkdirSync(asFolder.config);
    const asPipe = make('as-pipe');
    spawnSync('mkfifo', [asPipe.config]);
    const asDevice = make('as-device');
    symlinkSync('/dev/zero', asDevice.config);
    const asLoop = make('as-loop');
    symlinkSync('config.yaml', asLoop.config);
    const tooLarge = make('too-large');
    writeFileSync(tooLarge.config, '#'.repeat(2 * 1024 * 1024));
    for (const [{ cwd }, words] of [
      [asFolder, 'is not a regular file'],
      [asPipe, 'is not a regular file'],
      [asDevice, 'is not a regular file'],
      [asLoop, 'cannot be read (ELOOP)'],
      [tooLarge, 'is larger than 1 MiB'],
    ] as const) {
      const { status, stderr } = baton(['stdio'], { cwd });
      expect(stderr).toMatch(/^baton: config_unreadable: /);
      expect(stderr).toContain(words);
      expect(status).toBe(1);
    }
  });
});

test(`${cites('T29')} a folder's name cannot act on the terminal`, () => {
  const cwd = path.join(folder.path, 'x\u001b[2J\u202e\u{e0041}');
  mkdirSync(cwd);
  for (const args of [['doctor'], ['doctor', '--json'], ['status'], ['call', 'status']]) {
    const { stdout } = baton(args, { cwd });
    expect(stdout).not.toMatch(/[\u001b\u202e\udb40]/);
    expect(stdout).toContain('\\u001b[2J');
  }
  const doctor = JSON.parse(baton(['doctor', '--json'], { cwd }).stdout);
  expect(doctor[1].found).toContain(cwd);
});

describe('doctor', () => {
  test(`${cites('CLI-DOCTOR')} finds everything in order`, () => {
    const { status, stdout } = baton(['doctor']);
    expect(status).toBe(0);
    for (const check of ['node', 'workspace', 'config', 'state', 'log', 'tools', 'call']) {
      expect(stdout).toMatch(new RegExp(`^ok    ${check} `, 'm'));
    }
  });

  test(`${cites('CLI-DOCTOR')} says what is wrong and what to do`, () => {
    const { status, stdout } = baton(['doctor'], { env: { BATON_WORKSPACE: '/does/not/exist' } });
    expect(status).toBe(1);
    expect(stdout).toContain('fail  workspace_missing');
    expect(stdout).toContain('→ Name an existing folder');
    const state = path.join(folder.path, 'occupied');
    writeFileSync(state, '');
    const broken = baton(['doctor', '--json'], { env: { BATON_STATE: state } });
    expect(broken.status).toBe(1);
    expect(JSON.parse(broken.stdout)).toContainEqual(
      expect.objectContaining({
        name: 'state',
        verdict: 'fail',
        next: expect.stringContaining('BATON_STATE'),
      }),
    );
  });
});
