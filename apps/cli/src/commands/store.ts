import path from 'node:path';
import type { Health, Store } from '@baton/runtime';
import type { Command } from '../command.ts';
import type { Parsed } from '../flags.ts';
import { type Extras, type Io, print } from '../io.ts';
import { hasStore, openSession } from '../session.ts';
import { UsageError } from '../usage-error.ts';

const json = { json: { type: 'boolean', summary: 'print it as JSON' } } as const;

const info: Command = {
  name: 'store info',
  summary: 'show where the store is, how large, and who works with it',
  usage: 'baton store info [--json] [flags]',
  flags: json,
  examples: ['baton store info'],
  maxArguments: 0,
  run: (io, parsed, extras) =>
    withStore(io, parsed, extras, async (store) => {
      const health = await store.health();
      const text = parsed.values.json ? JSON.stringify(health, null, 2) : describe(health);
      await print(io.stdout, text);
      return 0;
    }),
};

const backup: Command = {
  name: 'store backup',
  summary: 'copy the store into a file, while others go on using it',
  usage: 'baton store backup <file> [flags]',
  flags: {},
  examples: ['baton store backup ~/baton-backup.db'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [target] = parsed.positionals;
    if (!target) throw new UsageError('Into which file?', 'Usage: baton store backup <file>');
    const file = path.resolve(io.cwd, target);
    return withStore(io, parsed, extras, async (store) => {
      await store.backup(file);
      await print(
        io.stdout,
        `The store is copied into ${file}. To go back to it: stop all Baton processes, remove the store with its -wal and -shm, and put a copy of this file in its place.`,
      );
      return 0;
    });
  },
};

const check: Command = {
  name: 'store check',
  summary: 'look for damage in the whole store',
  usage: 'baton store check [flags]',
  flags: {},
  examples: ['baton store check'],
  maxArguments: 0,
  run: (io, parsed, extras) =>
    withStore(io, parsed, extras, async (store) => {
      const findings = await store.check();
      const isSound = findings.length === 0;
      await print(
        io.stdout,
        isSound
          ? 'No damage found.'
          : `${findings.join('\n')}\nThe store is damaged. Stop all Baton processes and put a backup in its place.`,
      );
      return isSound ? 0 : 1;
    }),
};

const vacuum: Command = {
  name: 'store vacuum',
  summary: 'give unused space back to the disk',
  usage: 'baton store vacuum [flags]',
  flags: {},
  examples: ['baton store vacuum'],
  maxArguments: 0,
  run: (io, parsed, extras) =>
    withStore(io, parsed, extras, async (store) => {
      const before = (await store.health()).bytes;
      await store.shrink('all');
      const after = (await store.health()).bytes;
      await print(io.stdout, `${size(before)} before, ${size(after)} now.`);
      return 0;
    }),
};

export const storeCommands: readonly Command[] = [info, backup, check, vacuum];

async function withStore(
  io: Io,
  parsed: Parsed,
  extras: Extras,
  work: (store: Store) => Promise<number>,
): Promise<number> {
  await using session = await openSession(io, parsed, extras, { logTo: 'file' });
  if (!hasStore(session)) {
    await print(io.stdout, `There is no store yet: ${session.store.file} is made on first use.`);
    return 0;
  }
  return await work(await session.store.open());
}

function describe(health: Health): string {
  const schemas = Object.entries(health.schemas).map(([name, version]) => `${name} ${version}`);
  const leases = health.leases.map(
    ({ name, label, isDead }) => `  ${name}  ${label}${isDead ? ' (its process is dead)' : ''}`,
  );
  return [
    `file         ${health.place}`,
    `size         ${size(health.bytes)}, ${size(health.freeBytes)} free on its disk`,
    `engine       ${health.engine} by ${health.driver}, journal ${health.journal}`,
    `file system  ${health.fileSystem}`,
    `schema       ${schemas.join(', ')}`,
    `leases       ${leases.length === 0 ? 'none' : leases.length}`,
    ...leases,
  ].join('\n');
}

function size(bytes: number): string {
  return bytes < 1024 ** 2
    ? `${Math.ceil(bytes / 1024)} KiB`
    : `${Math.round(bytes / 1024 ** 2)} MiB`;
}
