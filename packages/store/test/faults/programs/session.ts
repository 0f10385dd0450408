import { createInterface } from 'node:readline';
import { BatonError } from '@baton/core';
import { openStore, type Store } from '@baton/store';
import { addPair, readPairs } from '../pairs.ts';
import type { Answer, Command } from '../session.ts';

/**
 * Does one command per line of stdin, each answered with a line: a store in a process of its own,
 * which becomes another user if an id is given.
 */
let store: Store | undefined;

async function run(command: Command): Promise<unknown> {
  if (command.do === 'open') {
    store ??= await openStore({
      file: command.file,
      log: { isEnabled: () => false, write: () => {}, child: () => ({}) as never },
      clock: { now: Date.now, monotonic: () => performance.now() },
      ids: { next: () => crypto.randomUUID() },
    });
    return 'opened';
  }
  if (!store) throw new BatonError('not_open', 'It could not be opened.', 'Open it first.');
  if (command.do === 'add') return addPair(store, command.key, command.bytes);
  if (command.do === 'keys') return readPairs(store);
  if (command.do === 'check') return store.check();
  if (command.do === 'backup') return store.backup(command.target);
  return store.close();
}

async function answer(command: Command): Promise<Answer> {
  try {
    return { ok: (await run(command)) ?? null };
  } catch (error) {
    if (error instanceof BatonError) {
      const { code, message, next } = error;
      return { failed: { code, message, next } };
    }
    return { unexpected: error instanceof Error ? `${error.stack}` : String(error) };
  }
}

const uid = Number(process.argv[2]);
if (uid) {
  // The clone may be closed to that user: the native library is loaded before.
  await import('@photostructure/sqlite');
  process.setgroups?.([]);
  process.setgid?.(uid);
  process.setuid?.(uid);
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await answer(JSON.parse(line)))}\n`);
}
