import { existsSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { PlanWorkspace } from './plan-workspace.ts';
import { cites } from './requirements.ts';

const FILE = 'plans/check.yaml';
const HOLD = 'until test -f go; do sleep 0.05; done';
const ENDED = '\u001b[?25h';

let workspace: PlanWorkspace;
beforeEach(() => {
  workspace = new PlanWorkspace();
});
afterEach(() => workspace[Symbol.asyncDispose]());
const isHead = (line: string) => line.startsWith('Check  running');
const go = () => writeFileSync(workspace.file('go'), '');

describe('plan run on a terminal', () => {
  test(`${cites('CLI-PLAN-WATCH', 'CLI-ASK', 'T6')} asks for approval once, then shows the plan`, async () => {
    const file = workspace.write(FILE, '{id: build, work: echo built}');
    await using terminal = workspace.terminal(['plan', 'run', file]);
    await terminal.shows('[y/N]');
    expect(terminal.screen).toContain('    1. build\n       $ echo built\n');
    expect(terminal.screen).not.toContain('succeeded');
    terminal.type('y\n');
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toMatch(/\nCheck {2}succeeded {2}█{20} {2}1\/1 {2}\d.*\n {2}✔ build /);
    expect(terminal.raw.lastIndexOf(ENDED)).toBeGreaterThan(terminal.raw.lastIndexOf('✔'));
    await using again = workspace.terminal(['plan', 'run', file]);
    expect(await again.exited).toBe(0);
    expect(again.screen).not.toContain('[y/N]');
  });

  test.each(['n\n', '\n', '\u0004', '\u0003'])(
    `${cites('CLI-PLAN-WATCH', 'CLI-ASK', 'T6')} %j approves nothing`,
    async (typed) => {
      const file = workspace.write(FILE, '{id: build, work: touch built}');
      await using terminal = workspace.terminal(['plan', 'run', file]);
      await terminal.shows('[y/N]');
      terminal.type(typed);
      expect(await terminal.exited).toBe(1);
      expect(existsSync(workspace.file('built'))).toBe(false);
      expect(workspace.json('trust', 'list')).toEqual([]);
      expect(workspace.json('plan', 'list').plans).toEqual([]);
    },
  );

  test(`${cites('CLI-PLAN-WATCH')} Ctrl-C leaves the view, and the plan goes on`, async () => {
    const file = workspace.approved(FILE, `{id: hold, work: "${HOLD}"}`);
    await using terminal = workspace.terminal(['plan', 'run', file]);
    await terminal.shows('● hold');
    terminal.type('\u0003');
    expect(await terminal.exited).toBe(1);
    const [, id = ''] =
      /The plan goes on\. .*baton plan watch ([0-9a-f]{8})/.exec(terminal.screen) ?? [];
    expect(terminal.screen).toContain(`baton plan cancel ${id}`);
    expect(terminal.raw).toContain(ENDED);
    expect(workspace.stateOf(id)).toBe('running');
    go();
    expect(workspace.baton('plan', 'watch', id).status).toBe(0);
  });

  test(`${cites('CLI-PLAN-WATCH')} a failure stays on the screen with its context`, async () => {
    const file = workspace.approved(FILE, '{id: build, work: "echo oh no; exit 3"}');
    await using terminal = workspace.terminal(['plan', 'run', file]);
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen).toMatch(/\n {2}✖ build .*exit_code: It exited with 3\.\n/);
    expect(terminal.screen).toContain('  $ echo oh no; exit 3\n  │ oh no\n');
  });
});

describe('plan watch', () => {
  test(`${cites('CLI-PLAN-WATCH', 'T29')} shows jobs and output in place, and lets no job act on the terminal`, async () => {
    const hostile = `printf '\\\\033[2J\\\\033]0;mine\\\\007\\\\033[31mred\\\\342\\\\200\\\\256\\n'`;
    const file = workspace.approved(
      FILE,
      `{id: hold, work: "${hostile}; ${HOLD}", group: checks, name: "A \\e[2J name"}`,
      '{id: done, work: "true", group: checks}',
      '{id: last, work: "true", needs: [hold]}',
    );
    const id = workspace.start(file);
    await using terminal = workspace.terminal(['plan', 'watch']);
    await terminal.shows('✔ done');
    await terminal.shows('│ \\u001b[2J\\u001b]0;mine\\u0007red\\u202e');
    await terminal.shows('● hold');
    expect(terminal.lines.slice(0, 5)).toEqual([
      expect.stringMatching(
        `^Check {2}running {2}█{6}░{14} {2}1/3 {2}\\d.* s {2}${id.slice(0, 8)}$`,
      ),
      '  checks',
      expect.stringMatching(/^ {4}● hold {2}\d+\.\d s {4}A \\u001b\[2J name$/),
      expect.stringMatching(/^ {6}│ /),
      expect.stringMatching(/^ {4}✔ done {2}\d+\.\d s$/),
    ]);
    expect(terminal.raw).toContain('\u001b[36m●\u001b[39m');
    go();
    expect(await terminal.exited).toBe(0);
    expect(terminal.lines[0]).toMatch(/^Check {2}succeeded {2}█{20} {2}3\/3/);
    expect(terminal.screen).not.toContain('│');
    expect(terminal.strayControls).toEqual([]);
    expect(terminal.raw).not.toMatch(/\u202e|\r(?!\n)[^\u001b]/);
  });

  test(`${cites('CLI-PLAN-WATCH')} shows what matters in the height there is, also when that changes`, async () => {
    const jobs = Array.from(
      { length: 40 },
      (_, n) => `{id: job-${n}, work: "true", needs: [hold]}`,
    );
    const file = workspace.approved(
      FILE,
      ...jobs,
      `{id: hold, work: "${HOLD}"}`,
      '{id: wrong, work: "exit 1"}',
    );
    workspace.start(file);
    const size = { rows: 10, columns: 60, env: { NO_COLOR: '1' } };
    await using terminal = workspace.terminal(['plan', 'watch'], size);
    await terminal.shows('● hold');
    await terminal.shows('✖ wrong');
    const height = () => terminal.lines.findLastIndex((line) => line !== '') + 1;
    await terminal.until(
      'the rest in one line',
      () => height() <= 9 && /\n {2}… \d\d more/.test(terminal.screen),
    );
    terminal.resize(60, 60);
    await terminal.shows('job-39');
    await terminal.until(
      'everything once',
      () => !/more|● hold[\s\S]*● hold/.test(terminal.screen) && terminal.screen.includes('● hold'),
    );
    terminal.resize(24, 12);
    // What was above has scrolled away: only the last drawing fits the window.
    const drawn = () => terminal.lines.slice(terminal.lines.findLastIndex(isHead));
    // A drawing arrives in parts: what counts is what is there in the end.
    await terminal.until('a drawing that fits', () => {
      const lines = drawn();
      const isSmall = lines.length <= 12 && lines.every((line) => line.length <= 24);
      return (
        isSmall && /\n {2}● hold .*\n {2}✖ wrong .*\n {2}… \d\d more\n$/.test(lines.join('\n'))
      );
    });
    expect(terminal.raw).not.toMatch(/\u001b\[\d+m/);
    go();
    expect(await terminal.exited).toBe(1);
  });

  test(`${cites('CLI-PLAN-WATCH')} a terminal that cannot draw gets lines; attempts are told`, async () => {
    const file = workspace.approved(
      FILE,
      '{id: twice, retry: 1, work: "test $BATON_ATTEMPT = 2"}',
      '{id: next, needs: [twice], work: "true"}',
    );
    const id = workspace.start(file);
    await using terminal = workspace.terminal(['plan', 'watch', id], { env: { TERM: 'dumb' } });
    expect(await terminal.exited).toBe(0);
    expect(terminal.screen).toMatch(
      / twice {2}failed: exit_code: It exited with 1\. It is tried again\.\n/,
    );
    expect(terminal.screen).toMatch(/ twice {2}succeeded in \d+\.\d s \(attempt 2\)\n/);
    expect(terminal.raw).not.toContain('\u001b');
    const lines = workspace.baton('plan', 'watch', id, '--json').stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).state)).toEqual([
      'succeeded',
      'succeeded',
      'succeeded',
    ]);
  });

  test(`${cites('CLI-PLAN-WATCH')} a plan that was cancelled, or is left to a person, ends it with 1`, async () => {
    const file = workspace.approved(FILE, `{id: hold, work: "${HOLD}"}`);
    const id = workspace.start(file);
    const next = workspace.json('plan', 'create', '--file', file, '--after', id).id;
    await using terminal = workspace.terminal(['plan', 'watch', id]);
    await using after = workspace.terminal(['plan', 'watch', next]);
    await terminal.shows('● hold');
    await after.shows('Check  waiting');
    expect(workspace.baton('plan', 'cancel', id).status).toBe(0);
    expect(await terminal.exited).toBe(1);
    expect(terminal.screen).toMatch(/^Check {2}cancelled[\s\S]*⊖ hold/);
    expect(await after.exited).toBe(1);
    expect(after.screen).toContain('The plan before it has been cancelled.');
  });
});
