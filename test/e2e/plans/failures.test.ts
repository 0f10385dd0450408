import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';

const run = (executable: string, args: readonly string[] = [], more: object = {}) => ({
  type: 'process',
  executable,
  args,
  ...more,
});

/** A reference to an output of the job `maker`. */
const made = (output: string) => `\${maker.${output}}`;

test(`${cites('PLAN-FAILURES')} every way to fail has a name`, async () => {
  await using world = new PlanWorld();
  world.write('not-a-program', 'text');
  chmodSync(world.file('not-a-program'), 0o644);
  const failing = {
    timeout: [{ type: 'shell', command: 'sleep 30', timeoutSeconds: 0.5 }, { reason: 'timeout' }],
    'exit-code': ['exit 7', { reason: 'exit_code', exitCode: 7 }],
    suicide: ['kill -9 $$', { reason: 'signal', signal: 'SIGKILL' }],
    segfault: ['kill -SEGV $$', { reason: 'signal', signal: 'SIGSEGV' }],
    'not-found': [run('no-such-program'), { reason: 'start_not_found' }],
    denied: [run('./not-a-program'), { reason: 'start_denied' }],
    'bad-folder': [run('true', [], { cwd: 'nowhere' }), { reason: 'start_bad_folder' }],
    'file-as-folder': [run('true', [], { cwd: 'not-a-program' }), { reason: 'start_bad_folder' }],
    // An argument may have 128 KiB on Linux, all of them together 2 MiB.
    'too-big': [run('true', Array(30).fill('x'.repeat(100_000))), { reason: 'start_too_big' }],
    'unknown-shell': [
      { type: 'shell', command: 'true', shell: 'tcl' },
      { reason: 'shell_unknown' },
    ],
    'bad-output': ['echo nonsense > $BATON_OUTPUT', { reason: 'output_invalid' }],
    'pipe-as-output': ['mkfifo $BATON_OUTPUT', { reason: 'output_invalid' }],
    'folder-as-output': ['mkdir -p $BATON_OUTPUT/below', { reason: 'output_invalid' }],
    'huge-output': ['head -c 600000 /dev/zero > $BATON_OUTPUT', { reason: 'output_invalid' }],
  } as const;
  const server = world.server('auto');
  const plan = await server.create({
    maxParallel: 0,
    jobs: [
      ...Object.entries(failing).map(([id, [work]]) => ({ id, work })),
      { id: 'blocked', work: 'echo ran >> blocked', needs: ['exit-code'] },
      { id: 'untouched', work: 'echo ran >> untouched' },
    ],
  });
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    jobs: { failed: Object.keys(failing).length, blocked: 1, succeeded: 1 },
  });
  for (const [job, [, expected]] of Object.entries(failing)) {
    const [attempt, ...more] = await server.attempts(plan, job);
    expect(attempt, job).toMatchObject({ state: 'failed', ...expected });
    expect(attempt.message, job).not.toBe('');
    expect(more, job).toEqual([]);
  }
  const { failure } = await server.get(plan, { view: 'failure' });
  expect(failure.failed).toBe(Object.keys(failing).length);
  expect(world.lines('blocked')).toEqual([]);
  expect(world.lines('untouched')).toEqual(['ran']);
});

test(`${cites('PLAN-RETRY')} what fails is tried again after a pause that grows`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const flaky = 'echo x >> $BATON_JOB_ID; [ $(wc -l < $BATON_JOB_ID) -gt 2 ]';
  const plan = await server.create({
    jobs: [
      { id: 'flaky', work: flaky, retry: 2 },
      { id: 'hopeless', work: flaky, retry: 1 },
      { id: 'in-vain', work: { type: 'process', executable: 'no-such-program' }, retry: 5 },
    ],
  });
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    jobs: { succeeded: 1, failed: 2 },
  });
  const attempts = await server.attempts(plan, 'flaky');
  expect(attempts.map(({ state, trigger }) => `${state} ${trigger}`)).toEqual([
    'failed first',
    'failed again',
    'succeeded again',
  ]);
  const starts = attempts.map(({ startedAt }) => Date.parse(startedAt));
  expect((starts[1] ?? 0) - (starts[0] ?? 0)).toBeGreaterThanOrEqual(1000);
  expect((starts[2] ?? 0) - (starts[1] ?? 0)).toBeGreaterThanOrEqual(2000);
  expect(world.lines('flaky')).toHaveLength(3);
  expect(await server.story(plan, 'hopeless')).toBe('failed failed');
  expect(await server.story(plan, 'in-vain')).toBe('failed');
});

test(`${cites('PLAN-RETRY')} a job is tried again when its pause is over, whatever runs meanwhile`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = await server.create({
    jobs: [
      { id: 'slow', work: 'while [ ! -e open ]; do sleep 0.05; done' },
      { id: 'flaky', work: 'echo x >> tries; [ $(wc -l < tries) -gt 2 ]', retry: 2 },
    ],
  });
  await server.get(plan, { view: 'job', job: 'flaky', waitSeconds: 30 });
  world.write('open', '');
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  const starts = (await server.attempts(plan, 'flaky')).map(({ startedAt }) =>
    Date.parse(startedAt),
  );
  // One second and two, with as much again for a busy machine.
  expect((starts[2] ?? Number.NaN) - (starts[0] ?? 0)).toBeLessThan(6000);
});

test(`${cites('PLAN-FAILURES', 'T39')} what this machine cannot start now is started later`, async () => {
  await using world = new PlanWorld();
  // Node.js itself has twenty to thirty files open, and each job needs two.
  await world.worker({ command: ['prlimit', '--nofile=56', process.execPath] });
  const server = world.server('off');
  const ids = Array.from({ length: 24 }, (_, index) => `job-${index}`);
  const plan = await server.create({
    maxParallel: 0,
    jobs: ids.map((id) => ({ id, work: `echo ${id} >> effects; sleep 0.5` })),
  });
  expect(await server.ended(plan)).toMatchObject({ state: 'succeeded' });
  expect(world.lines('effects').toSorted()).toEqual(ids.toSorted());
  const attempts = (await Promise.all(ids.map((id) => server.attempts(plan, id)))).flat();
  const failed = attempts.filter(({ state }) => state === 'failed');
  expect(new Set(failed.map(({ reason }) => reason))).toEqual(new Set(['start_no_resources']));
});

test(`${cites('PLAN-OUTPUTS')} outputs reach later jobs in arguments and variables, and what is missing is named`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const nasty = '$(touch canary); `touch canary` "\'*';
  world.write('nasty', nasty);
  const plan = await server.create({
    jobs: [
      {
        id: 'maker',
        work: '{ echo version=1.2; echo "nasty=$(cat nasty)"; printf "long<<EOF\\na\\nb\\nEOF\\n"; } >> $BATON_OUTPUT',
      },
      {
        id: 'args',
        needs: ['maker'],
        work: run('sh', [
          '-c',
          'printf "%s|%s" "$1" "$2" > args',
          'sh',
          made('version'),
          `x${made('nasty')}y`,
        ]),
      },
      {
        id: 'variables',
        needs: ['maker'],
        work: {
          type: 'shell',
          command: 'printf "%s|%s" "$NASTY" "$LONG" > variables',
          env: { NASTY: made('nasty'), LONG: made('long') },
        },
      },
      { id: 'missing', needs: ['maker'], work: run('echo', [made('nothing')]) },
    ],
  });
  expect(await server.ended(plan)).toMatchObject({
    state: 'failed',
    failed: [{ job: 'missing', reason: 'output_missing' }],
  });
  expect(readFileSync(world.file('args'), 'utf8')).toBe(`1.2|x${nasty}y`);
  expect(readFileSync(world.file('variables'), 'utf8')).toBe(`${nasty}|a\nb`);
  expect(existsSync(world.file('canary'))).toBe(false);
  const { job } = await server.get(plan, { view: 'job', job: 'maker' });
  expect(job.outputs).toEqual({ version: '1.2', nasty, long: 'a\nb' });
});
