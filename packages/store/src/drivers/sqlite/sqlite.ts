import type { Driver, Durability, Facts, Queries, Watch } from '../../driver.ts';
import { beginReading, beginWriting } from './begin.ts';
import type { Binding } from './binding.ts';
import { Connection } from './connection.ts';
import { explain, isBusy, isReadOnly, storeCorrupt } from './failure.ts';
import { emptyWal, isNew, makeWal } from './file-state.ts';
import { backup, check, facts, shrink } from './maintenance.ts';
import { Patience, type Waiting } from './patience.ts';
import { APPLICATION_ID, fileReplaced, look, prepareFile, refuseCutOff } from './place.ts';
import { TransactionQueries } from './queries.ts';
import { QueueLock } from './queue-lock.ts';
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

interface Open {
  readonly writer: Connection;
  readonly reader: Connection;
  readonly isWritable: boolean;
  readonly inode: number;
  /** It was seen under its name a moment ago. */
  isFound: boolean;
  tables: unknown;
  /** Its tables are up to date: others may use it. */
  isReady: boolean;
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
  #open: Open | undefined;
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
    return this.#alone(this.#writing, signal, async () => {
      await this.#ensureOpen(signal);
      await this.#patience.giveWay(signal);
      try {
        return await this.#transaction(durability, work, signal);
      } catch (error) {
        if (!isReadOnly(error)) throw error;
        // It may have been opened while it could not be written.
        await this.#drop();
        await this.#options.binding.settle();
        await this.#ensureOpen(signal);
        return this.#transaction(durability, work, signal);
      }
    });
  }

  async read<Result>(
    work: (queries: Queries) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> {
    for (;;) {
      if (!this.#open?.isReady || !this.#isCurrent()) {
        await this.#alone(this.#writing, signal, () => this.#ensureOpen(signal));
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
    await this.#patience.until(() => beginReading(reader), isBusy, signal);
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
    return this.#exclusively(({ reader }) =>
      facts(reader, this.#options.binding, this.#options.file),
    );
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
    if (this.#open?.isWritable && !this.#inMemory) emptyWal(this.#open.writer);
    this.#disconnect();
    releaseReading();
    release();
  }

  #exclusively<Result>(work: (open: Open) => Result): Promise<Result> {
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
    signal?: AbortSignal,
  ): Promise<Result> {
    const open = this.#connections();
    const { writer } = open;
    await this.#patience.until(() => beginWriting(writer, durability), isBusy, signal);
    const queries = new TransactionQueries(writer);
    try {
      await this.#noticeNewTables(open, writer, queries);
      const result = await this.#turns.within(() => work(queries));
      writer.exec('commit');
      return result;
    } finally {
      queries.end();
      writer.rollback(); // Does nothing after a commit.
    }
  }

  /** A newer Baton may have changed the tables under us. */
  async #noticeNewTables(open: Open, connection: Connection, queries: Queries): Promise<void> {
    const tables = connection.value('pragma schema_version');
    if (tables === open.tables) return;
    await this.#options.prepare(queries, {
      isWritable: connection === open.writer,
      isNew: isNew(connection, this.#options.file),
    });
    open.tables = connection.value('pragma schema_version');
  }

  #connections(): Open {
    if (this.#isClosed || !this.#open) throw new Error('The store is closed');
    return this.#open;
  }

  async #ensureOpen(signal?: AbortSignal): Promise<void> {
    const { file } = this.#options;
    if (this.#isClosed) throw new Error('The store is closed');
    if (this.#isCurrent()) return;
    if (this.#open) {
      // What is written to a file without a name is lost.
      await this.#drop();
      throw fileReplaced(file);
    }
    if (!this.#inMemory) prepareFile(this.#options.binding, file);
    const open = await this.#patience.until(() => this.#connect(), isBusy, signal);
    this.#open = open;
    try {
      if (open.isWritable) await this.#transaction('durable', async () => {}, signal);
      else {
        const queries = new TransactionQueries(open.reader);
        await this.#options.prepare(queries, { isWritable: false, isNew: false });
      }
      open.isReady = true;
    } catch (error) {
      await this.#drop();
      throw error;
    }
  }

  /** Open, and still the file that others find under its name. */
  #isCurrent(): boolean {
    const open = this.#open;
    if (!open) return false;
    if (this.#inMemory || open.isFound) return true;
    open.isFound = open.inode === look(this.#options.file)?.ino;
    // Until what this process does at once has ended: what anybody wants of it comes after that.
    process.nextTick(() => {
      open.isFound = false;
    });
    return open.isFound;
  }

  /** Waits until nobody reads; nobody begins to until the function is called that it returns. */
  async #readersGone(): Promise<() => void> {
    return this.#inMemory ? () => {} : await this.#reading.acquire();
  }

  async #drop(): Promise<void> {
    const release = await this.#readersGone();
    this.#disconnect();
    release();
  }

  #connect(): Open {
    // Never equal to a real version, so that the first transaction prepares the tables.
    const blank = { tables: undefined, isReady: false, isFound: false };
    const { binding, file } = this.#options;
    if (this.#inMemory) {
      const writer = new Connection(binding, file, { readOnly: false });
      return { ...blank, writer, reader: writer, isWritable: true, inode: 0 };
    }
    // What cannot write looks first: what is refused is left as it is.
    const reader = new Connection(binding, file, { readOnly: true });
    try {
      if (reader.value('pragma application_id') !== APPLICATION_ID) {
        throw storeCorrupt(file, "it is not Baton's");
      }
      refuseCutOff(reader, file);
      const writer = new Connection(binding, file, { readOnly: false });
      try {
        const isWritable = makeWal(writer);
        return { ...blank, writer, reader, isWritable, inode: look(file)?.ino ?? 0 };
      } catch (error) {
        writer.close();
        throw error;
      }
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  /**
   * The one that cannot write goes last. So the WAL stays as it is, also of a store that is
   * refused, and the two files beside the store stay there: without them it could not be read
   * where they cannot be made, on a full disk or a read-only one.
   */
  #disconnect(): void {
    const open = this.#open;
    this.#open = undefined;
    open?.writer.close();
    if (open && open.reader !== open.writer) open.reader.close();
  }
}
