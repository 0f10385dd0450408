import type { Connection } from './connection.ts';
import type { FoundFiles } from './store-files.ts';

/** Windows may tell late that a file which is open was written. */
const ARE_TIMES_EXACT = process.platform !== 'win32';
/** Of the log itself, and of each page in it. */
const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/**
 * What has written the files. A checkpoint that was cut short, by a full disk or a kill, looks like
 * another program: so `overwritten` is a suspicion.
 */
export type Verdict = 'checkpoint' | 'overwritten' | 'log cut off';

interface Progress {
  readonly frames: number;
  /** How many of them are in the database. */
  readonly checkpointed: number;
  /** Another one whenever somebody else has committed or begun the log anew. */
  readonly version: unknown;
}

/**
 * Notices that the files were written by another program than SQLite, as `cp` and `truncate` do.
 * Only checkpoints write the database or cut the log, and SQLite tells whether there was one. The
 * connection must not be in a transaction.
 */
export class OverwriteWatch {
  readonly #connection: Connection;
  readonly #frameSize: number;
  #seen: FoundFiles;
  #progress: Progress;

  constructor(connection: Connection, files: FoundFiles) {
    this.#connection = connection;
    this.#frameSize = Number(connection.value('pragma page_size')) + FRAME_HEADER;
    this.#seen = files;
    this.#progress = this.#look();
  }

  isWritten(now: FoundFiles): boolean {
    return this.#isDatabaseWritten(now) || sizeOf(now.log) < sizeOf(this.#seen.log);
  }

  /** Nothing if somebody has written while it looked. */
  judge(find: () => FoundFiles | undefined): Verdict | undefined {
    const progress = this.#look();
    const now = find();
    // They are gone: whoever looks next is told.
    if (!now) return 'checkpoint';
    if (!isSameProgress(this.#look(), progress)) return undefined;
    const isOverwritten = this.#isOverwritten(now, progress);
    this.#seen = now;
    this.#progress = progress;
    if (this.#isCutOff(now.log, progress)) return 'log cut off';
    return isOverwritten ? 'overwritten' : 'checkpoint';
  }

  /** The same at once, for files that were moved. There is no log if others find another one. */
  suspect(now: FoundFiles): Verdict | undefined {
    const progress = this.#look();
    if (now.log && this.#isCutOff(now.log, progress)) return 'log cut off';
    if (!this.#isDatabaseWritten(now)) return undefined;
    return this.#isOverwritten(now, progress) ? 'overwritten' : 'checkpoint';
  }

  /** After a commit of our own, which may have made a checkpoint or begun the log anew. */
  committed(now: FoundFiles): void {
    // As long as nothing is checkpointed, the log cannot begin anew.
    if (this.#progress.checkpointed !== 0 || this.#isDatabaseWritten(now)) this.accept(now);
    else this.#seen = now;
  }

  #isCutOff(log: FoundFiles['log'], { frames }: Progress): boolean {
    const expected = frames === 0 ? 0 : LOG_HEADER + frames * this.#frameSize;
    return sizeOf(log) < expected;
  }

  #isOverwritten(now: FoundFiles, { checkpointed, version }: Progress): boolean {
    const { checkpointed: before, version: versionBefore } = this.#progress;
    const isExplained = checkpointed !== before || version !== versionBefore;
    return this.#isDatabaseWritten(now) && !isExplained && ARE_TIMES_EXACT;
  }

  #isDatabaseWritten({ database }: FoundFiles): boolean {
    const { mtimeNs, size } = this.#seen.database ?? {};
    return database?.mtimeNs !== mtimeNs || database?.size !== size;
  }

  accept(now: FoundFiles): void {
    this.#seen = now;
    this.#progress = this.#look();
  }

  #look(): Progress {
    const [row] = this.#connection.query('pragma wal_checkpoint(noop)').rows;
    return {
      frames: Number(row?.log),
      checkpointed: Number(row?.checkpointed),
      version: this.#connection.value('pragma data_version'),
    };
  }
}

function isSameProgress(one: Progress, other: Progress): boolean {
  const isSameLog = one.frames === other.frames && one.checkpointed === other.checkpointed;
  return isSameLog && one.version === other.version;
}

function sizeOf(file: FoundFiles['log']): number {
  return Number(file?.size ?? 0);
}
