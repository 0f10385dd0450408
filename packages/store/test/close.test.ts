import { copyFileSync } from 'node:fs';
import path from 'node:path';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import { expect, test } from 'vitest';
import { newestEvent, openStore } from '../src/index.ts';

test('the last one to close leaves everything in the file itself', async () => {
  using folder = temporaryFolder();
  const open = (name: string) =>
    openStore({
      file: path.join(folder.path, name),
      log: createMemoryLog(),
      clock: createFakeClock(),
      ids: createFakeIds(),
    });
  const store = await open('baton.db');
  await store.write('durable', async ({ emit }) => emit('workspace', 'topic'));
  await store.close();

  copyFileSync(path.join(folder.path, 'baton.db'), path.join(folder.path, 'copy.db'));
  const copy = await open('copy.db');
  const newest = await copy.read((db) => newestEvent({ db }));
  await copy.close();
  expect(newest).toBe(1);
});
