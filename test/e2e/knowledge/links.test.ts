import path from 'node:path';
import { expect, test } from 'vitest';
import { type FileWorkspace, fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';
/** Stands in every file outside, and nowhere else. */
const SECRET = 'platypus';

/** A workspace with a piece of its own, and a folder beside it that is none of its business. */
function withSecrets(files: Readonly<Record<string, string>> = {}): FileWorkspace {
  const workspace = fileWorkspace({ 'docs/pet.md': pageAbout('walrus'), ...files });
  for (const name of ['secret.md', 'deep/secret.md', 'knowledge/secret.md', 'prompts/secret.md']) {
    workspace.write(path.join(workspace.home, 'outside', name), pageAbout(SECRET));
  }
  return workspace;
}

/** Everything that anybody can get to see of this workspace's knowledge. */
async function allThatIsSaid(workspace: FileWorkspace, ids: readonly string[]): Promise<string> {
  const server = knowledgeServer(workspace);
  for (const mode of ['index', 'catalog', 'full']) {
    await server.call('knowledge_search', { query: `how to feed a ${SECRET}`, mode });
    await server.read(`orchestr8://match?query=${SECRET}&mode=${mode}`);
  }
  for (const uri of [
    'baton://knowledge',
    'baton://knowledge/guide',
    'baton://knowledge/workflow',
  ]) {
    await server.read(uri);
  }
  for (const id of ids) {
    for (const kind of ['guide', 'workflow']) await server.read(`baton://knowledge/${kind}/${id}`);
    await server.read(`orchestr8://guides/_fragments/${id}`);
    await server.request('prompts/get', { name: id.replaceAll('/', '-') });
  }
  await server.request('prompts/list');
  const [shown = ''] = ids;
  const show = await workspace.baton('knowledge', 'show', shown, '--json');
  const searched = await workspace.baton('knowledge', 'search', SECRET, '--mode', 'full');
  return JSON.stringify([server.program.replies, server.program.stderr, show, searched]);
}

test(`${cites('T10')} what is said about pieces is what this file looks for secrets in`, async () => {
  await using workspace = withSecrets({ [`${KNOWLEDGE}/secret.md`]: pageAbout(SECRET) });
  expect(await allThatIsSaid(workspace, ['secret'])).toContain(`what a ${SECRET} eats`);
});

test(`${cites('T10', 'KNOWLEDGE-CHECK')} links out of a folder are told, and lead to nothing`, async () => {
  await using workspace = withSecrets({
    [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus'),
    '.baton/prompts/ask.md': pageAbout('badger'),
  });
  workspace.link(`${KNOWLEDGE}/passwd.md`, '/etc/passwd');
  workspace.link(`${KNOWLEDGE}/file.md`, 'outside/secret.md');
  workspace.link(`${KNOWLEDGE}/relative.md`, '../../../outside/secret.md');
  workspace.link(`${KNOWLEDGE}/twice.md`, './file.md');
  workspace.link(`${KNOWLEDGE}/folder`, 'outside');
  workspace.link(`${KNOWLEDGE}/all`, '/');
  workspace.link(`${KNOWLEDGE}/some/where/deep`, '../../../../../outside/deep');
  workspace.link(`${KNOWLEDGE}/nothing.md`, 'outside/not-there.md');
  workspace.link('.baton/prompts/secret.md', 'outside/secret.md');
  const out = 'error: This is a link that leads out of the folder.';
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  for (const name of ['passwd.md', 'file.md', 'relative.md', 'twice.md', 'folder', 'all']) {
    expect(stdout).toContain(`.baton/knowledge/${name}:1:1: ${out}`);
  }
  expect(stdout).toContain(`.baton/knowledge/some/where/deep:1:1: ${out}`);
  expect(stdout).toContain(`.baton/knowledge/nothing.md:1:1: ${out}`);
  expect(stdout).toContain(`.baton/prompts/secret.md:1:1: ${out}`);
  expect(stdout).toContain('\n2 pieces, 9 errors, 0 warnings.\n');
  expect(status).toBe(1);
  const ids = ['passwd', 'file', 'twice', 'folder/secret', 'some/where/deep/secret', 'secret'];
  const said = await allThatIsSaid(workspace, ids);
  expect(said).not.toContain(`what a ${SECRET} eats`);
  expect(said).not.toContain('root:');
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
});

for (const [what, name, target, told] of [
  ['.baton/knowledge', KNOWLEDGE, 'outside', KNOWLEDGE],
  ['.baton/prompts', '.baton/prompts', 'outside', '.baton/prompts'],
  ['.baton', '.baton', 'outside', KNOWLEDGE],
] as const) {
  test(`${cites('T10', 'KNOWLEDGE-CHECK')} ${what} as a link out of the workspace leads to nothing`, async () => {
    await using workspace = withSecrets();
    if (name === '.baton') workspace.remove('.baton');
    workspace.link(name, target);
    const { status, stdout } = await workspace.baton('knowledge', 'check');
    expect(stdout).toContain(`${told}:1:1: error: This leads out of the workspace.\n`);
    expect(status).toBe(1);
    const said = await allThatIsSaid(workspace, ['secret', 'deep/secret', 'prompts/secret']);
    expect(said).not.toContain(`what a ${SECRET} eats`);
  });
}

test(`${cites('T10', 'KNOWLEDGE-SOURCES')} a repository’s settings name folders of its own only, by links or not`, async () => {
  await using workspace = withSecrets({});
  workspace.link('linked', 'outside');
  workspace.link('docs/inner', 'outside');
  workspace.link('shelf', './docs');
  const outside = path.join(workspace.home, 'outside');
  const names = ['linked', '../outside', outside, '~/outside', '/etc', 'docs/inner', 'shelf'];
  workspace.write('.baton/config.yaml', `knowledge: ${JSON.stringify(names)}\n`);
  const { stdout } = await workspace.baton('knowledge', 'check');
  for (const name of names.slice(0, -1)) {
    expect(stdout).toContain(`${name}:1:1: error: This leads out of the workspace.\n`);
  }
  expect(stdout).toContain('\n1 piece, ');
  const said = await allThatIsSaid(workspace, ['secret', 'deep/secret', 'inner/secret']);
  expect(said).not.toContain(`what a ${SECRET} eats`);
  // A link to a folder of the workspace is as good as its name.
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
});

test(`${cites('T10')} a link within the folder adds nothing, and is no mistake`, async () => {
  await using workspace = withSecrets({ [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus') });
  workspace.link(`${KNOWLEDGE}/again.md`, './pet.md');
  workspace.link(`${KNOWLEDGE}/round`, '.');
  expect(await workspace.baton('knowledge', 'check')).toMatchObject({
    status: 0,
    stdout: '1 piece, 0 errors, 0 warnings.\n',
  });
  expect(await knowledgeServer(workspace).found('walrus')).toEqual(['guide/pet']);
});
