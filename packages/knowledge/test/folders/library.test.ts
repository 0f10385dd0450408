import { execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { describe, expect, test, vi } from 'vitest';
import { asking, createKnowledge, type KnowledgeUnderTest } from '../knowledge-under-test.ts';
import { decodeSegment } from '../search-under-test.ts';

const idsOf = async ({ service }: Pick<KnowledgeUnderTest, 'service'>, query: string) =>
  (await service.search(asking(query, { mode: 'index' }))).pieces.map(({ id }) => id);

const piece = (words: string) => `# About ${words}\n\nAll about ${words}.`;

describe(`${cites('KNOWLEDGE-FRESH')} the next search knows of`, () => {
  test('a file that was added, changed, renamed and removed', async () => {
    using knowledge = createKnowledge({ 'a.md': piece('zebras') });
    expect(await idsOf(knowledge, 'zebras')).toEqual(['guide/a']);
    knowledge.write({ 'knowledge/b.md': piece('ostriches') });
    expect(await idsOf(knowledge, 'ostriches')).toEqual(['guide/b']);
    knowledge.write({ 'knowledge/a.md': piece('pelicans') });
    expect(await idsOf(knowledge, 'pelicans')).toEqual(['guide/a']);
    expect(await idsOf(knowledge, 'zebras')).toEqual([]);
    const at = (file: string) => path.join(knowledge.folder, 'knowledge', file);
    renameSync(at('b.md'), at('c.md'));
    expect(await idsOf(knowledge, 'ostriches')).toEqual(['guide/c']);
    knowledge.remove('knowledge/c.md');
    expect(await idsOf(knowledge, 'ostriches')).toEqual([]);
  });

  test('a change that keeps size and time of change', async () => {
    using knowledge = createKnowledge({ 'a.md': piece('zebras') });
    const file = path.join(knowledge.folder, 'knowledge/a.md');
    const { atime, mtime } = statSync(file);
    for (const word of ['camels', 'tigers', 'rabbit', 'donkey', 'monkey']) {
      writeFileSync(file, piece(word));
      utimesSync(file, atime, mtime);
      expect(await idsOf(knowledge, word)).toEqual(['guide/a']);
    }
  });

  test('folders that are moved, made anew, or replaced as a whole', async () => {
    using knowledge = createKnowledge({ 'x/y/a.md': piece('zebras') });
    const at = (file: string) => path.join(knowledge.folder, file);
    expect(await idsOf(knowledge, 'zebras')).toEqual(['guide/x/y/a']);
    renameSync(at('knowledge/x'), at('knowledge/z'));
    expect(await idsOf(knowledge, 'zebras')).toEqual(['guide/z/y/a']);
    knowledge.write({ 'knowledge/z/y/b.md': piece('ostriches') });
    expect(await idsOf(knowledge, 'ostriches')).toEqual(['guide/z/y/b']);
    renameSync(at('knowledge'), at('before'));
    expect(await idsOf(knowledge, 'zebras')).toEqual([]);
    knowledge.write({ 'knowledge/c.md': piece('pelicans') });
    expect(await idsOf(knowledge, 'pelicans')).toEqual(['guide/c']);
    // Removed and made again before anybody looks.
    rmSync(at('knowledge'), { recursive: true });
    knowledge.write({ 'knowledge/c.md': piece('camels') });
    expect(await idsOf(knowledge, 'camels')).toEqual(['guide/c']);
    knowledge.write({ 'knowledge/c.md': piece('tigers') });
    expect(await idsOf(knowledge, 'tigers')).toEqual(['guide/c']);
  });

  test('what another process has written, and hundreds of files at once', async () => {
    using knowledge = createKnowledge({ 'a.md': piece('zebras') });
    await idsOf(knowledge, 'zebras');
    const folder = path.join(knowledge.folder, 'knowledge');
    const script = `const fs = require('fs');
      for (let n = 0; n < 300; n++) fs.writeFileSync('f' + n + '.md', '# Number ' + n + ' of ostriches');`;
    execFileSync(process.execPath, ['-e', script], { cwd: folder });
    const { pieces } = await knowledge.service.search(asking('number 299 of ostriches'));
    expect(pieces[0]?.id).toBe('guide/f299');
    expect((await knowledge.service.stats()).pieces).toBe(301);
    for (const file of readdirSync(folder)) rmSync(path.join(folder, file));
    expect((await knowledge.service.stats()).pieces).toBe(0);
  });
});

test(`${cites('KNOWLEDGE-INDEX')} another process starts with what the first has indexed`, async () => {
  using knowledge = createKnowledge({ 'a.md': piece('zebras'), 'b.md': piece('ostriches') });
  await idsOf(knowledge, 'zebras');
  expect(readdirSync(path.join(knowledge.folder, 'cache'))).toHaveLength(1);
  knowledge.write({ 'knowledge/b.md': piece('pelicans') });
  knowledge.remove('knowledge/a.md');
  const service = knowledge.another();
  expect(await idsOf({ service }, 'zebras ostriches')).toEqual([]);
  expect(await idsOf({ service }, 'pelicans')).toEqual(['guide/b']);
});

test(`${cites('KNOWLEDGE-INDEX')} many files with other times and the same texts are read just once`, async () => {
  const names = Array.from({ length: 40 }, (_, index) => `f${index}.md`);
  using knowledge = createKnowledge(
    Object.fromEntries(names.map((name) => [name, piece(`zebras of ${name}`)])),
  );
  await knowledge.service.stats();
  const [index = ''] = readdirSync(path.join(knowledge.folder, 'cache'));
  // As after a branch was left and entered again.
  for (const name of names) {
    utimesSync(path.join(knowledge.folder, 'knowledge', name), new Date(0), new Date(0));
  }
  const changed = names.map(
    (name) => statSync(path.join(knowledge.folder, 'knowledge', name)).ctimeMs,
  );
  // Times that are too fresh are not trusted.
  await vi.waitUntil(() => Date.now() - Math.max(...changed) > 100);
  expect((await knowledge.another().stats()).pieces).toBe(40);
  const segment = decodeSegment(readFileSync(path.join(knowledge.folder, 'cache', index)));
  const stored = [...(segment?.arrays.stamps ?? [])].filter((_, at) => at % 2 === 1);
  expect(stored.sort()).toEqual(changed.sort());
});

test(`${cites('KNOWLEDGE-SOURCES')} of pieces with one name the first counts, and the other is told of`, async () => {
  using knowledge = createKnowledge(
    {
      'workflow/same.md': piece('zebras'),
      'one/x.md': '---\nid: twin\n---\n# Twin one',
      'two/x.md': '---\nid: twin\n---\n# Twin two',
    },
    { prompts: { 'same.md': piece('ostriches') } },
  );
  expect(await idsOf(knowledge, 'zebras')).toEqual([]);
  expect(await idsOf(knowledge, 'ostriches')).toEqual(['workflow/same']);
  expect(await knowledge.service.check()).toMatchObject([
    {
      file: 'knowledge/two/x.md',
      severity: 'error',
      message: expect.stringContaining('knowledge/one/x.md'),
    },
    {
      file: 'knowledge/workflow/same.md',
      severity: 'warning',
      message: expect.stringContaining('prompts/same.md'),
    },
  ]);
});

test(`${cites('T11', 'T26')} searches are answered while a file changes without end`, async () => {
  using knowledge = createKnowledge({ 'a.md': piece('zebras') });
  const folder = path.join(knowledge.folder, 'knowledge');
  const script =
    "const fs = require('fs'); setInterval(() => { for (let n = 0; n < 50; n++) fs.writeFileSync('b.md', '# ' + Math.random()); }, 1);";
  const writer = spawn(process.execPath, ['-e', script], { cwd: folder });
  try {
    await expect.poll(() => readdirSync(folder)).toContain('b.md');
    for (let count = 0; count < 50; count++) {
      expect(await idsOf(knowledge, 'zebras')).toEqual(['guide/a']);
    }
  } finally {
    writer.kill('SIGKILL');
  }
});

test(`${cites('T10')} a source that leads out of where it belongs is not read`, async () => {
  using outside = createKnowledge({ 'secret.md': piece('zebras') });
  using knowledge = createKnowledge();
  const link = path.join(knowledge.folder, 'linked');
  symlinkSync(path.join(outside.folder, 'knowledge'), link);
  using linked = createKnowledge(
    {},
    {
      sources: [{ name: 'linked', path: link, within: knowledge.folder }],
    },
  );
  expect(await idsOf(linked, 'zebras')).toEqual([]);
  expect(await linked.service.check()).toMatchObject([{ file: 'linked', severity: 'error' }]);
  rmSync(link);
  mkdirSync(link);
  writeFileSync(path.join(link, 'own.md'), piece('zebras'));
  expect(await idsOf(linked, 'zebras')).toEqual(['guide/own']);
});
