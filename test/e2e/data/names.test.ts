import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { Reply } from '@baton/testkit';
import { expect, test } from 'vitest';
import type { FileWorkspace } from '../file-workspace.ts';
import { type Ask, answersTo, namesOf, PLACES } from '../knowledge/outside-names.ts';
import { cites } from '../requirements.ts';
import { DATA, type DataServer, dataServer, dataWorkspace } from './data-server.ts';

const SECRET = 'platypus';
const CANARY = 'canary-4711';
const OUTSIDE = [`${SECRET} worms`, 'root:', CANARY, '/usr/lib', 'loader'];
const SECRET_ROWS = `animal,food\n${SECRET} worms,worms\n`;

const call = (name: string, args: object): Ask => ['tools/call', { name, arguments: args }];
const quoted = (name: string) => name.replaceAll('"', '""');
const text = (name: string) => name.replaceAll("'", "''");

/** Every parameter of data that somebody could take for a path. */
const PARAMETERS: Readonly<Record<string, (name: string) => Ask>> = {
  'a URI': (name) => ['resources/read', { uri: `baton://data/${name}` }],
  'an encoded URI': (name) => [
    'resources/read',
    { uri: `baton://data/${encodeURIComponent(name)}` },
  ],
  'a category to describe': (name) => call('data_describe', { category: name }),
  'fields to describe': (name) => call('data_describe', { category: 'pets', fields: [name] }),
  'words to describe': (name) => call('data_describe', { text: name }),
  'a category to search': (name) => call('data_search', { category: name }),
  'an id': (name) => call('data_search', { category: 'pets', id: name, connections: true }),
  'a text': (name) => call('data_search', { text: name }),
  'a field of a filter': (name) =>
    call('data_search', { category: 'pets', filters: { [name]: 1 } }),
  'an operator': (name) =>
    call('data_search', { category: 'pets', filters: { animal: { [`$${name}`]: 1 } } }),
  'a value': (name) => call('data_search', { category: 'pets', filters: { animal: name } }),
  fields: (name) => call('data_search', { category: 'pets', fields: [name] }),
  sort: (name) => call('data_search', { category: 'pets', sort: [`-${name}`] }),
  'a cursor': (name) => call('data_search', { category: 'pets', cursor: name }),
  'a table': (name) => call('data_query', { sql: `FROM "${quoted(name)}"` }),
  'a text as a table': (name) => call('data_query', { sql: `FROM '${text(name)}'` }),
  'a file to read': (name) => call('data_query', { sql: `FROM read_text('${text(name)}')` }),
  'a category of insights': (name) => call('data_insights', { category: name }),
  'a field of insights': (name) => call('data_insights', { category: 'pets', field: name }),
  'an old category': (name) => call('relevant-data.describeCategory', { categoryId: name }),
  'an old search': (name) => call('relevant-data.searchRecords', { categoryId: name, filters: {} }),
  'a completion': (name) => [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'baton://data/{category}' },
      argument: { name: 'category', value: name },
    },
  ],
};

/** A workspace, twins whose names begin with its name, and secrets around them. */
function surrounded(): FileWorkspace {
  const workspace = dataWorkspace({ 'pets.csv': 'animal,food\nwalrus,clams\n' });
  for (const place of ['secret.csv', 'acme-evil/secret.csv', `acme/${DATA}-evil/secret.csv`]) {
    workspace.write(path.join(workspace.home, place), SECRET_ROWS);
  }
  expect(spawnSync('mkfifo', [workspace.file(`${DATA}/pipe.csv`)]).status).toBe(0);
  return workspace;
}

function names(workspace: FileWorkspace): string[] {
  return [
    ...namesOf(path.join(workspace.home, 'secret.csv'), '../../../secret.csv'),
    ...namesOf(workspace.file(`${DATA}-evil/secret.csv`), '../data-evil/secret.csv'),
    ...PLACES,
  ].filter((name) => name !== '');
}

function ask(server: DataServer, [method, params]: Ask): Promise<Reply> {
  return server.request(method, params);
}

test(`${cites('T12')} no name in any parameter leads out, or waits`, async () => {
  await using workspace = surrounded();
  const server = dataServer(workspace, { CANARY });
  await server.ids();
  const all = names(workspace);
  for (const [what, params] of Object.entries(PARAMETERS)) {
    const replies = await Promise.all(all.map((name) => ask(server, params(name))));
    for (const [place, { result, error }] of replies.entries()) {
      const said = JSON.stringify(result ?? error);
      const name = `${what}: ${JSON.stringify(all[place])}`;
      for (const words of OUTSIDE) expect(said, name).not.toContain(words);
      // A mistake of the caller, never one of ours, which would have an id.
      expect(said, name).not.toContain('inside Baton');
      if (error) expect([-32602, -32002], `${name}: ${said}`).toContain(error.code);
    }
  }
  expect(await server.ids()).toEqual(['pets']);
  expect(server.program.garbage).toEqual([]);
});

test(`${cites('T12')} a name that leads out is as unknown as any other`, async () => {
  await using workspace = surrounded();
  const server = dataServer(workspace);
  for (const name of names(workspace)) {
    for (const [tool, args] of [
      ['data_describe', { category: name }],
      ['data_search', { category: name }],
      ['data_insights', { category: name }],
    ] as const) {
      expect([name, await server.code(tool, args)]).toEqual([name, 'data_category_unknown']);
    }
  }
});

test(`${cites('T12')} no answer tells whether there is something outside`, async () => {
  await using workspace = surrounded();
  const server = dataServer(workspace);
  const outside = path.join(workspace.home, 'acme-evil/secret.csv');
  const all = namesOf(outside, '../../../acme-evil/secret.csv').slice(0, 20);
  const answers = () => answersTo(all, PARAMETERS, (params) => ask(server, params));
  const before = await answers();
  workspace.remove(outside);
  expect(await answers()).toEqual(before);
});
