import { accessSync, constants, existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { ProcessCommand } from './process-command.ts';

type StartFailure =
  | 'start_not_found'
  | 'start_denied'
  | 'start_bad_folder'
  | 'start_too_big'
  | 'start_no_resources';

export interface NotStarted {
  readonly kind: 'not_started';
  readonly reason: StartFailure;
  readonly message: string;
}

const NO_RESOURCES = new Set(['EAGAIN', 'EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS']);
const NOT_FOUND = new Set(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

/** Why a process could not be started, from what the system or Node.js said about it. */
export function notStarted(error: NodeJS.ErrnoException, command: ProcessCommand): NotStarted {
  const [reason, message] = explain(error, command);
  return { kind: 'not_started', reason, message };
}

function explain(
  { code = '', message }: NodeJS.ErrnoException,
  { file, cwd }: ProcessCommand,
): [StartFailure, string] {
  const size = 'its arguments and its environment are larger than this system allows';
  if (code === 'E2BIG') return ['start_too_big', `${file} cannot be started: ${size}.`];
  if (NO_RESOURCES.has(code)) {
    return ['start_no_resources', `${file} cannot be started now: ${shortageOf(code)} (${code}).`];
  }
  // The system says of a missing folder just what it says of a missing program.
  const folder = faultOf(cwd);
  if (folder) return ['start_bad_folder', `The working folder ${shown(cwd)} ${folder}.`];
  if (NOT_FOUND.has(code) || file === '' || file.includes('\0')) {
    return ['start_not_found', missing(file, cwd)];
  }
  const denied = code === 'EACCES' || code === 'EPERM';
  const why = denied ? `it is not a program that this user may run (${code})` : message;
  return ['start_denied', `${file} cannot be started: ${why}.`];
}

function shortageOf(code: string): string {
  if (code === 'EMFILE' || code === 'ENFILE') return 'too many files are open';
  return code === 'EAGAIN' ? 'too many processes are running' : 'memory is short';
}

function faultOf(folder: string): string | undefined {
  if (folder.includes('\0')) return 'does not exist';
  try {
    if (!statSync(folder).isDirectory()) return 'is not a folder';
    accessSync(folder, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'EACCES' || code === 'EPERM' ? 'may not be entered' : 'does not exist';
  }
}

function missing(file: string, cwd: string): string {
  if (file === '') return 'The command names no program.';
  if (!/[\\/]/.test(file)) return `The program ${shown(file)} was not found in PATH.`;
  const isThere = !file.includes('\0') && existsSync(path.resolve(cwd, file));
  return isThere
    ? `${file} cannot be started: the interpreter that it names is missing.`
    : `The program ${shown(file)} does not exist.`;
}

function shown(name: string): string {
  return name.includes('\0') ? JSON.stringify(name) : name;
}
