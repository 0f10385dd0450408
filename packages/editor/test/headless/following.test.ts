import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Asking } from '@baton/core';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';
import { describe, expect, test } from 'vitest';
import {
  type Change,
  type Changing,
  FollowedChanges,
  findTypeScript,
  HeadlessLanguage,
  typeScriptServer,
  Workbench,
  WorkspaceTree,
} from '../headless-under-test.ts';

const SOURCES = {
  'tsconfig.json': '{ "compilerOptions": { "types": [] }, "include": ["src"] }',
  'src/cart.ts': 'export const total = 1;\n',
  'src/shop.ts': "import { total } from './cart';\nexport const shop = total;\n",
  'src/till.ts': "import { total } from './cart';\nexport const till = total;\n",
};

type Write = (change: Change, at: (file: string) => string) => Promise<void>;

/** Everything but the disk's journal: what is written, or not, is up to the test. */
function started(write: Write, others = 0) {
  const place = temporaryFolder();
  const at = (file: string) => path.join(place.path, file);
  mkdirSync(at('src'));
  for (const [file, text] of Object.entries(SOURCES)) writeFileSync(at(file), text);
  for (let other = 0; other < others; other++) writeFileSync(at(`note${other}.md`), 'nothing');
  const installed = findTypeScript(import.meta.filename);
  if (!installed) throw new Error('TypeScript is not installed');
  const kind = typeScriptServer(installed);
  const clock = { now: () => Date.now(), monotonic: () => performance.now() };
  const log = createMemoryLog();
  const bench = new Workbench({ tree: new WorkspaceTree(place.path, clock), log });
  const choice = { kindFor: async () => kind, kindsFor: async () => [kind] };
  const questions = { asking: {} as Asking, signal: new AbortController().signal };
  const changing: Changing = {
    apply: async (change) => {
      await write(change, at);
      return 'id';
    },
    undo: async () => Promise.reject(new Error('nothing to undo')),
  };
  return {
    language: new HeadlessLanguage(bench, choice, questions),
    changes: new FollowedChanges(changing, bench),
    [Symbol.dispose]() {
      bench.end();
      place[Symbol.dispose]();
    },
  };
}

type World = ReturnType<typeof started>;

/** `cart.ts:0:13 shop.ts:0:9 …`: where the exported name stands, as the server knows it. */
async function places({ language }: World, name: string, newName: string) {
  const [declared] = await language.declarations('src/cart.ts');
  expect(declared?.name).toBe(name);
  const range = declared?.range ?? expect.fail();
  const edited = await language.rename({ file: 'src/cart.ts', range }, newName);
  const found = edited.flatMap(({ file, edits }) =>
    edits.map((edit) => `${file} ${edit.range.start.line}:${edit.range.start.character}`),
  );
  return { edited, found: found.sort() };
}

async function renaming(world: World): Promise<Change> {
  const { edited } = await places(world, 'total', 'theWholeSum');
  const writes = edited.map(({ file, contents }) => {
    const after = Buffer.from(contents.toString().replaceAll('total', 'theWholeSum'));
    return { file, before: contents, after };
  });
  return { title: 'rename', writes, moves: [] };
}

const BEFORE = [
  'src/cart.ts 0:13',
  'src/shop.ts 0:9',
  'src/shop.ts 1:20',
  'src/till.ts 0:9',
  'src/till.ts 1:20',
];

// Among many files, the few that have changed are told one by one.
describe.each([0, 300])('beside %d other files', (others) => {
  test('a server knows what has been written', async () => {
    using world = started(async ({ writes }, at) => {
      for (const { file, after = '' } of writes) writeFileSync(at(file), after);
    }, others);
    await world.changes.apply(await renaming(world));
    expect((await places(world, 'theWholeSum', 'sum')).found).toEqual(BEFORE);
  });

  test('a server knows that nothing has been written', async () => {
    using world = started(async () => Promise.reject(new Error('disk full')), others);
    const change = await renaming(world);
    await expect(world.changes.apply(change)).rejects.toThrow('disk full');
    expect((await places(world, 'total', 'sum')).found).toEqual(BEFORE);
  });

  test('what somebody else has written meanwhile counts', async () => {
    using world = started(async ({ writes }, at) => {
      for (const { file, after = '' } of writes) writeFileSync(at(file), `\n${after}`);
    }, others);
    await world.changes.apply(await renaming(world));
    const moved = BEFORE.map((place) => place.replace(/\d+(?=:)/, (line) => `${Number(line) + 1}`));
    expect((await places(world, 'theWholeSum', 'sum')).found).toEqual(moved);
  });
});

test('a file that has moved is known at its new place', async () => {
  using world = started(async ({ writes, moves }, at) => {
    for (const { file, after = '' } of writes) writeFileSync(at(file), after);
    for (const { from, to } of moves) {
      mkdirSync(path.dirname(at(to)), { recursive: true });
      renameSync(at(from), at(to));
    }
  });
  const moves = [{ from: 'src/shop.ts', to: 'src/new/shop.ts' }];
  await places(world, 'total', 'sum');
  const [edited] = (await world.language.renameFiles(moves)).edited;
  const before = edited?.contents ?? expect.fail();
  const after = Buffer.from(before.toString().replace('./cart', '../cart'));
  await world.changes.apply({
    title: 'move',
    writes: [{ file: 'src/shop.ts', before, after }],
    moves,
  });
  expect((await places(world, 'total', 'sum')).found).toEqual(
    BEFORE.map((place) => place.replace('src/shop', 'src/new/shop')).sort(),
  );
});
