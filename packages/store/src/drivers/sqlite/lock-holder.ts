import { type BigIntStats, readFileSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { escapeLine, truncate } from '@baton/core';

/** The process that keeps others from writing the store. */
export interface LockHolder {
  readonly pid: number;
  /** What it runs, in a few words. */
  readonly program: string;
  /** By Ctrl-Z, a debugger's stop or `kill -STOP`: it will not let go by itself. */
  readonly isStopped: boolean;
}

type FileId = Pick<BigIntStats, 'dev' | 'ino'>;

const MAX_WORDS = 4;
const MAX_PROGRAM = 100;
/** `1: POSIX  ADVISORY  WRITE 4711 fe:00:2287700 120 120`, with the device in hexadecimal. */
const LOCK =
  /^\d+: (?:POSIX|OFDLCK) +\w+ +WRITE (\d+) ([0-9a-f]+):([0-9a-f]+):(\d+) (\d+) (?:\d+|EOF)$/;
/** SQLite's lock to write is this byte of the log's index; the next ones are for its upkeep. */
const LOCK_BYTES = { first: 120, last: 122 };

/** Only Linux tells. Nothing if nobody holds it now, or a process that cannot be seen from here. */
export function findLockHolder(file: string): LockHolder | undefined {
  if (process.platform !== 'linux') return undefined;
  try {
    const real = realpathSync.native(file);
    const [database, index] = [real, `${real}-shm`].map((name) =>
      statSync(name, { bigint: true, throwIfNoEntry: false }),
    );
    const pid = holderIn(readFileSync('/proc/locks', 'utf8'), index, database);
    if (pid === undefined || pid === process.pid) return undefined;
    return { pid, program: programOf(pid), isStopped: isStopped(pid) };
  } catch {
    return undefined; // It has ended meanwhile, or there is no /proc.
  }
}

/** The number of the process that holds a lock, from the text of /proc/locks. */
export function holderIn(
  locks: string,
  index: FileId | undefined,
  database: FileId | undefined,
): number | undefined {
  const ranked = locks.split('\n').flatMap((line) => {
    const [, pid, major = '', minor = '', inode, from] = LOCK.exec(line) ?? [];
    const isToWrite = Number(from) >= LOCK_BYTES.first && Number(from) <= LOCK_BYTES.last;
    const isIndex = isToWrite && inode === String(index?.ino);
    const isDatabase = inode === String(database?.ino);
    if (!(isIndex || isDatabase) || Number(pid) === 0) return [];
    // Some file systems (btrfs, overlay) tell another device here than where they are asked.
    const isDevice = deviceOf(major, minor) === (isIndex ? index : database)?.dev;
    return [{ pid: Number(pid), rank: (isDevice ? 0 : 2) + (isIndex ? 0 : 1) }];
  });
  return ranked.sort((one, other) => one.rank - other.rank)[0]?.pid;
}

/** As Linux puts it together for programs. */
function deviceOf(majorText: string, minorText: string): bigint {
  const major = BigInt(`0x${majorText}`);
  const minor = BigInt(`0x${minorText}`);
  const low = (minor & 0xffn) | ((major & 0xfffn) << 8n);
  return low | ((minor & ~0xffn) << 12n) | ((major & ~0xfffn) << 32n);
}

/** Up to its first flag: what comes after may be secret. */
function programOf(pid: number): string {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').filter(Boolean);
  const [program = readFileSync(`/proc/${pid}/comm`, 'utf8').trim(), ...rest] = words;
  const flag = rest.findIndex((word) => word.startsWith('-'));
  const named = [path.basename(program), ...rest.slice(0, flag < 0 ? undefined : flag)];
  return truncate(escapeLine(named.slice(0, MAX_WORDS).join(' ')), MAX_PROGRAM);
}

function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name before it may hold anything, a parenthesis included.
  return stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3) === 'T';
}
