import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diffPatch, findRepository, gitVersion, resolveCommit } from '../src/index.ts';
import { sandbox } from './sandbox.ts';

// A program in place of git shows what git gets, and what becomes of odd ends.
describe.skipIf(process.platform === 'win32')('git is run', () => {
  const inPlace = (box: ReturnType<typeof sandbox>, script: string) => {
    const version = 'for a; do [ "$a" = --version ] && echo git version 2.40.0 && exit; done\n';
    const settings = 'for a; do [ "$a" = config ] && exit 1; done\n';
    const text = `#!/bin/sh\n${version}${settings}${script}\n`;
    writeFileSync(box.at('home/git'), text, { mode: 0o755 });
    return { env: { ...box.call.env, PATH: `${box.home}:${box.call.env['PATH']}` } };
  };

  test('without variables of git, and with what it belongs to', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const { env } = inPlace(
      box,
      `env > '${box.at('env')}'; cat >> '${box.at('env')}'; pwd >&2; exit 3`,
    );
    const call = {
      env: { ...env, GIT_DIR: '/x', git_work_tree: '/y', GIT_CONFIG_COUNT: '1', KEPT: 'yes' },
      trackingId: 'job 7',
    };
    const failure = await diffPatch(repo, 'a'.repeat(40), 'b'.repeat(40), {}, call).catch(String);
    expect(failure).toMatch(/git diff-tree failed \(exit 3\): /);
    expect(failure).not.toContain(repo.root);
    const seen = Object.fromEntries(
      readFileSync(box.at('env'), 'utf8')
        .split('\n')
        .map((line) => {
          const [name = '', ...value] = line.split('=');
          return [name, value.join('=')];
        }),
    );
    expect(seen).toMatchObject({
      BATON_JOB: 'job 7',
      KEPT: 'yes',
      LC_ALL: 'C',
      GIT_OPTIONAL_LOCKS: '0',
    });
    expect(
      Object.keys(seen)
        .filter((name) => /^GIT_/i.test(name))
        .sort(),
    ).toEqual(['GIT_EDITOR', 'GIT_OPTIONAL_LOCKS', 'GIT_TERMINAL_PROMPT']);
  });

  test('from the PATH, not from where it works', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const canary = box.at('canary');
    writeFileSync(`${repo.root}/git`, `#!/bin/sh\ntouch '${canary}'\n`, { mode: 0o755 });
    const env = { ...box.call.env, PATH: `.::${box.call.env['PATH']}` };
    await findRepository(repo.root, { env });
    expect(existsSync(canary)).toBe(false);
  });

  test('until it ends, whatever it leaves behind', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const call = inPlace(box, `sleep 30 & echo $! > '${box.at('pid')}'; printf '%040d' 7`);
    expect(await resolveCommit(repo, 'HEAD', call)).toBe('7'.padStart(40, '0'));
    process.kill(Number(readFileSync(box.at('pid'), 'utf8')), 'SIGKILL');
  });

  test('until the call ends, with what it has started', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const call = inPlace(box, `sleep 300 & echo $! > '${box.at('pid')}'; wait`);
    await gitVersion(call);
    const controller = new AbortController();
    const running = resolveCommit(repo, 'HEAD', { ...call, signal: controller.signal });
    const ended = expect(running).rejects.toThrow('enough');
    await expect.poll(() => existsSync(box.at('pid'))).toBe(true);
    await expect.poll(() => readFileSync(box.at('pid'), 'utf8')).toMatch(/\n/);
    controller.abort(new Error('enough'));
    await ended;
    const pid = Number(readFileSync(box.at('pid'), 'utf8'));
    await expect
      .poll(
        () => existsSync(`/proc/${pid}`) && !/ Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8')),
      )
      .toBe(false);
  });

  test('with at most so much to read', async () => {
    using box = sandbox();
    const repo = await box.repository();
    const call = inPlace(box, 'yes');
    await expect(resolveCommit(repo, 'HEAD', call)).rejects.toMatchObject({
      code: 'git_failed',
      message: expect.stringContaining('too much'),
    });
  });
});
