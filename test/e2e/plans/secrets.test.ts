import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';

const SECRETS = {
  server: 'CANARY-of-the-server',
  token: 'CANARY-token-0123456789abcdef0123456789',
  plan: 'CANARY-of-the-plan',
  job: 'CANARY-of-the-job',
  edited: 'CANARY-of-an-edit',
  passed: 'CANARY-that-is-passed',
};
const VIEWS = ['summary', 'graph', 'job', 'logs', 'attempts', 'failure'];

/** What a job may see: what every job gets, and what this test declares. */
const DECLARED = ['IN_PLAN', 'IN_JOB', 'PASSED'];
const ALLOWED =
  /^(PATH|HOME|BATON_STATE|BATON_(OUTPUT|WORKSPACE|PLAN_ID|JOB_ID|ATTEMPT|JOB)|PWD|OLDPWD|SHLVL|_)$/;

function filesWith(folder: string, text: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .filter((file) => readFileSync(file).includes(text));
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const proof = (...names: string[]) =>
  names.map((name) => `printf %s "$${name}" | sha256sum | cut -d' ' -f1`).join('; ');

test(`${cites('T13', 'PLAN-ENV')} values of variables reach the job and nobody else`, async () => {
  await using world = new PlanWorld({ env: { BATON_LOG_LEVEL: 'debug' } });
  const server = world.server('auto', {
    env: {
      ANY_KEY: SECRETS.server,
      BATON_TOKEN: SECRETS.token,
      PASSED: SECRETS.passed,
      BATON_PASS_ENV: 'PASSED',
    },
  });
  const env = { IN_JOB: SECRETS.job };
  const plan = await server.create({
    env: { IN_PLAN: SECRETS.plan },
    key: 'a-key',
    jobs: [
      { id: 'sees', work: { type: 'shell', command: proof('IN_PLAN', 'IN_JOB', 'PASSED'), env } },
      { id: 'names', work: { type: 'shell', command: 'env | cut -d= -f1', env } },
      { id: 'fails', work: { type: 'shell', command: 'exit 1', env }, retry: 1 },
      { id: 'not-there', work: { type: 'process', executable: 'no-such-program', env } },
      { id: 'nowhere', work: { type: 'process', executable: 'true', cwd: 'nowhere', env } },
      {
        id: 'too-big',
        work: {
          type: 'process',
          executable: 'true',
          args: Array(30).fill('x'.repeat(100_000)),
          env,
        },
      },
      { id: 'later', needs: ['fails'], work: 'true' },
    ],
  });
  await server.ended(plan);
  await server.control(plan, 'retry', {
    jobs: ['fails'],
    work: { type: 'shell', command: proof('IN_JOB'), env: { IN_JOB: SECRETS.edited } },
  });
  await server.ended(plan);
  expect((await server.log(plan, 'sees')).text).toBe(
    `${[SECRETS.plan, SECRETS.job, SECRETS.passed].map(hash).join('\n')}\n`,
  );
  expect((await server.log(plan, 'fails')).text).toBe(`${hash(SECRETS.edited)}\n`);
  const names = (await server.log(plan, 'names')).text.trimEnd().split('\n');
  expect(names).toEqual(expect.arrayContaining([...DECLARED, 'PATH', 'BATON_JOB']));
  expect(names.filter((name) => !ALLOWED.test(name) && !DECLARED.includes(name))).toEqual([]);

  for (const view of VIEWS) {
    for (const job of ['sees', 'fails', 'not-there']) await server.get(plan, { view, job });
  }
  await server.request('resources/read', { uri: `baton://plan/${plan}` });
  await server.call('plan_list');
  const clone = await server.control(plan, 'clone');
  await server.call('plan_edit', {
    plan: clone.id,
    set: { env: { IN_PLAN: SECRETS.edited } },
    upsert: [{ id: 'sees', work: { type: 'shell', command: 'true', env } }],
  });
  await server.control(clone.id, 'start');
  await server.ended(clone.id);
  // What is wrong is named, and nothing else of it.
  await server.request('tools/call', {
    name: 'plan_create',
    arguments: {
      name: 'x',
      jobs: [],
      env: { 'not a name': SECRETS.plan, BAD: { x: SECRETS.job } },
    },
  });
  const terminal = await Promise.all([
    world.baton('plan', 'get', '--plan', plan, '--view', 'failure'),
    world.baton('store', 'backup', path.join(world.folder, 'backup.db')),
    world.baton('doctor'),
  ]);

  const told = [
    JSON.stringify(server.program.replies),
    server.program.stderr,
    JSON.stringify(terminal),
  ];
  for (const secret of Object.values(SECRETS)) {
    expect(told.filter((text) => text.includes(secret))).toEqual([]);
    expect(filesWith(world.folder, secret)).toEqual([]);
  }
  const worker = await world.theWorker();
  expect(JSON.stringify([...worker.env])).not.toContain('CANARY');
  expect(filesWith(world.state, 'plan_create').length).toBeGreaterThan(0); // It was logged.
});
