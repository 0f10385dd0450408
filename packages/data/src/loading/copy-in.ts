import { createHash, type Hash } from 'node:crypto';
import { closeSync, read as readCallback, rmSync } from 'node:fs';
import { type FileHandle, open, rename } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  type FileProblem,
  type FileStamp,
  isPassing,
  openWithin,
  sentenceOf,
  stampOf,
} from '@baton/folders';
import { ByteChecks } from './byte-checks.ts';
import type { Format } from './formats.ts';

const read = promisify(readCallback);

export const MOST_BYTES = 1024 * 1024 * 1024;
const CHUNK = 1024 * 1024;
/** So much of the beginning is looked at in order to learn how a file is written. */
export const HEAD_BYTES = 256 * 1024;

export interface Copied {
  /** Of the file's bytes. */
  readonly hash: string;
  readonly stamp: FileStamp;
  /** The beginning, as the copy has it. */
  readonly head: Buffer;
  /** The copy is UTF-8; what the file was, if it was something else. */
  readonly encoding?: 'UTF-16' | 'Windows-1252';
}

export interface Refused {
  readonly problem: string;
  readonly line: number;
  /** It may be over the next time, with the same file. */
  readonly isPassing?: true;
}

interface Copying {
  readonly format: Format;
  readonly now: () => number;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Copies a file to where the engine may read it. What the engine reads is what was hashed and
 * checked, whatever becomes of the file meanwhile, and its name can be no pattern.
 */
export async function copyIn(
  root: string,
  file: string,
  to: string,
  { format, now, signal }: Copying,
): Promise<Copied | Refused> {
  const found = openWithin(root, file);
  if ('problem' in found) return refused(found);
  let copy: FileHandle | undefined;
  try {
    if (found.stat.size > MOST_BYTES) return refused({ problem: 'large' });
    copy = await open(to, 'w', 0o600);
    const pass = new Pass(format, copy);
    const buffer = Buffer.allocUnsafe(CHUNK);
    for (;;) {
      signal?.throwIfAborted();
      const { bytesRead } = await read(found.opened, buffer, 0, CHUNK, null);
      if (bytesRead === 0) break;
      await pass.take(buffer.subarray(0, bytesRead));
      if (pass.bytes > MOST_BYTES) return refused({ problem: 'large' });
      if (pass.problem) return { problem: pass.problem.message, line: pass.problem.line };
    }
    const encoding = await pass.end();
    if (encoding === 'Windows-1252') await transcode(copy, to);
    const head = await headOf(to);
    return {
      hash: pass.hash(),
      stamp: stampOf(found.stat, now()),
      head,
      ...(encoding && { encoding }),
    };
  } finally {
    closeSync(found.opened);
    await copy?.close();
  }
}

function refused(found: FileProblem): Refused {
  return {
    problem: sentenceOf(found, MOST_BYTES),
    line: 1,
    ...(isPassing(found) && { isPassing: true as const }),
  };
}

/** One pass over the bytes of a file: hashed, checked and written. */
class Pass {
  readonly #checks: ByteChecks | undefined;
  readonly #copy: FileHandle;
  readonly #hash: Hash = createHash('sha256');
  #decoder: InstanceType<typeof TextDecoder> | undefined;
  bytes = 0;

  constructor(format: Format, copy: FileHandle) {
    this.#copy = copy;
    this.#checks = format === 'parquet' ? undefined : new ByteChecks(format);
  }

  get problem(): ByteChecks['problem'] {
    return this.#checks?.problem;
  }

  async take(bytes: Buffer): Promise<void> {
    const isFirst = this.bytes === 0;
    this.bytes += bytes.length;
    this.#hash.update(bytes);
    if (!this.#checks) return this.#write(bytes);
    let text = bytes;
    if (isFirst) {
      const utf16 = utf16Of(bytes);
      if (utf16) this.#decoder = new TextDecoder(utf16);
      if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) text = bytes.subarray(3);
    }
    if (this.#decoder) text = Buffer.from(this.#decoder.decode(bytes, { stream: true }));
    this.#checks.look(text);
    await this.#write(text);
  }

  async end(): Promise<Copied['encoding']> {
    this.#checks?.end();
    if (this.#decoder) {
      await this.#write(Buffer.from(this.#decoder.decode()));
      return 'UTF-16';
    }
    return this.#checks?.isForeign ? 'Windows-1252' : undefined;
  }

  hash(): string {
    return this.#hash.digest('hex');
  }

  async #write(bytes: Buffer): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      done += (await this.#copy.write(bytes, done)).bytesWritten;
    }
  }
}

function utf16Of(bytes: Buffer): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  return bytes[0] === 0xfe && bytes[1] === 0xff ? 'utf-16be' : undefined;
}

async function transcode(copy: FileHandle, file: string): Promise<void> {
  await copy.sync();
  const decoder = new TextDecoder('windows-1252');
  const [from, to] = [await open(file, 'r'), await open(`${file}.utf8`, 'w', 0o600)];
  try {
    for (const buffer = Buffer.allocUnsafe(CHUNK); ; ) {
      const { bytesRead } = await from.read(buffer, 0, CHUNK, null);
      if (bytesRead === 0) break;
      await to.writeFile(decoder.decode(buffer.subarray(0, bytesRead), { stream: true }));
    }
  } finally {
    await from.close();
    await to.close();
  }
  await rename(`${file}.utf8`, file);
}

async function headOf(file: string): Promise<Buffer> {
  const opened = await open(file, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const { bytesRead } = await opened.read(head, 0, HEAD_BYTES, 0);
    return head.subarray(0, bytesRead);
  } finally {
    await opened.close();
  }
}

export function removeCopy(file: string): void {
  rmSync(file, { force: true });
}
