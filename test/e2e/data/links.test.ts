import path from 'node:path';
import { startProgram } from '@baton/testkit';
import { expect, test } from 'vitest';
import type { FileWorkspace } from '../file-workspace.ts';
import { Swapper } from '../knowledge/swapper.ts';
import { program } from '../programs.ts';
import { cites } from '../requirements.ts';
import { checked, DATA, DataServer, dataServer, dataWorkspace } from './data-server.ts';

/** Stands in every file outside, and nowhere else. */
const SECRET = 'platypus';
const INSIDE = 'animal,food\nwalrus,clams\n';
const OUTSIDE = `animal,food\n${SECRET},worms\n`;

function withSecrets(files: Readonly<Record<string, string>> = {}): FileWorkspace {
  const workspace = dataWorkspace({ 'pets.csv': INSIDE, ...files });
  for (const name of ['secret.csv', 'zoo/records.csv', 'zoo/category.json', 'data/secret.csv']) {
    const text = name.endsWith('.json') ? JSON.stringify({ name: SECRET }) : OUTSIDE;
    workspace.write(path.join(workspace.home, 'outside', name), text);
  }
  return workspace;
}

/** Everything that anybody can get to see of this workspace's data. */
async function allThatIsSaid(workspace: FileWorkspace): Promise<string> {
  const server = dataServer(workspace);
  await server.result('data_search', { text: 'worms' });
  for (const category of [...(await server.ids()), 'secret', 'zoo', 'passwd', 'records']) {
    await server.result('data_describe', { category });
    await server.result('data_search', { category });
    await server.result('data_query', { sql: `FROM "${category}"` });
    await server.request('resources/read', { uri: `baton://data/${category}` });
  }
  return JSON.stringify([server.program.replies, server.program.stderr, await checked(workspace)]);
}

test(`${cites('T10')} what is said about records is what this file looks for secrets in`, async () => {
  await using workspace = withSecrets({ 'secret.csv': OUTSIDE });
  expect(await allThatIsSaid(workspace)).toContain(SECRET);
});

test(`${cites('T10')} links out of the folder of data are told, and lead to nothing`, async () => {
  await using workspace = withSecrets({ 'own/category.json': '{}' });
  workspace.link(`${DATA}/passwd.csv`, '/etc/passwd');
  workspace.link(`${DATA}/secret.csv`, 'outside/secret.csv');
  workspace.link(`${DATA}/relative.csv`, '../../../outside/secret.csv');
  workspace.link(`${DATA}/twice.csv`, './secret.csv');
  workspace.link(`${DATA}/zoo`, 'outside/zoo');
  workspace.link(`${DATA}/all`, '/');
  workspace.link(`${DATA}/own/records.csv`, 'outside/secret.csv');
  workspace.link(`${DATA}/other/catalog.yaml`, 'outside/zoo/category.json');
  workspace.link(`${DATA}/some/category.json`, 'outside/zoo/category.json');
  workspace.link(`${DATA}/lost.csv`, 'outside/not-there.csv');
  // What these two may say about secrets is not known, so that their records are left out.
  workspace.write(`${DATA}/some/records.csv`, INSIDE);
  workspace.write(`${DATA}/other/things.csv`, INSIDE);
  const told = await checked(workspace);
  for (const name of [
    'passwd.csv',
    'secret.csv',
    'relative.csv',
    'twice.csv',
    'zoo',
    'all',
    'own/records.csv',
    'other/catalog.yaml',
    'some/category.json',
    'lost.csv',
  ]) {
    expect(told.join('\n')).toContain(
      `${DATA}/${name}:1: error: This is a link that leads out of the folder.`,
    );
  }
  const said = await allThatIsSaid(workspace);
  expect(said).not.toContain(SECRET);
  expect(said).not.toContain('root:');
  expect(await dataServer(workspace).ids()).toEqual(['pets']);
});

test.each([
  ['.baton/data', DATA, 'outside/data'],
  ['.baton', '.baton', 'outside'],
])(
  `${cites('T10')} %s as a link out of the workspace leads to nothing`,
  async (_, name, target) => {
    await using workspace = withSecrets();
    workspace.remove(name);
    workspace.link(name, target);
    expect((await checked(workspace)).join('\n')).toContain(
      `${DATA}:1: error: This leads out of the workspace.`,
    );
    expect(await allThatIsSaid(workspace)).not.toContain(SECRET);
  },
);

test(`${cites('T10')} a repository’s settings name folders of its own only`, async () => {
  await using workspace = withSecrets();
  workspace.link('linked', 'outside');
  const outside = path.join(workspace.home, 'outside');
  const names = ['linked', '../outside', outside, '~/outside', '/etc'];
  workspace.write('.baton/config.yaml', `data: ${JSON.stringify(names)}\n`);
  const told = (await checked(workspace)).join('\n');
  for (const name of names) {
    expect(told).toContain(`${name}:1: error: This leads out of the workspace.`);
  }
  expect(await allThatIsSaid(workspace)).not.toContain(SECRET);
});

const ROUNDS = 12;
const AT_ONCE = 4;
const DELAY_MICROSECONDS = 500;

/** A server that is slow whenever it looks at a path. */
function slowServer({ path: cwd, env }: FileWorkspace) {
  const calls = 'statx,readlink,openat';
  const trace = ['-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', `trace=${calls}`];
  const delay = `inject=${calls}:delay_enter=${DELAY_MICROSECONDS}`;
  return startProgram(program, {
    cwd,
    env,
    command: ['strace', ...trace, '-e', delay, process.execPath],
  });
}

test.each(['file', 'folder'] as const)(
  `${cites('T11')} a %s that is exchanged for a link out, and back, is only read when it is inside`,
  async (what) => {
    await using workspace = withSecrets();
    workspace.write('kept/records.csv', INSIDE);
    const file = what === 'file' ? '/records.csv' : '';
    const target = workspace.file(`${DATA}/${what === 'file' ? 'swapped.csv' : 'swapped'}`);
    await using slow = slowServer(workspace);
    const fast = workspace.server();
    await using swapper = new Swapper(
      what,
      target,
      workspace.file(`kept${file}`),
      path.join(workspace.home, `outside/zoo${file}`),
    );
    await swapper.started();
    for (const server of [new DataServer(fast), new DataServer(slow)]) {
      const before = swapper.swaps;
      for (let round = 0; round < ROUNDS; round++) {
        const asked = Array.from({ length: AT_ONCE }, () => [
          server.result('data_search', { text: 'clams worms' }),
          server.result('data_describe', { category: 'swapped' }),
          server.result('data_query', { sql: 'SELECT * FROM swapped' }),
        ]);
        const answers = await Promise.all(asked.flat());
        expect(answers).toHaveLength(AT_ONCE * 3);
      }
      expect(JSON.stringify(server.program.replies)).not.toContain(SECRET);
      expect(swapper.swaps - before).toBeGreaterThan(ROUNDS);
      expect(await server.values('SELECT food FROM pets')).toEqual(['clams']);
    }
  },
);
