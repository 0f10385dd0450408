import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { temporaryFolder } from '@baton/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { WorkspaceTree } from '../tree-under-test.ts';

const clock = { now: () => Date.now(), monotonic: () => performance.now() };

function started() {
  const place = temporaryFolder();
  const at = (...parts: string[]) => path.join(place.path, ...parts);
  const write = (file: string, text: string) => {
    mkdirSync(path.dirname(at(file)), { recursive: true });
    writeFileSync(at(file), text);
  };
  const tree = new WorkspaceTree(place.path, clock);
  return { place, at, write, tree, [Symbol.dispose]: () => place[Symbol.dispose]() };
}

test('whatever was written before a look is in it, and told once', async () => {
  using world = started();
  const { at, write, tree } = world;
  write('a.ts', 'one');
  write('b/c.ts', 'two');
  const told: string[] = [];
  tree.onChanges = ({ created, changed, deleted }) =>
    told.push(`+${created} ~${changed} -${deleted}`);
  expect([...(await tree.look()).keys()].sort()).toEqual(['a.ts', 'b/c.ts']);
  expect(told).toEqual([]);
  write('a.ts', 'other');
  write('d.ts', 'new');
  rmSync(at('b/c.ts'));
  expect([...(await tree.look()).keys()].sort()).toEqual(['a.ts', 'd.ts']);
  expect(told).toEqual(['+d.ts ~a.ts -b/c.ts']);
  renameSync(at('b'), at('e'));
  write('e/f/g.ts', 'deep');
  expect([...(await tree.look()).keys()].sort()).toEqual(['a.ts', 'd.ts', 'e/f/g.ts']);
});

test('words are found in files as they are now', async () => {
  using world = started();
  const { at, write, tree } = world;
  write('a.ts', 'export const total = 1;');
  write('b.md', 'the total');
  write('c.bin', 'total\0');
  write('node_modules/x/index.js', 'total');
  symlinkSync(at('a.ts'), at('link.ts'));
  expect(await tree.filesWith(['total'])).toEqual(['a.ts', 'b.md']);
  write('a.ts', 'export const totals = 1;');
  write('d.ts', 'total');
  expect(await tree.filesWith(['total'])).toEqual(['b.md', 'd.ts']);
  expect((await tree.filesWith(['totals', 'the'])).sort()).toEqual(['a.ts', 'b.md']);
});

const name = fc.constantFrom('a', 'b', 'c', '.c', '.env');
const folder = fc.constantFrom('a', 'b', 'a/c', 'd/a/b', '.github', '.github/a', '.cache', 'a/.ci');
const step = fc.record({
  kind: fc.constantFrom('write', 'remove', 'drop folder'),
  folder,
  base: name,
  text: name,
});

type Step = typeof step extends fc.Arbitrary<infer One> ? One : never;

function make({ at, write }: ReturnType<typeof started>, one: Step): void {
  const { kind, folder, base, text } = one;
  if (kind === 'write') write(`${folder}/${base}.ts`, text);
  else if (kind === 'remove') rmSync(at(folder, `${base}.ts`), { force: true });
  else rmSync(at(folder), { recursive: true, force: true });
}

async function known(tree: WorkspaceTree) {
  const files = [...(await tree.look()).keys()].sort();
  const found = await Promise.all(['a', 'b', 'c'].map((word) => tree.filesWith([word])));
  return { files, found: found.map((one) => one.toSorted()) };
}

test('after any changes it is as if it had been looked at for the first time', async () => {
  const rounds = fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rounds, async (all) => {
      using world = started();
      await world.tree.look();
      for (const steps of all) {
        for (const one of steps) make(world, one);
        const fresh = new WorkspaceTree(world.place.path, clock);
        expect(await known(world.tree)).toEqual(await known(fresh));
      }
    }),
    { numRuns: 60 },
  );
});
