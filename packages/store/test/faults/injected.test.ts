import { copyFileSync, existsSync } from 'node:fs';
import path from 'node:path';
import { cites } from '@baton/e2e/requirements';
import { createRandom, temporaryFolder } from '@baton/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runWithFault } from './injection.ts';
import { openHere } from './open-here.ts';
import { addPair, readPairs } from './pairs.ts';
import { type Answer, bundleSession, type Command } from './session.ts';

const SEED = Number(process.env['BATON_TEST_SEED'] ?? 20);
/** Places to fail at for each case; if there are more, they are sampled. */
const PLACES = Number(process.env['BATON_TEST_FAULTS'] ?? 6);

const WRITING = 'pwrite64,fsync,fdatasync,ftruncate';
const KEYS = ['a', 'b', 'c'];
/** The last place that strace can count to. */
const NEVER = 65_535;

interface Case {
  readonly what: string;
  readonly calls: string;
  readonly error: string;
  readonly isNew: boolean;
  /** Fails from then on, not only once. */
  readonly isLasting: boolean;
  readonly codes: readonly string[];
  /** Each place, because there are few. */
  readonly isThorough?: boolean;
}

const cases: readonly Case[] = [
  {
    what: 'there is no room for a moment, in a new store',
    ...{ calls: WRITING, error: 'ENOSPC', isNew: true, isLasting: false },
    codes: ['store_full', 'store_io'],
  },
  {
    what: 'there is no more room, in a store left by a killed process',
    ...{ calls: WRITING, error: 'ENOSPC', isNew: false, isLasting: true },
    codes: ['store_full', 'store_io'],
  },
  {
    what: 'the disk fails once, in a store left by a killed process',
    ...{ calls: WRITING, error: 'EIO', isNew: false, isLasting: false },
    codes: ['store_io'],
  },
  {
    what: 'nothing reaches the disk any more, in a new store',
    isThorough: true,
    ...{ calls: 'fsync,fdatasync', error: 'EIO', isNew: true, isLasting: true },
    codes: ['store_io'],
  },
  {
    // SQLite takes what the disk does not give for damage.
    what: 'the disk cannot be read once',
    ...{ calls: 'pread64', error: 'EIO', isNew: false, isLasting: false },
    codes: ['store_io', 'store_corrupt'],
  },
  {
    what: 'there are too many open files for a moment',
    ...{ calls: 'openat', error: 'EMFILE', isNew: false, isLasting: false },
    codes: ['store_unreadable', 'store_io'],
  },
  {
    what: 'no folder or name can be made or removed once',
    ...{ calls: 'mkdir,link,linkat,unlink', error: 'ENOSPC', isNew: true, isLasting: false },
    codes: ['store_full', 'store_io'],
  },
];

// It needs strace, which is of Linux.
describe.runIf(process.platform === 'linux')(`${cites('T19')} the Nth operation fails`, () => {
  let program: Awaited<ReturnType<typeof bundleSession>>;
  const ground = temporaryFolder();
  const killed = path.join(ground.path, 'killed.db');
  beforeAll(async () => {
    program = await bundleSession();
    const alive = path.join(ground.path, 'alive.db');
    const store = await openHere(alive);
    await addPair(store, '0', 3000);
    for (const end of ['', '-wal']) copyFileSync(alive + end, killed + end);
    await store.close();
  });
  afterAll(() => {
    program[Symbol.dispose]();
    ground[Symbol.dispose]();
  });

  const setUp = (folder: string, isNew: boolean) => {
    if (isNew) return { file: path.join(folder, 'state', 'store.db'), before: [], onlyOf: [] };
    const file = path.join(folder, 'store.db');
    for (const end of ['', '-wal']) copyFileSync(killed + end, file + end);
    // Node.js itself reads and opens files too, when it starts.
    return { file, before: ['0'], onlyOf: [file, `${file}-wal`, `${file}-shm`] };
  };

  test.each(cases.map((one) => [one.what, one] as const))(
    '%s',
    async (_, { isNew, codes, isThorough, ...how }) => {
      /** Returns how often the calls were made. */
      const attempt = async (place: number): Promise<number> => {
        using folder = temporaryFolder();
        const { file, before, onlyOf } = setUp(folder.path, isNew);
        const commands = commandsFor(file);
        const fault = { ...how, place };
        const { answers, count } = await runWithFault(program.file, commands, fault, onlyOf);
        checkAnswers(commands, answers, place > count ? [] : codes);
        await checkStore(file, before, commands, answers);
        return count;
      };

      const all = await attempt(NEVER);
      expect(all).toBeGreaterThan(2);
      const places = choosePlaces(all, isThorough ? all : PLACES);
      for (let index = 0; index < places.length; index += 2) {
        await Promise.all(places.slice(index, index + 2).map(attempt));
      }
    },
    60_000 + PLACES * 1000,
  );
});

function commandsFor(file: string): Command[] {
  return [
    { do: 'open', file },
    { do: 'open', file }, // If it failed, this is the second try of the same process.
    ...KEYS.map((key) => ({ do: 'add', key, bytes: 3000 }) as const),
    { do: 'keys' },
    { do: 'check' },
    { do: 'close' },
  ];
}

function choosePlaces(all: number, count: number): number[] {
  const random = createRandom(SEED);
  const places = new Set([1, 2, all]);
  while (places.size < Math.min(count, all)) places.add(1 + random.integer(all));
  return [...places].sort((a, b) => a - b);
}

function checkAnswers(
  commands: readonly Command[],
  answers: readonly Answer[],
  codes: readonly string[],
): void {
  expect(answers, 'the process lives to the end').toHaveLength(commands.length);
  const isOpen = answers.some((answer) => answer.ok === 'opened');
  for (const { failed, unexpected } of answers) {
    expect(unexpected).toBeUndefined();
    if (!failed || (failed.code === 'not_open' && !isOpen)) continue;
    expect(codes, failed.message).toContain(failed.code);
    expect(failed.message).toMatch(/nothing was changed|not certain|left as it is/);
    expect(failed.next).toMatch(/try again|name another folder|put a backup in its place/);
  }
}

/** Afterwards, with a disk that works: all that was acknowledged, and nothing else. */
async function checkStore(
  file: string,
  before: readonly string[],
  commands: readonly Command[],
  answers: readonly Answer[],
): Promise<void> {
  const keysOf = (suits: (answer: Answer | undefined) => boolean | undefined) =>
    commands.flatMap((command, index) =>
      command.do === 'add' && suits(answers[index]) ? [command.key] : [],
    );
  const acknowledged = [...before, ...keysOf((answer) => answer?.ok !== undefined)];
  const unsure = keysOf((answer) => answer?.failed?.message.includes('not certain'));
  if (acknowledged.length === 0 && !existsSync(file)) return;
  const store = await openHere(file);
  const found = await readPairs(store);
  const findings = await store.check();
  await store.close();
  expect(found).toEqual(expect.arrayContaining(acknowledged));
  expect([...acknowledged, ...unsure]).toEqual(expect.arrayContaining(found));
  expect(findings).toEqual([]);
}
