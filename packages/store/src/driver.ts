import type { Kysely, QueryExecutor } from 'kysely';

/**
 * `durable` is on the disk before it is acknowledged: plans, tickets, claims. `relaxed` may lose
 * its last moments in a power cut, never in a crash of a process: beats, progress, offsets.
 */
export type Durability = 'durable' | 'relaxed';

// biome-ignore lint/suspicious/noExplicitAny: each caller knows its own tables
export type AnyTables = Kysely<any>;

/** What asks the database. Valid until the function that was given it returns. */
export interface Queries {
  readonly db: AnyTables;
  /** Runs what was compiled before. */
  readonly executor: QueryExecutor;
}

/** A fact about the store for people and for `baton doctor`. */
export interface Facts {
  readonly place: string;
  readonly driver: string;
  readonly engine: string;
  readonly journal: string;
  readonly fileSystem: string;
  readonly isWritable: boolean;
  readonly bytes: number;
  readonly freeBytes: number;
}

export interface Watch {
  /** Says that this process has committed: it calls back at once instead of finding that out. */
  committed(): void;
  end(): void;
}

/** What runs the SQL. Everything above it is the same for every database. */
export interface Driver {
  /** Reads of one moment. */
  read<Result>(work: (queries: Queries) => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** All of it or nothing, after all writes before it. `work` awaits nothing but the database. */
  write<Result>(
    durability: Durability,
    work: (queries: Queries) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result>;
  /** Calls back soon after anybody has committed, sometimes for nothing, until it is ended. */
  watch(listener: () => void): Watch;
  facts(): Promise<Facts>;
  /** What is wrong with the file, in words; nothing if all is well. */
  check(): Promise<readonly string[]>;
  backup(target: string): Promise<void>;
  /** Gives unused space back. All of it takes long and needs the store for itself. */
  shrink(how: 'a little' | 'all'): Promise<void>;
  close(): Promise<void>;
}
