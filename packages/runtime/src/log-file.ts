import {
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';

/** A process keeps at most two files of this size. */
const MAX_BYTES = 5 * 1024 * 1024;
/** Files of other processes beyond this number are removed, oldest first. */
const MAX_FILES = 40;
/** The first answer comes before the first line: clients give up on servers that start slowly. */
const OPEN_AFTER_MS = 100;
/** A disk that refused may have room again. */
const RETRY_AFTER_MS = 10_000;

export interface LogFile {
  readonly path: string;
  write(line: string): void;
}

/**
 * A log of this process alone. Written synchronously, because the last lines before a crash are
 * the ones that matter; only the first moments are kept back and written together.
 */
export function createLogFile(directory: string, onFailure: (reason: string) => void): LogFile {
  const started = new Date().toISOString().replace(/[:.]/g, '-');
  const file = path.join(directory, `baton-${started}-${process.pid}.log`);
  let fd: number | undefined;
  let size = 0;
  let failedAt: number | undefined;
  let early: string[] | undefined;

  const open = () => {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    prune(directory);
    return openSync(file, 'a', 0o600);
  };
  const rotate = (old: number) => {
    renameSync(file, `${file}.1`);
    size = 0;
    const next = openSync(file, 'a', 0o600);
    closeSync(old);
    return next;
  };
  const append = (line: string) => {
    if (failedAt !== undefined && performance.now() - failedAt < RETRY_AFTER_MS) return;
    try {
      fd ??= open();
      if (size > MAX_BYTES) fd = rotate(fd);
      size += writeSync(fd, `${line}\n`);
    } catch (error) {
      // A full or read-only disk must not stop the server: stderr still has everything.
      const isFirst = failedAt === undefined;
      failedAt = performance.now(); // Before anybody is told, which writes to this log again.
      abandon(fd);
      fd = undefined;
      if (isFirst) {
        onFailure(`the log in ${directory} cannot be written: ${(error as Error).message}`);
      }
    }
  };
  const begin = () => {
    process.off('exit', begin);
    clearTimeout(timer);
    const lines = early ?? [];
    early = undefined;
    for (const line of lines) append(line);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    path: file,
    write(line) {
      if (timer === undefined) {
        early = [];
        timer = setTimeout(begin, OPEN_AFTER_MS).unref();
        process.once('exit', begin);
      }
      if (early) early.push(line);
      else append(line);
    },
  };
}

function abandon(fd: number | undefined): void {
  try {
    if (fd !== undefined) closeSync(fd);
  } catch {
    // It could not be written, so it need not be closed well.
  }
}

function prune(directory: string): void {
  const logs = readdirSync(directory).filter((name) => /^baton-.*\.log(\.1)?$/.test(name));
  if (logs.length < MAX_FILES) return;
  const byAge = logs
    .map((name) => path.join(directory, name))
    .map((file) => ({ file, time: statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0 }))
    .sort((a, b) => a.time - b.time);
  for (const { file } of byAge.slice(0, logs.length - MAX_FILES + 1)) rmSync(file, { force: true });
}
