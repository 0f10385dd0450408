import path from 'node:path';
import { type BindingName, openStore, type Store, type StoreOptions } from '@baton/store';
import { createFakeClock, createFakeIds, createMemoryLog, temporaryFolder } from '@baton/testkit';
import type { StorePlace } from './contract/place.ts';

export interface SqlitePlace extends StorePlace {
  readonly folder: string;
  readonly file: string;
}

/** Which library the tests use; without it, the one that suits this Node.js. */
export const testedBinding = process.env.BATON_TEST_SQLITE as BindingName | undefined;

/** A file that does not exist yet, in a folder that does not either. */
export function createSqlitePlace(): SqlitePlace {
  const parent = temporaryFolder();
  const folder = path.join(parent.path, 'state');
  const file = path.join(folder, 'baton.db');
  const stores: Store[] = [];
  const clock = createFakeClock();
  const ids = createFakeIds();
  return {
    folder,
    file,
    async open(overrides: Partial<StoreOptions> = {}) {
      const store = await openStore({
        file,
        clock,
        ids,
        log: createMemoryLog(),
        ...(testedBinding && { binding: testedBinding }),
        ...overrides,
      });
      stores.push(store);
      return store;
    },
    async [Symbol.asyncDispose]() {
      for (const store of stores) await store.close();
      parent[Symbol.dispose]();
    },
  };
}
