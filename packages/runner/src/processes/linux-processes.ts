import { existsSync, readdir, readFile, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { type LivingProcess, TRACKING_VARIABLE, type TrackedMember } from './living-process.ts';

/*
 * Not synchronous: to read an environ the kernel takes a lock of the other process, which one in
 * trouble may hold for long, and every job of this worker would hang with it. Two at a time: a
 * read that hangs occupies one of the four threads that all files of this process share.
 */
const READS_AT_A_TIME = 2;
const YOUNGEST = 16;
const GLANCES = 3;

const ENTRY = `\0${TRACKING_VARIABLE}=`;

// Half the price of the same functions in fs/promises, which make an object for every file.
const list = promisify(readdir);
const read = promisify(readFile);

export function allOnLinux(): Promise<LivingProcess[]> {
  return collect(readStat);
}

export async function trackedOnLinux(): Promise<TrackedMember[]> {
  const found = await collect(async (pid) => {
    // A zombie has no environ any more.
    const trackingId = trackingIdIn((await readOf(pid, 'environ')) ?? '');
    const living = trackingId === undefined ? undefined : await readStat(pid);
    return living && trackingId !== undefined ? { ...living, trackingId } : undefined;
  });
  return [...found, ...youngestTracked()];
}

/**
 * A process that forks and exits, again and again, lives shorter than it takes to read about
 * everybody. But it is always among those who were started last, and those few can be read, and
 * then be signalled, before it gets to run. Several glances: while it is being started it shows
 * nothing.
 */
function youngestTracked(): TrackedMember[] {
  const found: TrackedMember[] = [];
  for (let glance = 0; glance < GLANCES; glance++) {
    const last = Number(readFileSync('/proc/loadavg', 'utf8').split(' ').at(-1));
    for (let pid = Math.max(2, last - YOUNGEST); pid <= last; pid++) {
      const trackingId = trackingIdIn(readNow(pid, 'environ'));
      const living = trackingId === undefined ? undefined : parseStat(pid, readNow(pid, 'stat'));
      if (living && trackingId !== undefined) found.push({ ...living, trackingId });
    }
  }
  return found;
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
  const pids = (await list('/proc')).map(Number).filter((pid) => pid > 1);
  const found: Found[] = [];
  const waiting = pids.values();
  const lane = async () => {
    for (const pid of waiting) {
      const one = await look(pid);
      if (one !== undefined) found.push(one);
    }
  };
  await Promise.all(Array.from({ length: READS_AT_A_TIME }, lane));
  return found;
}

/** `undefined` if there is none, or only a zombie. */
export async function readStat(pid: number): Promise<LivingProcess | undefined> {
  return parseStat(pid, (await readOf(pid, 'stat')) ?? '');
}

function parseStat(pid: number, text: string): LivingProcess | undefined {
  // The name of the program, in parentheses, may hold spaces and parentheses itself.
  const [state, parent, group] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  if (group === undefined || state === 'Z' || state === 'X') return undefined;
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

function readNow(pid: number, file: 'stat' | 'environ'): string {
  const path = `/proc/${pid}/${file}`;
  try {
    // Asking first is much cheaper than an exception, and most of them are gone.
    return existsSync(path) ? readFileSync(path, 'utf8') : '';
  } catch {
    return ''; // There will be another look.
  }
}
