import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** Knows the processes of this machine. A lease that is bound to a dead one is over. */
export interface Processes {
  /** This process, as others will find it in its leases. */
  readonly self: string;
  /** True only if it is certain: a process of another machine is never known to be dead. */
  isDead(identity: string): boolean;
}

interface Identity {
  /** The machine, and within it the set of process numbers: containers have their own. */
  readonly host: string;
  readonly boot: string;
  readonly pid: number;
  /** Tells a process from a later one with the same number. Empty where it cannot be had. */
  readonly started: string;
}

export function createProcesses(): Processes {
  const here = { host: thisHost(), boot: thisBoot() };
  return {
    self: JSON.stringify({
      ...here,
      pid: process.pid,
      started: procStat(process.pid)?.started ?? '',
    } satisfies Identity),
    isDead(identity) {
      const found = parse(identity);
      if (found?.host !== here.host) return false;
      const { boot, pid, started } = found;
      if (boot !== here.boot) return true; // From before a restart of the machine.
      return process.platform === 'linux' ? isGoneOnLinux(pid, started) : isGoneElsewhere(pid);
    },
  };
}

function parse(identity: string): Identity | undefined {
  try {
    return JSON.parse(identity) as Identity;
  } catch {
    return undefined; // Damaged, or of a version that writes it differently.
  }
}

function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

function thisBoot(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere a restart shows by missing beats; the wall clock is no proof of one.
    return '';
  }
}

/** A zombie still answers signals, and a number may belong to somebody else by now. */
function isGoneOnLinux(pid: number, started: string): boolean {
  const found = procStat(pid);
  if (!found) return true;
  return found.state === 'Z' || found.state === 'X' || found.started !== started;
}

function procStat(pid: number): { state: string; started: string } | undefined {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
  // The name of the program, in parentheses, may hold spaces and parentheses itself.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', started: fields[19] ?? '' };
}

function isGoneElsewhere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false; // Or another one with its number, or a zombie: then the beats will be missing.
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
