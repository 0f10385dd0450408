import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock, Ids, Log } from '@baton/core';
import { checkEvents } from './check-events.ts';
import type { Driver, Durability } from './driver.ts';
import { type BindingName, loadBinding } from './drivers/sqlite/binding.ts';
import { SqliteDriver } from './drivers/sqlite/sqlite.ts';
import { addEvents } from './events.ts';
import { type Health, healthOf } from './health.ts';
import { Holding } from './holding.ts';
import { LeaseWatch } from './lease-watch.ts';
import { knownVersions, MigrationWaits, migrate, type Schema, storeSchema } from './migrate.ts';
import { createProcesses, type Processes } from './processes.ts';
import { StoreChanges } from './store-changes.ts';
import type { Reading, Transaction } from './transaction.ts';

export interface StoreOptions {
  /** The database; `:memory:` is gone with the process. */
  readonly file: string;
  readonly log: Log;
  readonly clock: Clock;
  readonly ids: Ids;
  /** The tables of the features. */
  readonly schemas?: readonly Schema[];
  /** How long a write waits for others. */
  readonly deadlineMs?: number;
  readonly random?: () => number;
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly processes?: Processes;
  /** One that has been looking for longer: whoever opens the store again and again keeps it. */
  readonly watch?: LeaseWatch;
  /** Instead of the one that suits this Node.js. */
  readonly binding?: BindingName;
}

export interface HoldingOptions {
  /** For people: who holds the leases. */
  readonly label: string;
  readonly silenceMs?: number;
}

const DEADLINE_MS = 30_000;
const SILENCE_MS = 30_000;
const MIGRATION_PAUSE_MS = 200;

/** What all processes of a user share. */
export class Store {
  readonly clock: Clock;
  readonly changes: StoreChanges;
  readonly processes: Processes;
  readonly #driver: Driver;
  readonly #options: StoreOptions;

  constructor(driver: Driver, options: StoreOptions, processes: Processes) {
    this.#driver = driver;
    this.#options = options;
    this.processes = processes;
    this.clock = options.clock;
    this.changes = new StoreChanges(driver, options.log);
  }

  /** Reads of one moment. */
  read<Result>(work: (tx: Reading) => Promise<Result>, signal?: AbortSignal): Promise<Result> {
    return this.#driver.read(work, signal);
  }

  /**
   * All of it or nothing. `work` awaits nothing but the database, and has no effect outside of
   * it: it may be run again, and it may be undone.
   */
  async write<Result>(
    durability: Durability,
    work: (tx: Transaction) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const topics = new Map<string, { workspace: string; topic: string }>();
    const result = await this.#driver.write(
      durability,
      async (queries) => {
        topics.clear();
        const tx: Transaction = {
          get db() {
            return queries.db;
          },
          executor: queries.executor,
          now: this.clock.now(),
          emit: (workspace, topic) => topics.set(`${workspace}\n${topic}`, { workspace, topic }),
        };
        const made = await work(tx);
        if (topics.size > 0) await addEvents(tx, topics.values());
        return made;
      },
      signal,
    );
    if (topics.size > 0) this.changes.wake();
    return result;
  }

  /** What this process will hold, as one owner. */
  createHolding({ label, silenceMs = SILENCE_MS }: HoldingOptions): Holding {
    const { ids, log, schemas = [] } = this.#options;
    return new Holding(this, log, {
      owner: ids.next(),
      label,
      process: this.processes.self,
      schemas: knownVersions([storeSchema, ...schemas]),
      silenceMs,
    });
  }

  health(): Promise<Health> {
    return healthOf(this, this.#driver);
  }

  /** What is wrong with the database, in words; nothing if all is well. */
  async check(): Promise<readonly string[]> {
    const damage = await this.#driver.check();
    // Where the tables are damaged, what is counted in them says nothing.
    return damage.length > 0 ? damage : this.read(checkEvents);
  }

  backup(target: string): Promise<void> {
    return this.#driver.backup(target);
  }

  shrink(how: 'a little' | 'all'): Promise<void> {
    return this.#driver.shrink(how);
  }

  async close(): Promise<void> {
    this.changes.end();
    await this.#driver.close();
  }
}

/** Opens the store and brings its tables up to date. Fails with a BatonError that says why. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { file, clock, deadlineMs = DEADLINE_MS, random = Math.random, pause = sleep } = options;
  const processes = options.processes ?? createProcesses();
  const schemas = [storeSchema, ...(options.schemas ?? [])];
  const watch = options.watch ?? new LeaseWatch(clock, processes);
  const binding = await loadBinding(options.binding);
  await nextTurn(); // To load native code and to open a file are a turn's work each.
  const driver = new SqliteDriver({
    file,
    binding,
    waiting: { clock, random, pause },
    deadlineMs,
    prepare: (queries, found) => migrate(queries, schemas, { ...found, place: file, watch }),
  });
  const begun = clock.monotonic();
  for (;;) {
    try {
      await driver.read(async () => {});
      return new Store(driver, options, processes);
    } catch (error) {
      const isLate = clock.monotonic() - begun >= deadlineMs;
      if (!(error instanceof MigrationWaits) || isLate) {
        await driver.close();
        throw error;
      }
    }
    await pause(MIGRATION_PAUSE_MS);
  }
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}
