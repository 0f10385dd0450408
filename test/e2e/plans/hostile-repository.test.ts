import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { type GitTraps, layGitTraps } from '@baton/testkit';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { PlanWorld } from './plan-world.ts';
import { until } from './until.ts';

const FILE = 'plans/release.yaml';

/** A repository that tries to run something with everything that it can bring along. */
function hostileWorld(): PlanWorld & { readonly canary: string; readonly traps: GitTraps } {
  const world = new PlanWorld();
  const canary = path.join(world.folder, 'canary');
  const touch = `touch ${canary}`;
  rmSync(world.file('.baton'), { recursive: true });
  const git = (...args: string[]) => spawnSync('git', args, { cwd: world.workspace });
  git('init', '-q', '-b', 'main');
  git('-c', 'user.name=Ada', '-c', 'user.email=a@example.com', 'commit', '-qm1', '--allow-empty');
  const traps = layGitTraps(world.file('.git'), path.join(world.folder, 'traps'));
  git('config', 'filter.evil.smudge', touch);
  git('config', 'filter.evil.clean', touch);
  world.write('.git/info/attributes', '* filter=evil diff=trap\n');
  world.write(FILE, `name: Release\njobs:\n  - id: build\n    work: ${touch}\n`);
  world.write('.baton/plans/auto.yaml', `name: Auto\njobs:\n  - id: auto\n    work: ${touch}\n`);
  world.write('.vscode/tasks.json', JSON.stringify({ tasks: [{ command: touch }] }));
  world.write(
    '.vscode/mcp.json',
    JSON.stringify({ servers: { x: { command: 'sh', args: ['-c', touch] } } }),
  );
  world.write(
    '.mcp.json',
    JSON.stringify({ mcpServers: { x: { command: 'sh', args: ['-c', touch] } } }),
  );
  world.write('.env', `BATON_WORKER=inline\nNODE_OPTIONS=--require ${world.file('evil.cjs')}\n`);
  world.write('evil.cjs', `require('fs').writeFileSync(${JSON.stringify(canary)}, '')`);
  for (const name of ['sh', 'node', 'git', 'baton']) {
    world.write(name, `#!/bin/sh\n${touch}\n`);
    chmodSync(world.file(name), 0o755);
  }
  return Object.assign(world, { canary, traps });
}

test(`${cites('T6', 'T52', 'CLI-CONFIG')} a repository does not decide how its jobs run`, async () => {
  await using world = new PlanWorld();
  world.write(
    '.baton/config.yaml',
    'worker: inline\nmaxJobs: 1000\npassEnv: [SECRET]\nworkerIdleSeconds: 86400\nkeepAwake: true\n',
  );
  const { stderr, status } = await world.baton('plan', 'list');
  expect(status).toBe(0);
  const names = [...stderr.matchAll(/config\.yaml:(\d) \((\w+)\)/g)].map(
    ([, line, name]) => `${line}${name}`,
  );
  expect(names.join()).toBe('1worker,2maxJobs,3passEnv,4workerIdleSeconds,5keepAwake');
  const server = world.server('auto', { env: { SECRET: 'canary' } });
  const id = await server.create({ jobs: [{ id: 'look', work: 'echo "[$SECRET]"' }] });
  await server.ended(id);
  expect((await server.log(id, 'look')).text).toContain('[]');
});

test(`${cites('T6', 'TRUST')} nothing of a hostile repository runs before a person has approved it`, async () => {
  await using world = hostileWorld();
  const server = world.server('auto');
  await server.request('tools/list');
  await server.request('resources/list');
  await server.request('prompts/list');
  expect(await server.call('plan_list')).toEqual({ plans: [] });
  const create = () => server.call('plan_create', { file: FILE });
  await expect(create()).rejects.toMatchObject({ code: 'not_trusted' });
  await expect(server.call('plan_create', { file: FILE, paused: true })).rejects.toMatchObject({
    code: 'not_trusted',
  });
  await expect(server.call('plan_create', { file: FILE, draft: true })).rejects.toMatchObject({
    code: 'not_trusted',
  });
  // Nor a plan of an agent's own that would have git work there.
  const inGit = { git: {}, jobs: [{ id: 'one', work: 'true' }] };
  await expect(server.create(inGit)).rejects.toMatchObject({ code: 'not_trusted' });
  expect(await server.call('plan_list')).toEqual({ plans: [] });
  expect(existsSync(world.canary)).toBe(false);
  expect(world.traps.tripped()).toEqual([]);

  // What a person does run has not run anything else either.
  const mine = await server.create({
    jobs: [{ id: 'mine', work: 'git status; node --version; true' }],
  });
  await server.ended(mine);
  const { text } = await server.log(mine, 'mine');
  // That of the PATH, whichever runs this test.
  expect(text).toMatch(/^v\d+\.\d+\.\d+$/m);
  rmSync(world.canary, { force: true }); // Git has run the monitor: that is what the job asked for.

  const granted = await world.baton('trust', 'grant', FILE, '--yes');
  expect(granted.stdout).toContain(`touch ${world.canary}`);
  const { id } = await create();
  expect(await server.ended(id)).toMatchObject({ state: 'succeeded', source: FILE });
  expect(existsSync(world.canary)).toBe(true);
  rmSync(world.canary);

  world.write(FILE, readFileSync(world.file(FILE), 'utf8').replace('canary', 'canarY'));
  await expect(create()).rejects.toMatchObject({
    code: 'not_trusted',
    message: expect.stringContaining('CHANGED'),
  });
  expect(existsSync(world.canary)).toBe(false);
});

test(`${cites('T51', 'TRUST')} an approved file that goes elsewhere or lands elsewhere is asked about again`, async () => {
  await using world = new PlanWorld();
  const server = world.server('auto');
  const plan = (git: string) => `name: Release\njobs:\n  - {id: build, work: make}\ngit: ${git}\n`;
  world.write(FILE, plan('{base: main}'));
  const granted = await world.baton('trust', 'grant', FILE, '--yes');
  expect(granted.stdout).toContain('- the plan: {"git":{"base":"main"}}');
  // There is no repository: whoever gets this far was trusted.
  const create = () => server.call('plan_create', { file: FILE });
  await expect(create()).rejects.toMatchObject({ code: 'repository_missing' });
  for (const git of ['{base: stranger}', '{base: main, target: main, intoDefault: true}', '{}']) {
    world.write(FILE, plan(git));
    await expect(create()).rejects.toMatchObject({
      code: 'not_trusted',
      message: expect.stringContaining('CHANGED'),
    });
  }
});

test.each(['accept', 'decline', 'cancel'] as const)(
  `${cites('T6', 'TRUST', 'ASK')} a person who is asked by an official client answers "%s"`,
  async (action) => {
    await using world = hostileWorld();
    const asked: string[] = [];
    const client = new Client(
      { name: 'e2e', version: '1.0.0' },
      { capabilities: { elicitation: {} } },
    );
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message);
      return action === 'accept' ? { action, content: { approve: true } } : { action };
    });
    const env = { PATH: process.env.PATH ?? '', ...world.env };
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [program, 'stdio'],
        cwd: world.workspace,
        env,
        stderr: 'ignore',
      }),
    );
    const result = await client.callTool({ name: 'plan_create', arguments: { file: FILE } });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain(`$ touch ${world.canary}`);
    if (action === 'accept') {
      expect(result.isError).toBeFalsy();
      await until('the job', () => existsSync(world.canary));
    } else {
      expect(result).toMatchObject({ isError: true, structuredContent: { code: 'not_trusted' } });
      // The same for what its settings would have git run.
      const jobs = [{ id: 'one', work: 'true' }];
      const inGit = { name: 'plan_create', arguments: { name: 'In git', git: {}, jobs } };
      expect(await client.callTool(inGit)).toMatchObject({
        isError: true,
        structuredContent: { code: 'not_trusted' },
      });
      expect(asked).toHaveLength(2);
      expect(asked[1]).toMatch(/\.git\/config.*filter\.evil\.clean.*filter\.evil\.smudge/s);
      expect(await client.callTool({ name: 'plan_list', arguments: {} })).toMatchObject({
        structuredContent: { plans: [] },
      });
      expect(existsSync(world.canary)).toBe(false);
    }
    await client.close();
  },
);
