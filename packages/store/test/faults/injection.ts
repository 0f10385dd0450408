import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { temporaryFolder } from '@baton/testkit';
import type { Answer, Command } from './session.ts';

export interface Fault {
  /** System calls, with commas. */
  readonly calls: string;
  readonly error: string;
  /** The first of these calls that fails: 1, 2, 3 … */
  readonly place: number;
  readonly isLasting: boolean;
}

/** Runs a session whose Nth system call fails, and counts these calls. */
export async function runWithFault(
  program: string,
  commands: readonly Command[],
  { calls, error, place, isLasting }: Fault,
  onlyOf: readonly string[],
): Promise<{ answers: Answer[]; count: number }> {
  using folder = temporaryFolder();
  const trace = path.join(folder.path, 'trace');
  const when = `${place}${isLasting ? '+' : ''}`;
  const child = spawn('strace', [
    ...['-f', '--seccomp-bpf', '-qq', '-o', trace],
    ...onlyOf.flatMap((file) => ['-P', file]),
    ...['-e', `trace=${calls}`, '-e', `inject=${calls}:error=${error}:when=${when}`],
    process.execPath,
    program,
  ]);
  child.stdin.on('error', () => {}); // It has ended early, which the missing answers say.
  child.stdin.end(commands.map((command) => `${JSON.stringify(command)}\n`).join(''));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  // Without strace, or if it has a complaint, nothing has been tested.
  if (errors !== '') throw new Error(errors);
  const lines = output.split('\n').filter((line) => line !== '');
  const traced = readFileSync(trace, 'utf8').split('\n');
  return {
    answers: lines.map((line) => JSON.parse(line) as Answer),
    count: traced.filter((line) => line.includes('(')).length,
  };
}
