import { createRandom } from '@baton/testkit';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Bench } from './bench.ts';
import { moveFiles } from './moves.ts';
import { diagnosticsOf, diagnosticsOfSources, type Source } from './sources.ts';
import { renameSymbols } from './symbols.ts';

const RENAMES = Number(process.env['EDITOR_RENAMES'] ?? 50);
const MEMBERS = Math.ceil(RENAMES / 3);
const SEED = Number(process.env['EDITOR_SEED'] ?? 1);

/** What is the same for each package. */
export function testSources(name: Source): void {
  describe(`${name}, EDITOR_SEED=${SEED}`, () => {
    let bench: Bench;
    let said: readonly string[];
    beforeAll(async () => {
      bench = new Bench(name);
      said = await diagnosticsOfSources(name, bench.folder);
    });
    // A test that fails half-way leaves the others what they need.
    afterEach(() => bench.restore(name));
    afterAll(() => bench[Symbol.asyncDispose]());

    test(`${RENAMES} files are moved as TypeScript 6 would do it, there and back`, async () => {
      const { moves, undo } = await moveFiles(bench, createRandom(SEED), RENAMES);
      const before = new Map([...moves].map(([from, to]) => [to, from]));
      const found = (await diagnosticsOf(bench.folder)).map((line) =>
        line.replace(/^\S+/, (file) => before.get(file) ?? file),
      );
      expect(found.sort()).toEqual(said);
      await bench.undo('rename_file', undo);
    });

    test(`${RENAMES} symbols are renamed as TypeScript 6 would do it, there and back`, async () => {
      const undo = await renameSymbols(bench, createRandom(SEED + 1), {
        count: RENAMES,
        isWanted: ({ isMember }) => !isMember,
      });
      expect(await diagnosticsOf(bench.folder)).toEqual(said);
      await bench.undo('rename_symbol', undo);
    });

    // What has the same shape by chance is not found by any compiler, so that mistakes may follow.
    test(`${MEMBERS} members are renamed as TypeScript 6 would do it, there and back`, async () => {
      const undo = await renameSymbols(bench, createRandom(SEED + 2), {
        count: MEMBERS,
        isWanted: ({ isMember }) => isMember,
      });
      await bench.undo('rename_symbol', undo);
    });
  });
}
