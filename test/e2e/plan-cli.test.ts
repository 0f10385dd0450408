import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PlanWorkspace } from './plan-workspace.ts';
import { cites } from './requirements.ts';

const FILE = 'plans/check.yaml';
const NOWHERE = '00000000-0000-4000-8000-000000000000';

let workspace: PlanWorkspace;
beforeEach(() => {
  workspace = new PlanWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());
const baton = (...args: readonly string[]) => workspace.baton(...args);

describe('plan run', () => {
  test(`${cites('CLI-PLAN')} runs a file and tells what happens, one line each`, () => {
    const file = workspace.approved(
      FILE,
      '{id: lint, work: echo fine}',
      '{id: build, work: touch built, needs: [lint]}',
    );
    const { status, stdout, stderr } = baton('plan', 'run', file);
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d lint {3}succeeded in \d+\.\d s$/m);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d build {2}succeeded in \d+\.\d s$/m);
    expect(stdout).toMatch(/\nPlan "Check" succeeded in \d+\.\d s: 2 of 2 jobs succeeded\.\n$/);
    expect(status).toBe(0);
    expect(existsSync(workspace.file('built'))).toBe(true);
  });

  test(`${cites('CLI-PLAN')} a failure is told with its command and its output, and exit code 1`, () => {
    const file = workspace.approved(
      FILE,
      '{id: build, work: "echo from the build; exit 3"}',
      '{id: publish, work: "true", needs: [build]}',
    );
    const { status, stdout } = baton('plan', 'run', file);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d build {4}failed: exit_code: It exited with 3\.$/m);
    expect(stdout).toMatch(/^\d\d:\d\d:\d\d publish {2}blocked$/m);
    expect(stdout).toContain('Plan "Check" failed in ');
    expect(stdout).toContain(
      'build failed: exit_code: It exited with 3.\n  $ echo from the build; exit 3\n  │ from the build\n  Blocked by it: publish\n',
    );
    expect(stdout).toMatch(/Try again: {3}baton plan retry [0-9a-f]{8}\n$/);
    expect(status).toBe(1);
  });

  test(`${cites('CLI-PLAN', 'T6')} a file that nobody has approved is refused where nobody can be asked`, () => {
    const file = workspace.write(FILE, '{id: build, work: touch built}');
    const { status, stdout, stderr } = baton('plan', 'run', file);
    expect(stderr).toMatch(/^baton: not_trusted: .*`baton trust grant plans\/check\.yaml`/);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(existsSync(workspace.file('built'))).toBe(false);
  });

  test(`${cites('CLI-PLAN')} what is wrong in a file is told with line and column`, () => {
    writeFileSync(workspace.file(FILE), 'name: x\njobs:\n  - id: A\n    wrok: echo\n');
    const { status, stdout, stderr } = baton('plan', 'run', FILE);
    expect(stderr).toContain(
      'plans/check.yaml:3:9: jobs.0.id: expected 3 to 64 of a-z, 0-9 and -.',
    );
    expect(stderr).toContain('plans/check.yaml:4:5: Unknown key "wrok" (did you mean "work"?)');
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    writeFileSync(workspace.file(FILE), 'name: [\n');
    expect(baton('plan', 'run', FILE).stderr).toMatch(/^plans\/check\.yaml:\d+:\d+: /);
    for (const file of ['plans/none.yaml', '../x.yaml', '/etc/passwd']) {
      const missing = baton('plan', 'run', file);
      expect(missing.stderr).toMatch(/^baton: file_unusable: /);
      expect(missing.status).toBe(1);
    }
    expect(baton('plan', 'run')).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Which file/),
    });
  });

  test(`${cites('CLI-PLAN')} a file is named from where one is, and nobody has to wait`, async () => {
    workspace.approved(FILE, '{id: build, work: "true"}');
    const inFolder = workspace.batonIn(workspace.file('plans'), 'plan', 'run', 'check.yaml');
    expect(inFolder.status).toBe(0);
    const left = baton('plan', 'run', FILE, '--no-wait');
    const [, id = ''] =
      /^Plan "Check" is running\. .* watch ([0-9a-f]{8})\n$/.exec(left.stdout) ?? [];
    expect(left.status).toBe(0);
    await workspace.until(id, 'succeeded');
    const paused = baton('plan', 'run', FILE, '--paused');
    expect(paused.stdout).toMatch(/^Plan "Check" is pending\. .* baton plan start [0-9a-f]{8}\n$/);
    expect(paused.status).toBe(0);
  });

  test(`${cites('CLI-PLAN', 'CLI-PLAN-WATCH')} --json is one object per line`, () => {
    const file = workspace.approved(
      FILE,
      '{id: build, work: "exit 4"}',
      '{id: lint, work: "true"}',
    );
    const { status, stdout } = baton('plan', 'run', file, '--json');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(events).toContainEqual(
      expect.objectContaining({ job: 'build', state: 'failed', reason: 'exit_code', attempt: 1 }),
    );
    expect(events).toContainEqual(expect.objectContaining({ job: 'lint', state: 'succeeded' }));
    expect(events.at(-1)).toMatchObject({
      name: 'Check',
      state: 'failed',
      jobs: { total: 2, succeeded: 1, failed: 1 },
    });
    expect(status).toBe(1);
  });
});

describe('looking', () => {
  test(`${cites('CLI-PLAN')} show, logs and graph tell what there is, also as JSON`, () => {
    const file = workspace.approved(
      FILE,
      '{id: lint, work: "printf \'one\\ntwo\'", group: checks}',
      '{id: test, work: "printf \'\\\\033[2J\\\\007red\\n\'; exit 1", group: checks/unit}',
      '{id: both, work: "true", needs: [lint, test], name: All of it}',
    );
    expect(baton('plan', 'run', file).status).toBe(1);
    const [{ id }] = workspace.json('plan', 'list').plans;
    const short = id.slice(0, 6);

    const shown = baton('plan', 'show', short).stdout;
    expect(shown).toMatch(/^Check {2}failed {2}█{20} {2}3\/3 {2}\d/);
    expect(shown).toMatch(/\n {2}checks\n {4}✔ lint +\d+\.\d s\n {4}unit\n {6}✖ test /);
    expect(shown).toMatch(/\n {2}⊘ both +All of it\n/);
    expect(shown).toContain(`${id}: created `);
    expect(shown).toContain('from plans/check.yaml, at most 4 at once');
    expect(shown).toContain('  │ \\u001b[2J\\u0007red\n');
    expect(workspace.json('plan', 'show', short)).toMatchObject({ id, state: 'failed' });

    expect(baton('plan', 'logs', short, 'lint')).toEqual({
      status: 0,
      stdout: 'one\ntwo\n',
      stderr: '',
    });
    expect(baton('plan', 'logs', short, 'test', '--all').stdout).toBe('\\u001b[2J\\u0007red\n');
    expect(workspace.json('plan', 'logs', short, 'lint')).toMatchObject({ text: 'one\ntwo' });
    expect(baton('plan', 'logs', short, 'both').stderr).toBe('Job both has no output.\n');
    expect(baton('plan', 'logs', short, 'lint', '--attempt', '2').stderr).toMatch(
      /^baton: attempt_unknown: /,
    );
    expect(baton('plan', 'logs', short, 'lint', '--attempt', 'x').status).toBe(2);
    expect(baton('plan', 'logs', short)).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Which job/),
    });

    expect(baton('plan', 'graph', short).stdout).toMatch(
      /^Check {2}failed\n├─ ✔ lint {2}succeeded\n│ {2}└─ ⊘ both {2}blocked {2}also needs test\n└─ ✖ test {2}failed\nLongest way: .*\n$/,
    );
    expect(baton('plan', 'graph', short, '--mermaid').stdout).toMatch(/^flowchart /);
    expect(workspace.json('plan', 'graph', short).graph.states.both).toBe('blocked');
  });

  test(`${cites('CLI-PLAN')} logs --all has every page, and --follow every attempt to the end`, () => {
    const file = workspace.approved(
      FILE,
      '{id: long, work: "seq 1 20000"}',
      '{id: twice, retry: 1, work: "echo try $BATON_ATTEMPT; test $BATON_ATTEMPT = 2"}',
      '{id: slow, needs: [twice], work: "echo begin; sleep 1; echo end"}',
    );
    const id = workspace.start(file);
    const slow = baton('plan', 'logs', id, 'slow', '--follow');
    expect(slow).toEqual({ status: 0, stdout: 'begin\nend\n', stderr: '' });
    expect(baton('plan', 'logs', id, 'twice', '--attempt', '1').stdout).toBe('try 1\n');
    const all = baton('plan', 'logs', id, 'long', '--all', '--follow').stdout;
    expect(all.split('\n')).toEqual([...Array.from({ length: 20_000 }, (_, n) => `${n + 1}`), '']);
    expect(baton('plan', 'logs', id, 'long').stdout).toMatch(/\n19999\n20000\n$/);
    baton('plan', 'watch', id);
    const again = workspace.start(file);
    expect(baton('plan', 'logs', again, 'twice', '--follow').stdout).toBe('try 1\ntry 2\n');
  });

  test(`${cites('CLI-PLAN')} plans that do not exist are named, with exit code 1`, () => {
    for (const command of ['show', 'watch', 'graph', 'start', 'cancel', 'retry', 'archive']) {
      const { status, stdout, stderr } = baton('plan', command, NOWHERE);
      expect(stderr, command).toMatch(/^baton: plan_unknown: There is no plan .*\n$/);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      if (command !== 'watch') expect(baton('plan', command).stderr).toContain('Which plan?');
    }
    expect(baton('plan', 'watch').stderr).toMatch(/plan_unknown: No plan of this workspace moves/);
    expect(baton('plan', 'logs', NOWHERE, 'build').stderr).toMatch(/^baton: plan_unknown: /);
    const file = workspace.approved(FILE, '{id: one, work: ls}');
    const { id } = workspace.json('plan', 'run', file, '--paused');
    expect(baton('plan', 'logs', id, 'two').stderr).toMatch(/^baton: job_unknown: /);
    expect(baton('plan', 'watch', id).stdout).toMatch(
      /is pending\. To let it run: baton plan start/,
    );
  });
});

describe('controlling', () => {
  test(`${cites('CLI-PLAN')} starts, pauses, resumes, fails, retries, cancels and recovers`, async () => {
    const file = workspace.approved(
      FILE,
      '{id: hold, work: "until test -f go; do sleep 0.05; done"}',
      '{id: next, work: "true", needs: [hold]}',
      '{id: wrong, work: "false"}',
    );
    const { id } = workspace.json('plan', 'run', file, '--paused');
    const short = id.slice(0, 8);
    expect(baton('plan', 'start', short).stdout).toBe(
      `Plan "Check" (${short}) is running. To see it: baton plan watch ${short}\n`,
    );
    expect(baton('plan', 'start', short)).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/plan_state/),
    });
    await workspace.untilJob(id, 'hold', 'running');
    expect(baton('plan', 'pause', short).stdout).toContain('is pausing.');
    expect(baton('plan', 'resume', short).stdout).toContain('is running.');
    expect(baton('plan', 'fail', short).stderr).toContain('Which job?');
    expect(baton('plan', 'fail', short, 'hold', '--message', 'no need').status).toBe(0);
    await workspace.until(id, 'failed');
    expect(baton('plan', 'show', short).stdout).toContain('failed_by_hand: no need');
    writeFileSync(workspace.file('go'), '');
    expect(baton('plan', 'retry', short, 'wrong', '--work', 'echo other').status).toBe(0);
    await workspace.until(id, 'failed');
    expect(baton('plan', 'logs', short, 'wrong').stdout).toBe('other\n');
    expect(baton('plan', 'retry', short).status).toBe(0);
    expect(baton('plan', 'watch', short).status).toBe(0);

    const { id: clone } = workspace.json('plan', 'clone', short);
    expect(baton('plan', 'cancel', clone).stdout).toContain('is cancelled.');
    expect(baton('plan', 'recover', clone).stdout).toContain('baton plan resume');
    expect(workspace.json('plan', 'archive', short)).toMatchObject({ id, state: 'archived' });
    expect(workspace.json('plan', 'recover', short)).toMatchObject({ state: 'succeeded' });
  });

  test(`${cites('CLI-PLAN')} delete asks, unless it is told not to`, async () => {
    const file = workspace.approved(FILE, '{id: one, work: "true"}');
    const { id } = workspace.json('plan', 'run', file, '--paused');
    const refused = baton('plan', 'delete', id);
    expect(refused).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/Nobody can be asked here/),
    });
    for (const [typed, words, code] of [
      ['n\n', 'Nothing was deleted.', 1],
      ['\u0004', 'Nothing was deleted.', 1],
      ['\u0003', 'Nothing was deleted.', 1],
      ['y\n', 'is deleted.', 0],
    ] as const) {
      await using terminal = workspace.terminal(['plan', 'delete', id]);
      await terminal.shows('for good? [y/N]');
      terminal.type(typed);
      expect(await terminal.exited).toBe(code);
      expect(terminal.screen).toContain(words);
    }
    const { id: other } = workspace.json('plan', 'run', file, '--paused');
    expect(baton('plan', 'delete', other, '--yes').status).toBe(0);
    expect(workspace.json('plan', 'list').plans).toEqual([]);
  });

  test(`${cites('CLI-PLAN', 'CLI-HELP')} every command has help with examples`, () => {
    const names =
      'run watch show logs graph start pause resume cancel retry fail recover clone archive delete';
    const overview = baton('--help').stdout;
    for (const name of names.split(' ')) {
      const { status, stdout } = baton('plan', name, '--help');
      expect(stdout).toMatch(new RegExp(`^baton plan ${name} [\\s\\S]+Examples:\\n {2}baton plan`));
      expect(status).toBe(0);
      expect(overview).toContain(`plan ${name}`);
    }
  });
});

test(`${cites('CLI-ASK')} a tool that asks is answered on a terminal, field by field`, async () => {
  const ask = () => workspace.fixtureTerminal(['confirm', '--subject', 'jump']);
  await using sure = ask();
  await sure.shows('Really jump?');
  await sure.shows('[y/N]');
  sure.type('y\n');
  await sure.shows('Why?');
  sure.type('because\n');
  expect(await sure.exited).toBe(0);
  expect(sure.screen).toContain('outcome: confirmed because because');
  for (const typed of ['\n', 'n\n', '\u0004']) {
    await using unsure = ask();
    await unsure.shows('[y/N]');
    unsure.type(typed);
    expect(await unsure.exited).toBe(0);
    expect(unsure.screen).toContain('outcome: declined');
  }
  await using silent = ask();
  await silent.shows('[y/N]');
  silent.type('y\n');
  await silent.shows('reason:');
  silent.type('\n');
  await silent.exited;
  expect(silent.screen).toContain('confirmed because undefined');
});
