import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Ids, Log } from '@baton/core';
import type { Health, LeaseWatch, Processes, Schema, Store } from '@baton/store';
import { schemas as builtInSchemas, prunings } from './schemas.ts';

/** The store of this process, opened when somebody first needs it. */
export interface StoreAccess {
  readonly file: string;
  /** Tries again after a failure: what was wrong may have been put right. */
  open(): Promise<Store>;
  /** Whether it works, and with what: looked at again after a moment, for those who ask often. */
  look(): Promise<Pick<Health, 'engine' | 'leases' | 'isWritable'>>;
  /** Done before the store is closed. */
  beforeClose(work: () => Promise<void>): void;
  close(): Promise<void>;
}

export interface StoreAccessOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly log: Log;
  /** The tables of the features; those of the built-in ones, unless told otherwise. */
  readonly schemas?: readonly Schema[];
}

/** The first upkeep comes after the busy first moments of a process. */
const FIRST_UPKEEP_MS = 60_000;
const UPKEEP_MS = 60 * 60 * 1000;
const LOOK_MS = 1000;

export function createStoreAccess(options: StoreAccessOptions): StoreAccess {
  let opening: Promise<Store> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let processes: Processes | undefined;
  let watch: LeaseWatch | undefined;
  let looking: ReturnType<StoreAccess['look']> | undefined;
  let lookedAt = 0;
  const lastWorks: (() => Promise<void>)[] = [];

  const upkeep = async (store: Store) => {
    const { keepUp } = await import('@baton/store');
    await keepUp(store, options.schemas ? {} : { prunings });
  };
  const run = (store: Store) => {
    timer = setTimeout(run, UPKEEP_MS, store).unref();
    upkeep(store).catch((error: unknown) => options.log.write('warn', `no upkeep: ${error}`));
  };
  const open = async () => {
    // Only now: most of the time a process starts, the store is not the first thing it needs.
    const { createProcesses, LeaseWatch, openStore } = await import('@baton/store');
    await nextTurn(); // Loading it was work enough for one.
    processes ??= createProcesses();
    watch ??= new LeaseWatch(options.clock, processes);
    const store = await openStore({ schemas: builtInSchemas, ...options, processes, watch });
    timer = setTimeout(run, FIRST_UPKEEP_MS, store).unref();
    return store;
  };
  const access: StoreAccess = {
    file: options.file,
    open() {
      opening ??= open().catch((error: unknown) => {
        opening = undefined;
        throw error;
      });
      return opening;
    },
    look() {
      const now = options.clock.monotonic();
      if (looking && now - lookedAt < LOOK_MS) return looking;
      lookedAt = now;
      looking = access.open().then((store) => store.health());
      // What is wrong may be put right at any time.
      looking.catch(() => {
        looking = undefined;
      });
      return looking;
    },
    beforeClose(work) {
      lastWorks.push(work);
    },
    async close() {
      clearTimeout(timer);
      await Promise.all(lastWorks.splice(0).map((work) => work()));
      const store = await opening?.catch(() => undefined);
      opening = undefined;
      await store?.close();
    },
  };
  return access;
}
