import { readdir, readFile } from 'node:fs';
import { promisify } from 'node:util';
import { type LivingProcess, TRACKING_VARIABLE, type TrackedMember } from './living-process.ts';

/*
 * Not synchronous: to read an environ the kernel takes a lock of the other process, which one in
 * trouble may hold for long, and every job of this worker would hang with it. Two at a time: a
 * read that hangs occupies one of the four threads that all files of this process share.
 */
const READS_AT_A_TIME = 2;
/** Reading takes a while. Whoever was born meanwhile is read too, or a quick forker stays unseen. */
const ROUNDS = 3;

const ENTRY = `\0${TRACKING_VARIABLE}=`;

// Half the price of the same functions in fs/promises, which make an object for every file.
const list = promisify(readdir);
const read = promisify(readFile);

export function allOnLinux(): Promise<LivingProcess[]> {
  return collect(readStat);
}

export function trackedOnLinux(): Promise<TrackedMember[]> {
  return collect(async (pid) => {
    // A zombie has no environ any more.
    const trackingId = trackingIdIn((await readOf(pid, 'environ')) ?? '');
    const found = trackingId === undefined ? undefined : await readStat(pid);
    return found && trackingId !== undefined ? { ...found, trackingId } : undefined;
  });
}

/** What the first entry of exactly this name holds, as getenv would find it. */
export function trackingIdIn(environ: string): string | undefined {
  const entries = `\0${environ}`;
  const start = entries.indexOf(ENTRY);
  if (start < 0) return undefined;
  const value = entries.slice(start + ENTRY.length);
  const end = value.indexOf('\0');
  return (end < 0 ? value : value.slice(0, end)) || undefined;
}

async function collect<Found>(look: (pid: number) => Promise<Found | undefined>) {
  const found: Found[] = [];
  const seen = new Set<number>();
  for (let round = 0; round < ROUNDS; round++) {
    const born = (await list('/proc')).map(Number).filter((pid) => pid > 1 && !seen.has(pid));
    const waiting = born.values();
    const lane = async () => {
      for (const pid of waiting) {
        seen.add(pid);
        const one = await look(pid);
        if (one !== undefined) found.push(one);
      }
    };
    await Promise.all(Array.from({ length: READS_AT_A_TIME }, lane));
    if (born.length === 0) break;
  }
  return found;
}

async function readStat(pid: number): Promise<LivingProcess | undefined> {
  const text = await readOf(pid, 'stat');
  if (text === undefined) return undefined;
  // The name of the program, in parentheses, may hold spaces and parentheses itself.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, parent: Number(parent), group: Number(group) };
}

/** Gone meanwhile, or somebody else's. Anything else, like too many open files, is no answer. */
const NORMAL = new Set(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

async function readOf(pid: number, file: 'stat' | 'environ'): Promise<string | undefined> {
  try {
    return await read(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (NORMAL.has((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}
