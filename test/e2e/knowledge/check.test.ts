import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fileWorkspace } from '../file-workspace.ts';
import { cites } from '../requirements.ts';
import { knowledgeServer, pageAbout } from './knowledge-server.ts';

const KNOWLEDGE = '.baton/knowledge';

test(`${cites('KNOWLEDGE-CHECK')} files that are left out are told with their place, and the rest is found`, async () => {
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/pet.md`]: pageAbout('walrus'),
    [`${KNOWLEDGE}/huge.md`]: 'x'.repeat(1024 * 1024 + 1),
    [`${KNOWLEDGE}/binary.md`]: '# Picture\n\nOne\u0000two\n',
  });
  workspace.write(`${KNOWLEDGE}/latin.md`, Buffer.from('# Caf\xe9\n', 'latin1'));
  mkdirSync(workspace.file(`${KNOWLEDGE}/folder.md`));
  expect(spawnSync('mkfifo', [workspace.file(`${KNOWLEDGE}/pipe.md`)]).status).toBe(0);
  mkdirSync(workspace.file(`${KNOWLEDGE}/${'d/'.repeat(40)}`), { recursive: true });
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  expect(stdout.split('\n')).toEqual([
    '.baton/knowledge/binary.md:3:1: error: This is not a text: it holds a NUL byte.',
    `.baton/knowledge/${'d/'.repeat(32)}d:1:1: error: This is nested more than 32 folders deep.`,
    '.baton/knowledge/huge.md:1:1: error: This is larger than 1 MiB: split it.',
    '.baton/knowledge/latin.md:1:1: error: This is not a text in UTF-8.',
    '.baton/knowledge/pipe.md:1:1: error: This is not a regular file.',
    '1 piece, 5 errors, 0 warnings.',
    '',
  ]);
  expect(status).toBe(1);
  const server = knowledgeServer(workspace);
  expect(await server.found('walrus')).toEqual(['guide/pet']);
  // What is mended is there with the next call.
  workspace.write(`${KNOWLEDGE}/latin.md`, pageAbout('badger'));
  expect(await server.found('badger')).toEqual(['guide/latin']);
});

test(`${cites('KNOWLEDGE-CHECK')} what is only doubtful is told with line and column, and the file counts`, async () => {
  await using workspace = fileWorkspace({
    [`${KNOWLEDGE}/open.md`]: `---\ntitle: x\n${pageAbout('walrus')}`,
    [`${KNOWLEDGE}/yaml.md`]: `---\nid: yaml\ntags: [a\n---\n${pageAbout('badger')}`,
    [`${KNOWLEDGE}/list.md`]: `---\n- a\n---\n${pageAbout('ferret')}`,
    [`${KNOWLEDGE}/id.md`]: `---\ntitle: x\nid: ../../etc\n---\n${pageAbout('jaguar')}`,
    [`${KNOWLEDGE}/kind.md`]: `---\ncategory: recipe\n---\n${pageAbout('lizard')}`,
    [`${KNOWLEDGE}/empty.md`]: '---\ntitle: Empty\n---\n',
    [`${KNOWLEDGE}/dead.md`]: `${pageAbout('turtle')}\nSee baton://knowledge/guide/nobody.\n`,
    [`${KNOWLEDGE}/alive.md`]: `${pageAbout('osprey')}\nSee orchestr8://guides/dead\n`,
    '.baton/prompts/ask.md': 'Do {{this}}.\n\nAnd {{that}}.\n',
  });
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  const places = stdout.split('\n').map((line) => /^\S+:\d+:\d+: \w+/.exec(line)?.[0]);
  expect(places.filter(Boolean)).toEqual([
    '.baton/knowledge/dead.md:5:5: warning',
    '.baton/knowledge/empty.md:1:1: warning',
    '.baton/knowledge/id.md:3:1: warning',
    '.baton/knowledge/kind.md:2:1: warning',
    '.baton/knowledge/list.md:2:1: warning',
    '.baton/knowledge/open.md:1:1: warning',
    '.baton/knowledge/yaml.md:4:1: warning',
    '.baton/prompts/ask.md:1:4: warning',
    '.baton/prompts/ask.md:3:5: warning',
  ]);
  expect(stdout).toMatch(/\n9 pieces, 0 errors, 9 warnings\.\n$/);
  expect(status).toBe(0);
  const server = knowledgeServer(workspace);
  for (const [word, id] of Object.entries({
    walrus: 'open',
    badger: 'yaml',
    ferret: 'list',
    jaguar: 'id',
    lizard: 'kind',
    turtle: 'dead',
  })) {
    expect(await server.found(word)).toEqual([`guide/${id}`]);
  }
});

test(`${cites('KNOWLEDGE-CHECK')} a folder that was named and is none is told`, async () => {
  await using workspace = fileWorkspace({
    'file.md': pageAbout('walrus'),
    '.baton/config.yaml': 'knowledge: [file.md, gone]\n',
  });
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  expect(stdout).toMatch(/^gone:1:1: error: There is no such folder\.$/m);
  expect(stdout).toMatch(/^file\.md:1:1: error: /m);
  expect(status).toBe(1);
});

test(`${cites('KNOWLEDGE-CHECK', 'T39')} files with unusual names are found, and those with control characters told`, async () => {
  await using workspace = fileWorkspace({});
  const names = {
    walrus: 'a b.md',
    badger: 'ünï.md',
    ferret: '😀.md',
    jaguar: `quote'".md`,
    lizard: `${'x'.repeat(240)}.md`,
    turtle: '-rf.md',
  };
  const nasty = ['new\nline.md', 'fol\u001bder/x.md'];
  for (const [word, name] of Object.entries(names)) {
    workspace.write(path.join(KNOWLEDGE, name), pageAbout(word));
  }
  for (const name of nasty) workspace.write(path.join(KNOWLEDGE, name), pageAbout('osprey'));
  const { status, stdout } = await workspace.baton('knowledge', 'check');
  expect(stdout.split('\n')).toEqual([
    '.baton/knowledge/fol\\u001bder:1:1: error: Its name holds control characters.',
    '.baton/knowledge/new\\nline.md:1:1: error: Its name holds control characters.',
    '6 pieces, 2 errors, 0 warnings.',
    '',
  ]);
  expect(status).toBe(1);
  // Once as they were found, once as they were kept.
  for (const time of ['first', 'second']) {
    const server = knowledgeServer(workspace);
    for (const word of Object.keys(names)) {
      const { pieces } = await server.call('knowledge_search', { query: word, mode: 'full' });
      expect(pieces, `${word}, ${time}`).toMatchObject([
        { text: expect.stringContaining(`what a ${word} eats`) },
      ]);
    }
    expect(await server.found('osprey')).toEqual([]);
  }
});
