import type { BigIntStats } from 'node:fs';
import path from 'node:path';
import { BatonError } from '@baton/core';
import type { Binding } from './binding.ts';
import { Connection } from './connection.ts';
import { isSqliteError, storeCorrupt } from './failure.ts';
import { emptyWal, makeWal } from './file-state.ts';
import { holdIndex } from './lost-log.ts';
import { check } from './maintenance.ts';
import { OverwriteWatch, type Verdict } from './overwriting.ts';
import { APPLICATION_ID, refuseCutOff } from './place.ts';
import { type Rescue, rescue, rescueInPlace } from './rescue.ts';
import {
  type FoundFiles,
  findFiles,
  findUnmoved,
  isLinkUnmoved,
  isSameFile,
  lookAt,
  type StoreFiles,
} from './store-files.ts';

/**
 * How long nobody looks at the log itself while one write follows the other. To look at it makes
 * the next commit slower by a third: Linux keeps finer times of a file that was looked at.
 */
export const MAX_LOOK_AGE_MS = 20;
/** A folder that was changed just now may be changed again without another time. */
const MIN_FOLDER_AGE_MS = 100;
const MAX_TRIES = 20;

/**
 * `written`: by a checkpoint, or by another program than SQLite. `moved`: others find other files
 * under the store's name than those that are open here.
 */
export type FileState = 'same' | 'written' | 'moved';

/** The files of a store with their connections; a database in memory has one and no files. */
export class OpenFile {
  readonly writer: Connection;
  readonly reader: Connection;
  readonly isWritable: boolean;
  /** Never equal to a real version at first, so that the first transaction prepares the tables. */
  tables: unknown;
  /** Its tables are up to date: others may use it. */
  isReady = false;
  /** The sum of all numbers that were given to rows, which never becomes smaller. */
  head = 0;
  readonly #binding: Binding;
  readonly #file: string;
  readonly #files: StoreFiles | undefined;
  readonly #overwrites: OverwriteWatch | undefined;
  readonly #since = Date.now();
  readonly #letGoOfIndex: () => void;
  #isFound = false;
  /** The changes in the log were made for another database than the one that is there now. */
  #isLogForeign = false;
  /** The last time that all files were looked at, and their folder right before. */
  #found: { readonly at: number; folder: BigIntStats; log: FoundFiles['log'] } | undefined;

  static inMemory(binding: Binding): OpenFile {
    const connection = new Connection(binding, ':memory:', { readOnly: false });
    return new OpenFile(binding, ':memory:', connection, connection, true);
  }

  static connect(binding: Binding, file: string): OpenFile {
    // What cannot write looks first: what is refused is left as it is.
    const reader = new Connection(binding, file, { readOnly: true });
    try {
      if (reader.value('pragma application_id') !== APPLICATION_ID) {
        throw storeCorrupt(file, "it is not Baton's");
      }
      refuseCutOff(reader, file);
      const writer = new Connection(binding, file, { readOnly: false });
      try {
        return new OpenFile(binding, file, writer, reader, makeWal(writer), findFiles(file));
      } catch (error) {
        writer.close();
        throw error;
      }
    } catch (error) {
      reader.close();
      throw error;
    }
  }

  private constructor(
    binding: Binding,
    file: string,
    writer: Connection,
    reader: Connection,
    isWritable: boolean,
    files?: StoreFiles,
  ) {
    this.#binding = binding;
    this.#file = file;
    this.writer = writer;
    this.reader = reader;
    this.isWritable = isWritable;
    this.#files = files;
    this.#letGoOfIndex = files ? holdIndex(files.index) : () => {};
    // SQLite answers what it asks only where it may write.
    if (isWritable && files) this.#overwrites = new OverwriteWatch(writer, files);
  }

  look(): FileState {
    if (!this.#files) return 'same';
    const found = this.#find();
    if (!found) return 'moved';
    return this.#overwrites?.isWritten(found) ? 'written' : 'same';
  }

  /** Looks once for all that this process does at once: what anybody wants of it comes after that. */
  lookOnce(): FileState {
    if (this.#isFound) return 'same';
    const state = this.look();
    if (state === 'same') this.#rememberFound();
    return state;
  }

  /** What has written the files that are `written`. */
  judge(): Verdict {
    // Others may write between two looks: only what belongs together can be compared.
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const verdict = this.#overwrites?.judge(() => this.#findAll());
      if (verdict === 'overwritten' || verdict === 'log cut off') this.#isLogForeign = true;
      if (verdict) return verdict;
    }
    // They find the log and go on with it. What is wrong with it is noticed later.
    const found = this.#findAll();
    if (found) this.#overwrites?.accept(found);
    return 'checkpoint';
  }

  /** After a commit: whether it went to the files that others find. */
  isCommitFound(): boolean {
    if (!this.#files) return true;
    try {
      const found = this.#find();
      if (!found) return false;
      this.#overwrites?.committed(found);
      this.#rememberFound();
      return true;
    } catch (error) {
      // A folder that we may not look into any more: whoever comes next is told.
      if (error instanceof BatonError) return true;
      throw error;
    }
  }

  /** Brings what was committed into the database, if that is still the one that others find. */
  rescueInPlace(): boolean {
    return this.#files !== undefined && rescueInPlace(this.#lost(this.#files));
  }

  /** Saves what is only in files that nobody else finds any more. Nobody reads meanwhile. */
  rescue(): Rescue {
    return this.#files ? rescue(this.#lost(this.#files)) : { kept: 'elsewhere' };
  }

  /** Before the end: the database alone holds everything. */
  settle(): void {
    if (!this.#files || !this.isWritable) return;
    try {
      const state = this.look();
      if (state === 'moved') this.rescue();
      // Changes to another file would damage one that was put in its place.
      else if (state === 'same' || this.judge() === 'checkpoint') emptyWal(this.writer);
    } catch (error) {
      // Whoever opens it next is told.
      if (!(error instanceof BatonError || isSqliteError(error))) throw error;
    }
  }

  /**
   * The one that cannot write goes last. So the WAL stays as it is, also of a store that is
   * refused, and the two files beside the store stay there: without them it could not be read
   * where they cannot be made, on a full disk or a read-only one.
   */
  async close(): Promise<void> {
    this.writer.close();
    // One of the libraries closes when it likes, and what is the last that can write writes the log
    // into the database, whatever is there by now.
    if (this.#isLogForeign) await this.#binding.settle();
    if (this.reader !== this.writer) this.reader.close();
    this.#letGoOfIndex();
  }

  /** As `#findAll`, but does without a look at the log where nothing can have become of it. */
  #find(): FoundFiles | undefined {
    const { database, real } = this.#files ?? {};
    const found = this.#found;
    if (!real || !found || performance.now() - found.at > MAX_LOOK_AGE_MS) return this.#findAll();
    // Whoever removes, renames or replaces one of the files changes the folder.
    const folder = lookAt(path.dirname(real));
    const isSame = isSameFile(folder, found.folder) && folder?.mtimeNs === found.folder.mtimeNs;
    if (!isSame || !isLinkUnmoved(this.#file, real, database)) return this.#findAll();
    return { database: lookAt(real), log: found.log };
  }

  #findAll(): FoundFiles | undefined {
    if (!this.#files) return undefined;
    const folder = lookAt(path.dirname(this.#files.real));
    const found = findUnmoved(this.#file, this.#files);
    const isSettled = folder && Date.now() - Number(folder.mtimeMs) > MIN_FOLDER_AGE_MS;
    this.#found =
      found && isSettled ? { at: performance.now(), folder, log: found.log } : undefined;
    return found;
  }

  #lost(files: StoreFiles) {
    const { writer, reader } = this;
    return {
      binding: this.#binding,
      file: this.#file,
      files,
      writer,
      reader,
      since: this.#since,
      isIntact: (now: StoreFiles) => this.#isIntact(files, now),
    };
  }

  #isIntact(ours: StoreFiles, { database, log }: StoreFiles): boolean {
    const found = { database, log: isSameFile(log, ours.log) ? log : undefined };
    let isIntact = false;
    try {
      const suspicion = this.#overwrites?.suspect(found);
      // Or a backup was copied over it while others went on: only the whole of it tells.
      isIntact = suspicion === 'checkpoint' ? this.#isWhole() : suspicion === undefined;
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
    if (!isIntact) this.#isLogForeign = true;
    return isIntact;
  }

  #isWhole(): boolean {
    this.reader.exec('pragma shrink_memory');
    return check(this.reader).length === 0;
  }

  #rememberFound(): void {
    this.#isFound = true;
    process.nextTick(() => {
      this.#isFound = false;
    });
  }
}
