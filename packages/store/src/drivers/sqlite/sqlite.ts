import { BatonError } from '@baton/core';
import type { Driver, Durability, Facts, Queries, Watch } from '../../driver.ts';
import { beginReading, beginWriting } from './begin.ts';
import type { Binding } from './binding.ts';
import type { Connection } from './connection.ts';
import { explain, isBusy, isReadOnly, isSqliteError, storeCorrupt } from './failure.ts';
import { isNew } from './file-state.ts';
import { findLockHolder } from './lock-holder.ts';
import { backup, check, facts, shrink } from './maintenance.ts';
import { type FileState, OpenFile } from './open-file.ts';
import { Patience, type Waiting, type WaitOptions } from './patience.ts';
import { prepareFile } from './place.ts';
import { TransactionQueries } from './queries.ts';
import { QueueLock } from './queue-lock.ts';
import { commitUnsure, storeOverwritten, storeReplaced } from './rescue.ts';
import { Turns } from './turns.ts';
import { watchFile } from './watch-file.ts';

export interface SqliteOptions {
  /** `:memory:` is for tests: it is gone with the process. */
  readonly file: string;
  readonly binding: Binding;
  readonly waiting: Waiting;
  /** How long a write waits for others. */
  readonly deadlineMs: number;
  /** Brings the tables up to date; called whenever the file was opened or its tables changed. */
  readonly prepare: (
    queries: Queries,
    found: { isWritable: boolean; isNew: boolean },
  ) => Promise<void>;
}

/**
 * SQLite on one file that many processes share. One connection writes and one reads, so that
 * readers never see half of a transaction and never wait for one.
 */
export class SqliteDriver implements Driver {
  readonly #options: SqliteOptions;
  readonly #writing = new QueueLock();
  readonly #reading: QueueLock;
  readonly #patience: Patience;
  readonly #turns: Turns;
  #open: OpenFile | undefined;
  /** What was open before another program wrote into the file. */
  #overwritten: OpenFile | undefined;
  #isClosed = false;

  constructor(options: SqliteOptions) {
    this.#options = options;
    this.#reading = this.#inMemory ? this.#writing : new QueueLock();
    this.#patience = new Patience(options.waiting, options.deadlineMs);
    this.#turns = new Turns(options.waiting.clock);
  }

  get #inMemory(): boolean {
    return this.#options.file === ':memory:';
  }

  async write<Result>(
    durability: Durability,
    work: (queries: Queries) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    const wait = { signal, since: this.#options.waiting.clock.monotonic() };
    return this.#alone(this.#writing, signal, async () => {
      // Whether it is still the same file is looked at within the transaction.
      if (!this.#open) await this.#ensureOpen(wait);
      await this.#patience.giveWay(signal);
      try {
        return await this.#transaction(durability, work, wait);
      } catch (error) {
        // SQLite stumbles over files that were changed under it.
        if (isSqliteError(error) && this.#open?.look() === 'moved') await this.#attend('moved');
        if (!isReadOnly(error)) throw error;
        // It may have been opened while it could not be written.
        await this.#drop();
        await this.#options.binding.settle();
        await this.#ensureOpen(wait);
        return this.#transaction(durability, work, wait);
      }
    });
  }

  async read<Result>(
    work: (queries: Queries) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      if (!this.#open?.isReady || this.#open.lookOnce() !== 'same') {
        await this.#alone(this.#writing, signal, () => this.#ensureOpen({ signal }));
      }
      const found = await this.#alone(this.#reading, signal, () => this.#readNow(work, signal));
      if (found) return found.result;
    }
  }

  /** Nothing if the connections were ended while this read waited for its turn. */
  async #readNow<Result>(
    work: (queries: Queries) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<{ readonly result: Result } | undefined> {
    if (!this.#open && !this.#isClosed) return undefined;
    const open = this.#connections();
    const { reader } = open;
    await this.#patience.until(() => beginReading(reader), isBusy, { signal });
    const queries = new TransactionQueries(reader);
    try {
      await this.#noticeNewTables(open, reader, queries);
      return { result: await work(queries) };
    } finally {
      queries.end();
      reader.rollback();
    }
  }

  watch(listener: () => void): Watch {
    return watchFile(this.#options.file, () => this.#open?.reader, listener);
  }

  facts(): Promise<Facts> {
    return this.#exclusively((open) => facts(open, this.#options.binding, this.#options.file));
  }

  check(): Promise<readonly string[]> {
    return this.#exclusively(({ reader }) => check(reader));
  }

  backup(target: string): Promise<void> {
    return this.#exclusively(({ reader }) => backup(reader, target));
  }

  shrink(how: 'a little' | 'all'): Promise<void> {
    return this.#exclusively(({ writer }) => {
      writer.setDurability('durable');
      shrink(writer, how);
    });
  }

  async close(): Promise<void> {
    this.#patience.end();
    const release = await this.#writing.acquire();
    const releaseReading = await this.#readersGone();
    this.#isClosed = true;
    this.#open?.settle();
    await this.#disconnect();
    releaseReading();
    release();
  }

  #exclusively<Result>(work: (open: OpenFile) => Result): Promise<Result> {
    return this.#alone(this.#writing, undefined, async () => {
      await this.#ensureOpen();
      const release = await this.#readersGone();
      try {
        return await this.#patience.until(() => work(this.#connections()), isBusy);
      } finally {
        release();
      }
    });
  }

  async #alone<Result>(
    lock: QueueLock,
    signal: AbortSignal | undefined,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const release = await lock.acquire(signal);
    try {
      await this.#turns.giveWay();
      return await work();
    } catch (error) {
      throw explain(error, this.#options.file);
    } finally {
      release();
    }
  }

  async #transaction<Result>(
    durability: Durability,
    work: (queries: Queries) => Promise<Result>,
    wait?: WaitOptions,
  ): Promise<Result> {
    const open = await this.#begin(durability, wait);
    const { writer } = open;
    const queries = new TransactionQueries(writer);
    try {
      await this.#noticeNewTables(open, writer, queries);
      const result = await this.#turns.within(() => work(queries));
      open.head = headOf(writer);
      writer.exec('commit');
      if (!open.isCommitFound()) await this.#saveCommit(open);
      return result;
    } finally {
      queries.end();
      if (this.#open === open) writer.rollback(); // Does nothing after a commit.
    }
  }

  /** Begins to write to the files that all others find, too. */
  async #begin(durability: Durability, wait?: WaitOptions): Promise<OpenFile> {
    for (;;) {
      const open = this.#connections();
      const { writer } = open;
      await this.#patience.untilWritable(
        () => beginWriting(writer, durability),
        isBusy,
        () => findLockHolder(this.#options.file)?.isStopped === true,
        wait,
      );
      let state: FileState | undefined;
      try {
        state = open.look();
        if (state === 'same') return open;
      } finally {
        if (state !== 'same') writer.rollback();
      }
      await this.#attend(state, wait);
    }
  }

  /** Looks after a file that is not as we left it. Throws what somebody has to know. */
  async #attend(state: FileState, wait?: WaitOptions): Promise<void> {
    if (state === 'same') return;
    const { file } = this.#options;
    const open = this.#connections();
    const verdict = state === 'moved' ? 'moved' : open.judge();
    if (verdict === 'checkpoint') return;
    if (verdict !== 'overwritten') {
      // What is written to files without a name is lost.
      const release = await this.#readersGone();
      try {
        throw storeReplaced(file, open.rescue());
      } finally {
        await this.#disconnect();
        release();
        await this.#options.binding.settle();
      }
    }
    // What the connections remember of the file may be wrong, and what the log adds to it.
    this.#overwritten = open;
    await this.#drop();
    await this.#options.binding.settle();
    await this.#ensureOpen(wait);
  }

  /** Refuses a file that was overwritten until it is sound again; says once that it is older. */
  #refuseOverwritten(open: OpenFile): void {
    const before = this.#overwritten;
    if (!before) return;
    const { file } = this.#options;
    const [finding] = check(open.reader);
    if (finding !== undefined) {
      throw storeCorrupt(file, `it was overwritten while it was in use (${finding})`);
    }
    this.#overwritten = undefined;
    if (open.head < before.head) throw storeOverwritten(file);
  }

  /** A commit went to files that others do not find: it counts if it gets into those that they do. */
  async #saveCommit(open: OpenFile): Promise<void> {
    const release = await this.#readersGone();
    try {
      if (open.rescueInPlace()) return; // Whoever comes next is told.
      const outcome = open.rescue();
      await this.#disconnect();
      throw commitUnsure(this.#options.file, outcome);
    } finally {
      release();
    }
  }

  /** A newer Baton may have changed the tables under us. */
  async #noticeNewTables(open: OpenFile, connection: Connection, queries: Queries): Promise<void> {
    const tables = connection.value('pragma schema_version');
    if (tables === open.tables) return;
    await this.#options.prepare(queries, {
      isWritable: connection === open.writer,
      isNew: isNew(connection, this.#options.file),
    });
    open.tables = connection.value('pragma schema_version');
  }

  #connections(): OpenFile {
    if (this.#isClosed || !this.#open) throw new Error('The store is closed');
    return this.#open;
  }

  async #ensureOpen(wait?: WaitOptions): Promise<void> {
    const { file } = this.#options;
    if (this.#isClosed) throw new Error('The store is closed');
    if (this.#open) return this.#attend(this.#open.look(), wait);
    if (!this.#inMemory) prepareFile(this.#options.binding, file);
    const open = await this.#patience.until(() => this.#connect(), isBusy, wait);
    this.#open = open;
    try {
      // Whoever only reads does not wait for those who write.
      const isUpToDate = await this.#prepareToRead(open);
      if (!isUpToDate) await this.#transaction('durable', async () => {}, wait);
      open.head = headOf(open.reader);
      this.#refuseOverwritten(open);
      open.isReady = true;
    } catch (error) {
      await this.#drop();
      throw error;
    }
  }

  /** Whether the tables can be used as they are. */
  async #prepareToRead({ reader, isWritable }: OpenFile): Promise<boolean> {
    if (this.#inMemory || isNew(reader, this.#options.file)) return false;
    try {
      const queries = new TransactionQueries(reader);
      await this.#options.prepare(queries, { isWritable: false, isNew: false });
      return true;
    } catch (error) {
      if (isWritable && error instanceof BatonError && error.code === 'store_read_only')
        return false;
      throw error;
    }
  }

  /** Waits until nobody reads; nobody begins to until the function is called that it returns. */
  async #readersGone(): Promise<() => void> {
    return this.#inMemory ? () => {} : await this.#reading.acquire();
  }

  async #drop(): Promise<void> {
    const release = await this.#readersGone();
    await this.#disconnect();
    release();
  }

  #connect(): OpenFile {
    const { binding, file } = this.#options;
    return this.#inMemory ? OpenFile.inMemory(binding) : OpenFile.connect(binding, file);
  }

  async #disconnect(): Promise<void> {
    const open = this.#open;
    this.#open = undefined;
    await open?.close();
  }
}

/** The sum of all numbers that were given to rows. */
function headOf(connection: Connection): number {
  return Number(connection.value('select total(seq) from sqlite_sequence'));
}
