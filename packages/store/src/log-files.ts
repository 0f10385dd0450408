import {
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmdirSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import type { Store } from './store.ts';

export interface LogFilesOptions {
  readonly folder: string;
  /** A log is cut into files of this size … */
  readonly partBytes?: number;
  /** … of which the newest so many are kept. */
  readonly maxParts?: number;
}

export interface LogPage {
  readonly bytes: Buffer;
  /** Where these bytes begin in the whole log: later than asked for if that is gone. */
  readonly from: number;
  /** Where to read on. */
  readonly next: number;
  /** Bytes ever written. */
  readonly end: number;
  /** The beginning of the log is no longer kept. */
  readonly isCut: boolean;
  readonly isClosed: boolean;
}

const PART_BYTES = 1024 * 1024;
const MAX_PARTS = 16;
const READ_TRIES = 5;
const SAFE_ID = /^[\w][\w.-]{0,127}$/;

/**
 * Output of work, in files: too much for a database. An offset counts all bytes ever written, so
 * that it stays valid when the oldest part is removed. The store knows the offsets; after a
 * crash the files themselves know better.
 */
export class LogFiles {
  readonly #store: Store;
  readonly #folder: string;
  readonly #partBytes: number;
  readonly #maxParts: number;

  constructor(
    store: Store,
    { folder, partBytes = PART_BYTES, maxParts = MAX_PARTS }: LogFilesOptions,
  ) {
    this.#store = store;
    this.#folder = folder;
    this.#partBytes = partBytes;
    this.#maxParts = maxParts;
  }

  /** Opens a log to add to it; a second writer would mix with the first: one lease, one writer. */
  async open(id: string): Promise<LogWriter> {
    const folder = this.#folderOf(id);
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const writer = new LogWriter(this.#store, {
      id,
      folder,
      partBytes: this.#partBytes,
      maxParts: this.#maxParts,
    });
    await writer.sync(); // Known to the store before it exists, so that it is removed one day.
    return writer;
  }

  async read(id: string, from: number, limit: number): Promise<LogPage> {
    const folder = this.#folderOf(id);
    const row = await this.#store.read(({ db }) =>
      db.selectFrom('logs').select('closed').where('id', '=', id).executeTakeFirst(),
    );
    const isClosed = row?.closed === 1;
    for (let tries = 1; ; tries += 1) {
      try {
        return { ...readPage(folder, from, limit, this.#partBytes), isClosed };
      } catch (error) {
        // Its writer has removed the oldest part since we looked.
        const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
        if (!isGone || tries >= READ_TRIES) throw error;
      }
    }
  }

  async remove(id: string): Promise<void> {
    removeParts(this.#folderOf(id));
    await this.#store.write('relaxed', ({ db }) =>
      db.deleteFrom('logs').where('id', '=', id).execute(),
    );
  }

  #folderOf(id: string): string {
    if (!SAFE_ID.test(id)) throw new TypeError(`${JSON.stringify(id)} cannot be a file name`);
    return path.join(this.#folder, id);
  }
}

interface WriterOptions {
  readonly id: string;
  readonly folder: string;
  readonly partBytes: number;
  readonly maxParts: number;
}

/** Adds to one log. Offsets reach the store with `sync`, which the owner calls now and then. */
export class LogWriter {
  readonly #store: Store;
  readonly #options: WriterOptions;
  #end: number;
  #part: { readonly number: number; readonly fd: number } | undefined;

  constructor(store: Store, options: WriterOptions) {
    this.#store = store;
    this.#options = options;
    this.#end = endOf(options.folder, partsIn(options.folder), options.partBytes);
  }

  /** Bytes ever written. */
  get end(): number {
    return this.#end;
  }

  write(bytes: Uint8Array): void {
    const { partBytes } = this.#options;
    for (let rest = bytes; rest.length > 0; ) {
      const room = partBytes - (this.#end % partBytes);
      const written = writeSync(this.#openPart(), rest.subarray(0, room));
      this.#end += written;
      rest = rest.subarray(written);
    }
  }

  sync(): Promise<void> {
    return this.#record(0);
  }

  async close(): Promise<void> {
    if (this.#part) closeSync(this.#part.fd);
    this.#part = undefined;
    await this.#record(1);
  }

  async #record(closed: 0 | 1): Promise<void> {
    const { id, folder, partBytes } = this.#options;
    const first = (partsIn(folder)[0] ?? 0) * partBytes;
    const end = this.#end;
    await this.#store.write('relaxed', async ({ db, now, emit }) => {
      const row = { bytes: end, first, closed, at: now };
      await db
        .insertInto('logs')
        .values({ id, folder, ...row })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
        .execute();
      emit('', `log/${id}`);
    });
  }

  #openPart(): number {
    const { folder, partBytes, maxParts } = this.#options;
    const number = Math.floor(this.#end / partBytes);
    if (this.#part?.number === number) return this.#part.fd;
    if (this.#part) closeSync(this.#part.fd);
    this.#part = { number, fd: openSync(partFile(folder, number), 'a', 0o600) };
    for (const old of partsIn(folder)) {
      if (old <= number - maxParts) rmSync(partFile(folder, old), { force: true });
    }
    return this.#part.fd;
  }
}

/** Removes a log, and nothing that does not look like one. */
export function removeParts(folder: string): void {
  for (const number of partsIn(folder)) rmSync(partFile(folder, number), { force: true });
  try {
    rmdirSync(folder);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ENOENT' && code !== 'ENOTEMPTY' && code !== 'EEXIST') throw error;
  }
}

function partFile(folder: string, number: number): string {
  return path.join(folder, `${String(number).padStart(8, '0')}.log`);
}

/** The numbers of the parts that are there, in order. */
function partsIn(folder: string): number[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^\d{8}\.log$/.test(name))
      .map((name) => Number.parseInt(name, 10))
      .sort((a, b) => a - b);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

function endOf(folder: string, parts: readonly number[], partBytes: number): number {
  const last = parts.at(-1);
  if (last === undefined) return 0;
  const fd = openSync(partFile(folder, last), 'r');
  try {
    return last * partBytes + fstatSync(fd).size;
  } finally {
    closeSync(fd);
  }
}

function readPage(folder: string, from: number, limit: number, partBytes: number) {
  const parts = partsIn(folder);
  const end = endOf(folder, parts, partBytes);
  const first = (parts[0] ?? 0) * partBytes;
  const begin = Math.min(Math.max(from, first), end);
  const bytes = readBytes(folder, begin, Math.min(limit, end - begin), partBytes);
  return { bytes, from: begin, next: begin + bytes.length, end, isCut: first > 0 };
}

function readBytes(folder: string, from: number, length: number, partBytes: number): Buffer {
  const bytes = Buffer.alloc(length);
  let done = 0;
  while (done < length) {
    const at = from + done;
    const fd = openSync(partFile(folder, Math.floor(at / partBytes)), 'r');
    try {
      const read = readSync(fd, bytes, done, length - done, at % partBytes);
      if (read === 0) break;
      done += read;
    } finally {
      closeSync(fd);
    }
  }
  return bytes.subarray(0, done);
}
