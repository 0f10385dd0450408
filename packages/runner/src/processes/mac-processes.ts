import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { type LivingProcess, TRACKING_VARIABLE, type TrackedMember } from './living-process.ts';

const COLUMNS = 'pid=,ppid=,pgid=,stat=,command=';
const ROW = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/;
const ENTRY = new RegExp(`(?:^|\\s)${TRACKING_VARIABLE}=(\\S+)`);

interface Row extends LivingProcess {
  readonly command: string;
}

export async function allOnMac(): Promise<LivingProcess[]> {
  return parsePs(await ps('-axww'));
}

/** macOS shows nobody the environment of its own programs, so `sh` and `sleep` stay unknown. */
export async function trackedOnMac(): Promise<TrackedMember[]> {
  return trackedIn(await ps('-axww'), await ps('-axEww'));
}

/**
 * `ps -E` writes the environment behind the command with nothing but a space between them. What
 * the same list says without it is taken away first: an argument that looks like the variable
 * would otherwise make a stranger one of ours.
 */
export function trackedIn(plain: string, withEnvironment: string): TrackedMember[] {
  const commands = new Map(parsePs(plain).map(({ pid, command }) => [pid, command]));
  return parsePs(withEnvironment).flatMap(({ command, ...found }) => {
    const without = commands.get(found.pid);
    if (without === undefined || !command.startsWith(without)) return [];
    const trackingId = ENTRY.exec(command.slice(without.length))?.[1];
    return trackingId === undefined ? [] : [{ ...found, trackingId }];
  });
}

function parsePs(text: string): Row[] {
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] = ROW.exec(line) ?? [];
    if (command === undefined || state?.startsWith('Z') || Number(pid) <= 1) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command }];
  });
}

async function ps(flags: string): Promise<string> {
  const options = { maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await promisify(execFile)('/bin/ps', [flags, '-o', COLUMNS], options);
  return stdout;
}
