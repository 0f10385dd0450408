import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';

function configFolder({ home }: FileWorkspace): string {
  return path.join(home, '.config/baton');
}

/** Where a piece comes from, by one of its words. */
async function fromOf(
  workspace: FileWorkspace,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Record<string, string>> {
  const server = knowledgeServer(workspace, env);
  const found = words.map(async (query) => {
    const { pieces } = await server.call('knowledge_search', { query, mode: 'catalog' });
    return [query, pieces.map(({ id, from }: Record<string, string>) => `${id} ${from}`).join()];
  });
  return Object.fromEntries(await Promise.all(found));
}

test(`${cites('KNOWLEDGE-SOURCES')} knowledge comes from the workspace, the user, and folders that either names`, async () => {
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/deep/er/a.md`]: pageAbout('walrus'),
    '.baton/prompts/b.md': pageAbout('badger'),
    'docs/c.markdown': pageAbout('ferret'),
    'more/prompts/d.md': pageAbout('jaguar'),
    '.baton/config.yaml': 'knowledge: [docs]\nprompts: more/prompts\n',
    // Neither of these is knowledge.
    [`${KNOWLEDGE}/notes.txt`]: pageAbout('osprey'),
    [`${KNOWLEDGE}/.hidden/x.md`]: pageAbout('osprey'),
    [`${KNOWLEDGE}/node_modules/x/README.md`]: pageAbout('osprey'),
    'elsewhere/x.md': pageAbout('osprey'),
  });
  const config = configFolder(workspace);
  const env = (name: string) => path.join(workspace.home, 'env', name);
  workspace.write(path.join(config, 'knowledge/e.md'), pageAbout('lizard'));
  workspace.write(path.join(config, 'prompts/f.md'), pageAbout('turtle'));
  workspace.write(path.join(config, 'config.yaml'), 'knowledge: [~/mine, beside]\n');
  workspace.write(path.join(workspace.home, 'mine/g.md'), pageAbout('weasel'));
  workspace.write(path.join(config, 'beside/h.mdx'), pageAbout('coyote'));
  for (const [name, word] of [
    ['one/i.md', 'magpie'],
    ['two/j.md', 'iguana'],
    ['three/k.md', 'donkey'],
  ] as const) {
    workspace.write(env(name), pageAbout(word));
  }
  const named = {
    BATON_KNOWLEDGE: [env('one'), env('two')].join(path.delimiter),
    BATON_PROMPTS: env('three'),
  };
  expect(
    await fromOf(
      workspace,
      [
        ...'walrus badger ferret jaguar lizard turtle weasel coyote'.split(' '),
        ...'magpie iguana donkey osprey'.split(' '),
      ],
      named,
    ),
  ).toEqual({
    walrus: 'guide/deep/er/a .baton/knowledge/deep/er/a.md',
    badger: 'workflow/b .baton/prompts/b.md',
    ferret: 'guide/c docs/c.markdown',
    jaguar: 'workflow/d more/prompts/d.md',
    lizard: 'guide/e your knowledge/e.md',
    turtle: 'workflow/f your prompts/f.md',
    weasel: 'guide/g ~/mine/g.md',
    coyote: 'guide/h beside/h.mdx',
    magpie: `guide/i ${env('one')}/i.md`,
    iguana: `guide/j ${env('two')}/j.md`,
    donkey: `workflow/k ${env('three')}/k.md`,
    osprey: '',
  });
});

test(`${cites('KNOWLEDGE-SOURCES')} what others keep for agents is read as it is`, async () => {
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/skills/lock-contention/SKILL.md`]:
      '---\nname: lock-contention\ndescription: Finds what waits for locks. Use when queries hang.\n---\n# Locks\n\nLook at the walrus.\n',
    [`${KNOWLEDGE}/skills/lock-contention/reference.md`]: '# Reference\n\nThe badger table.\n',
    [`${KNOWLEDGE}/reviewer.md`]:
      '---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep\nmodel: opus\n---\nYou are a ferret.\n',
    [`${KNOWLEDGE}/agents/_fragments/typescript-core.md`]:
      '---\nid: typescript-core\ncategory: agent\ntags: [typescript, types]\ncapabilities:\n  - strict types for a jaguar\nuseWhen:\n  - somebody asks about lizards\nestimatedTokens: 10\n---\n# TypeScript\n\nBe strict.\n',
    [`${KNOWLEDGE}/commands/release.md`]: 'Release $ARGUMENTS like a turtle.\n',
    [`${KNOWLEDGE}/patterns/retry.md`]: '# Retry\n\nTry again, weasel.\n',
    [`${KNOWLEDGE}/plain.md`]: 'No heading, only an osprey.\n',
    // Written on Windows, with a mark at its beginning.
    [`${KNOWLEDGE}/windows.md`]:
      '\ufeff---\r\ntitle: Windows\r\nkind: example\r\n---\r\n# X\r\n\r\nA coyote.\r\n',
  });
  const server = knowledgeServer(workspace);
  for (const [word, id] of [
    ['walrus', 'skill/lock-contention'],
    ['badger', 'skill/lock-contention/reference'],
    ['ferret', 'agent/reviewer'],
    ['jaguar', 'agent/typescript-core'],
    ['lizards', 'agent/typescript-core'],
    ['turtle', 'workflow/commands/release'],
    ['weasel', 'pattern/retry'],
    ['osprey', 'guide/plain'],
    ['coyote', 'example/windows'],
  ] as const) {
    expect(await server.found(word), word).toEqual([id]);
  }
  expect(await server.found('be strict', { tags: ['types'] })).toEqual(['agent/typescript-core']);
  expect(await workspace.baton('knowledge', 'check')).toMatchObject({
    status: 0,
    stdout: '8 pieces, 0 errors, 0 warnings.\n',
  });
});

test(`${cites('KNOWLEDGE-SOURCES', 'KNOWLEDGE-CHECK')} of the same name the nearest counts, and check tells of the others`, async () => {
  const page = (word: string) => `---\nid: same\n---\n${pageAbout(word)}`;
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/z.md`]: page('walrus'),
    'docs/a.md': page('badger'),
    '.baton/config.yaml': 'knowledge: docs\n',
    // Of another kind it is another piece.
    [`${KNOWLEDGE}/skills/same.md`]: pageAbout('osprey'),
  });
  workspace.write(path.join(configFolder(workspace), 'knowledge/a.md'), page('ferret'));
  const told = (file: string, how: string, winner: string) =>
    `${file}:1:1: ${how}: Another guide/same comes before this one: ${winner}.`;
  const check = async () => (await workspace.baton('knowledge', 'check')).stdout.split('\n');
  const server = knowledgeServer(workspace);
  // Whoever replaces another's does so on purpose.
  expect(await check()).toEqual([
    told('docs/a.md', 'warning', '.baton/knowledge/z.md'),
    told('your knowledge/a.md', 'warning', '.baton/knowledge/z.md'),
    '2 pieces, 0 errors, 2 warnings.',
    '',
  ]);
  expect(await server.read('baton://knowledge/guide/same')).toContain('walrus');
  expect(await server.read('baton://knowledge/skill/same')).toContain('osprey');
  expect(await server.found('badger')).toEqual([]);
  // Within a folder it is the first by its path.
  workspace.write(`${KNOWLEDGE}/b.md`, page('jaguar'));
  expect(await server.read('baton://knowledge/guide/same')).toContain('jaguar');
  expect(await check()).toContain(told('.baton/knowledge/z.md', 'error', '.baton/knowledge/b.md'));
  for (const file of ['b.md', 'z.md']) workspace.remove(`${KNOWLEDGE}/${file}`);
  expect(await server.read('baton://knowledge/guide/same')).toContain('badger');
  workspace.remove('docs/a.md');
  expect(await server.read('baton://knowledge/guide/same')).toContain('ferret');
});

test(`${cites('KNOWLEDGE-SOURCES')} a folder that holds both is read as both`, async () => {
  await using workspace = fileWorkspace({ 'both/a.md': pageAbout('walrus') });
  const env = { BATON_KNOWLEDGE: 'both', BATON_PROMPTS: 'both' };
  // Twice: the second process starts with what the first one has kept.
  for (const time of ['first', 'second']) {
    const found = await knowledgeServer(workspace, env).found('walrus');
    expect(found.toSorted(), time).toEqual(['guide/a', 'workflow/a']);
  }
});
