import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { cites } from '../requirements.ts';
import type { PlanServer } from './plan-server.ts';
import { PlanWorld } from './plan-world.ts';

const LIMIT_MS = 2000;
const PLAN_FILE = 'name: Outside\njobs:\n  - id: canary\n    work: touch canary\n';

const HOSTILE = [
  '',
  ' ',
  '.',
  '..',
  '../',
  '../outside.yaml',
  '../outside',
  '../acme-evil/plan.yaml',
  './../acme-evil',
  'sub/../../outside.yaml',
  'sub/../../acme-evil',
  '....//outside.yaml',
  '..\\outside.yaml',
  'sub\\..\\..\\outside.yaml',
  '/etc/passwd',
  '/etc',
  '/',
  '//etc/passwd',
  '/proc/self/environ',
  '/proc/self/cwd',
  '/proc/self/fd/0',
  '/proc/1/root',
  '/dev/zero',
  '/dev/stdin',
  '/dev/tcp/127.0.0.1/1',
  'file:///etc/passwd',
  'http://127.0.0.1:1/plan.yaml',
  '%2e%2e%2foutside.yaml',
  '..%2foutside.yaml',
  '%252e%252e%252foutside.yaml',
  '..%c0%afoutside.yaml',
  '\uff0e\uff0e/outside.yaml',
  'plan.yaml\0.txt',
  '../outside.yaml\0',
  'C:\\Windows\\win.ini',
  'C:outside.yaml',
  '\\\\server\\share\\plan.yaml',
  '//server/share/plan.yaml',
  '\\\\?\\C:\\plan.yaml',
  'CON',
  'NUL.yaml',
  '~/.ssh/id_rsa',
  '$HOME',
  '${HOME}/outside.yaml',
  '-rf',
  '--help',
  'link-out/outside.yaml',
  'link-out',
  'link-to-missing',
  'link-to-passwd',
  'pipe.yaml',
  'folder.yaml',
  'plan.yaml/',
  'plan.yaml/../../outside.yaml',
  '__proto__',
  'constructor',
  '\u202eplan.yaml',
  '\u001b[2Jplan.yaml',
  'a\nb',
  'x'.repeat(5000),
  '../'.repeat(1000),
  'a/'.repeat(500),
];

function prepare(world: PlanWorld): void {
  const outside = (name: string) => path.join(world.folder, name);
  writeFileSync(outside('outside.yaml'), PLAN_FILE);
  mkdirSync(outside('outside'));
  mkdirSync(outside('acme-evil'));
  writeFileSync(path.join(outside('acme-evil'), 'plan.yaml'), PLAN_FILE);
  mkdirSync(world.file('sub'));
  mkdirSync(world.file('folder.yaml'));
  symlinkSync(world.folder, world.file('link-out'));
  symlinkSync(outside('missing.yaml'), world.file('link-to-missing'));
  symlinkSync('/etc/passwd', world.file('link-to-passwd'));
  spawnSync('mkfifo', [world.file('pipe.yaml')]);
}

/** What was answered, and that it came in time. */
async function answer(server: PlanServer, method: string, params: object) {
  const start = performance.now();
  const { result, error } = await server.request(method, params);
  expect(performance.now() - start, JSON.stringify(params).slice(0, 200)).toBeLessThan(LIMIT_MS);
  const refusal = result?.isError ? result.structuredContent : error;
  return {
    isRefused: refusal !== undefined,
    code: refusal?.code,
    text: JSON.stringify(refusal ?? ''),
  };
}

const tool = (name: string, args: object) => ['tools/call', { name, arguments: args }] as const;
const job = (more: object) =>
  tool('plan_create', {
    name: 'Plan',
    draft: true,
    jobs: [{ id: 'abc', work: { type: 'shell', command: 'true', ...more } }],
  });

const grouped = (group: string) =>
  tool('plan_create', { name: 'Plan', draft: true, jobs: [{ id: 'abc', work: 'true', group }] });

test(`${cites('T12')} ${HOSTILE.length} hostile names lead nowhere, in every parameter that is one`, async () => {
  expect(HOSTILE.length).toBeGreaterThanOrEqual(40);
  await using world = new PlanWorld();
  prepare(world);
  const server = world.server('off');
  const plan = await server.create({ draft: true, jobs: [{ id: 'abc', work: 'true' }] });
  const always: readonly ((name: string) => readonly [string, object])[] = [
    (name) => tool('plan_create', { file: name }),
    (name) => tool('plan_get', { plan: name }),
    (name) => tool('plan_get', { plan, view: 'job', job: name || ' ' }),
    (name) => tool('plan_get', { plan, view: 'logs', job: name || ' ' }),
    (name) => tool('plan_control', { plan: name, action: 'delete' }),
    (name) => tool('plan_control', { plan, action: 'cancel', jobs: [name] }),
    (name) => tool('plan_edit', { plan: name, remove: ['abc'] }),
    (name) => tool('plan_edit', { plan, remove: [name] }),
    (name) =>
      tool('plan_create', {
        name: 'Plan',
        jobs: [{ id: 'abc', work: 'true' }],
        after: name || ' ',
      }),
    (name) => ['resources/read', { uri: `baton://plan/${encodeURIComponent(name)}` }],
    (name) => ['resources/read', { uri: `baton://plan/${name}` }],
    (name) => [
      'resources/read',
      { uri: `baton://plan/${plan}/job/${encodeURIComponent(name)}/log` },
    ],
    (name) => ['resources/read', { uri: `baton://plan/${plan}/job/${name}/log` }],
    (name) => ['resources/read', { uri: name }],
  ];
  for (const name of HOSTILE) {
    for (const ask of always) {
      const { isRefused, text } = await answer(server, ...ask(name));
      expect(isRefused, `${JSON.stringify(ask(name)).slice(0, 300)}`).toBe(true);
      expect(text).not.toMatch(/root:|touch canary|"stack"|internal/);
    }
    // Any plan may come into being later, so one may wait for it.
    const uri = `baton://plan/${encodeURIComponent(name)}`;
    await answer(server, 'resources/subscribe', { uri });
    // Whether these mean anything shows only when the job runs, and then nothing else happens.
    await answer(server, ...job({ cwd: name }));
    await answer(server, ...job({ shell: name }));
    await answer(server, ...grouped(name));
  }
  expect(await server.get(plan)).toMatchObject({ state: 'draft', jobs: { total: 1 } });
});

test(`${cites('T12')} jobs run in no other folder, and what cannot be started is told at once`, async () => {
  await using world = new PlanWorld();
  prepare(world);
  const server = world.server('auto');
  const wanted = HOSTILE.flatMap((name, index) => [
    {
      id: `cwd-${index}`,
      work: { type: 'shell', command: `pwd >> ${world.file('folders')}`, cwd: name },
    },
    { id: `run-${index}`, work: { type: 'process', executable: name } },
    { id: `shell-${index}`, work: { type: 'shell', command: 'true', shell: name } },
  ]);
  const draft = await server.create({ draft: true, maxParallel: 0 });
  const accepted: string[] = [];
  for (const each of wanted) {
    const { isRefused } = await answer(
      server,
      ...tool('plan_edit', { plan: draft, upsert: [each] }),
    );
    if (!isRefused) accepted.push(each.id);
  }
  expect(accepted.length).toBeGreaterThan(HOSTILE.length);
  await server.call('plan_edit', { plan: draft, finalize: true });
  await server.ended(draft);
  const { graph } = await server.get(draft, { view: 'graph' });
  const states = Object.entries<string>(graph.states);
  expect(states.filter(([, state]) => state !== 'failed' && state !== 'succeeded')).toEqual([]);
  const isElsewhere = (folder: string) =>
    folder !== world.workspace && !folder.startsWith(`${world.workspace}/`);
  expect(world.lines('folders').filter(isElsewhere)).toEqual([]);
});

test(`${cites('T12')} nobody learns what is there outside of the workspace`, async () => {
  await using world = new PlanWorld();
  prepare(world);
  symlinkSync(path.join(world.folder, 'outside.yaml'), world.file('link-to-present'));
  symlinkSync('/no/such/folder/at/all', world.file('link-to-nowhere'));
  symlinkSync(world.file('loop'), world.file('loop'));
  const server = world.server('off');
  const pairs = [
    ['../outside.yaml', '../missing.yaml'],
    ['/etc/passwd', '/etc/missing'],
    ['/etc', '/missing'],
    ['/etc/passwd', '/etc/passwd/below'],
    ['link-out/outside.yaml', 'link-out/missing.yaml'],
    ['link-to-present', 'link-to-missing'],
    ['link-to-passwd', 'link-to-nowhere'],
  ] as const;
  for (const [present, missing] of pairs) {
    const told = async (file: string) => {
      const { code, text } = await answer(server, ...tool('plan_create', { file }));
      const known = [file, path.resolve(world.workspace, file)].sort((a, b) => b.length - a.length);
      return { code, text: known.reduce((said, name) => said.replaceAll(name, '…'), text) };
    };
    expect(await told(missing)).toEqual(await told(present));
  }
  expect((await answer(server, ...tool('plan_create', { file: 'missing.yaml' }))).text).toContain(
    'does not exist',
  );
  expect((await answer(server, ...tool('plan_create', { file: 'loop' }))).code).toBe(
    'file_unusable',
  );
});
