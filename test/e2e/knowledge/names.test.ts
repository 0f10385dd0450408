import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Reply } from '@baton/testkit';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { type KnowledgeServer, knowledgeServer, pageAbout } from './knowledge-server.ts';
import { type Ask, answersTo, namesOf, PLACES } from './outside-names.ts';

const KNOWLEDGE = '.baton/knowledge';
const SECRET = 'platypus';
const CANARY = 'canary-4711';
const OUTSIDE = [`How to feed a ${SECRET}`, 'root:', CANARY, '/usr/lib', 'loader'];

/** Every parameter of knowledge that somebody could take for a path. */
const PARAMETERS: Readonly<Record<string, (name: string) => Ask>> = {
  'a URI': (name) => ['resources/read', { uri: name }],
  'what follows the scheme': (name) => ['resources/read', { uri: `baton://${name}` }],
  'a kind': (name) => ['resources/read', { uri: `baton://knowledge/${name}` }],
  'an id': (name) => ['resources/read', { uri: `baton://knowledge/guide/${name}` }],
  'an old place': (name) => ['resources/read', { uri: `orchestr8://${name}` }],
  'an old id': (name) => ['resources/read', { uri: `orchestr8://guides/${name}` }],
  'an old fragment': (name) => ['resources/read', { uri: `orchestr8://guides/_fragments/${name}` }],
  'a query of a URI': (name) => ['resources/read', { uri: `orchestr8://match?query=${name}` }],
  'kinds of a URI': (name) => [
    'resources/read',
    { uri: `baton://knowledge/match?query=walrus&kinds=${name}` },
  ],
  'tags of a URI': (name) => [
    'resources/read',
    { uri: `baton://knowledge/match?query=walrus&tags=${name}` },
  ],
  'a query': (name) => search({ query: name, mode: 'full' }),
  kinds: (name) => search({ query: 'walrus', kinds: [name] }),
  tags: (name) => search({ query: 'walrus', tags: [name] }),
  'a mode': (name) => search({ query: 'walrus', mode: name }),
  'a cursor': (name) => search({ query: 'walrus', cursor: name }),
  'a prompt': (name) => ['prompts/get', { name }],
  'an argument of a prompt': (name) => ['prompts/get', { name: 'ask', arguments: { file: name } }],
  'a completion of an id': (name) => [
    'completion/complete',
    {
      ref: { type: 'ref/resource', uri: 'baton://knowledge/{kind}/{id}' },
      argument: { name: 'id', value: name },
    },
  ],
};

function search(request: object): Ask {
  return ['tools/call', { name: 'knowledge_search', arguments: request }];
}

/** A workspace, a twin whose name begins with its name, and secrets around them. */
function surrounded(): FileWorkspace {
  const workspace = fileWorkspace({
    [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus'),
    '.baton/prompts/ask.md': '---\narguments: [file]\n---\nLook at {{file}}.\n',
    'README.md': pageAbout(SECRET),
  });
  for (const place of [
    'secret.md',
    'acme-evil/secret.md',
    'acme/.baton/knowledge-evil/secret.md',
  ]) {
    workspace.write(path.join(workspace.home, place), pageAbout(SECRET));
  }
  mkdirSync(path.join(workspace.home, '.config/baton/knowledge'), { recursive: true });
  expect(spawnSync('mkfifo', [workspace.file(`${KNOWLEDGE}/pipe.md`)]).status).toBe(0);
  return workspace;
}

function ask(server: KnowledgeServer, [method, params]: Ask): Promise<Reply> {
  return server.request(method, params);
}

test(`${cites('T12')} no name in any parameter leads out, or waits`, async () => {
  await using workspace = surrounded();
  const server = knowledgeServer(workspace, { CANARY });
  const names = [
    ...namesOf(path.join(workspace.home, 'secret.md'), '../../../secret.md'),
    ...namesOf(workspace.file('.baton/knowledge-evil/secret.md'), '../knowledge-evil/secret.md'),
    ...PLACES,
  ];
  for (const [what, params] of Object.entries(PARAMETERS)) {
    const replies = await Promise.all(names.map((name) => ask(server, params(name))));
    for (const [place, { result, error }] of replies.entries()) {
      const said = JSON.stringify(result ?? error);
      const name = `${what}: ${JSON.stringify(names[place])}`;
      for (const words of OUTSIDE) expect(said, name).not.toContain(words);
      // A mistake of the caller, never one of ours, which would have an id.
      expect(said, name).not.toContain('inside Baton');
      if (error) expect([-32602, -32002], `${name}: ${said}`).toContain(error.code);
    }
  }
  expect(await server.found('walrus')).toEqual(['guide/pet']);
  expect(server.program.garbage).toEqual([]);
});

test(`${cites('T12')} no answer tells whether there is something outside`, async () => {
  await using workspace = surrounded();
  const server = knowledgeServer(workspace);
  const outside = path.join(workspace.home, 'acme-evil/secret.md');
  const names = namesOf(outside, '../../../acme-evil/secret.md');
  const answers = () => answersTo(names, PARAMETERS, (params) => ask(server, params));
  const before = await answers();
  workspace.remove(outside);
  expect(await answers()).toEqual(before);
});

test(`${cites('T12', 'CLI-KNOWLEDGE')} on the command line neither`, async () => {
  await using workspace = surrounded();
  const file = path.join(workspace.home, 'secret.md');
  const names = [
    '../../../secret',
    '../../../secret.md',
    file,
    `file://${file}`,
    '/etc/passwd',
    '..',
  ];
  const shown = await Promise.all(names.map((name) => workspace.baton('knowledge', 'show', name)));
  for (const [place, { status, stdout, stderr }] of shown.entries()) {
    expect({ status, stdout }, names[place]).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(
      `knowledge_unknown: There is no piece ${JSON.stringify(names[place])}.`,
    );
  }
});
