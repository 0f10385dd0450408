import { BatonError, escapeLine, protectedPlace } from '@baton/core';

/** Why something was not done; a code is what the system said. */
export type Reason =
  | 'changed'
  | 'taken'
  | 'outside'
  | 'protected'
  | 'irregular'
  | 'into-itself'
  | 'too-large'
  | { readonly code: string };

/** What is to become of a change that was not done. */
export type Outcome = 'nothing' | 'left-alone' | 'finished-later' | 'taken-back-later' | 'earlier';

const MOST_NAMES = 5;
const CALL_AGAIN = 'Call again: it is computed anew.';
const OUTCOMES: Readonly<Record<Outcome, string>> = {
  nothing: 'nothing was changed',
  'left-alone': 'all was taken back but what somebody else has changed meanwhile',
  'finished-later': 'a part of it may be done, and the next call does the rest',
  'taken-back-later': 'a part of it may be done, and the next call takes it back',
  earlier: 'so a change that was interrupted cannot be put right, and nothing else was changed',
};
const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'there is no permission',
  EPERM: 'this is not permitted',
  EROFS: 'the file system is read-only',
  ENOSPC: 'there is no room on the disk',
  EDQUOT: 'there is no room in the quota',
  EIO: 'the disk has failed',
  EMFILE: 'too many files are open',
  ENFILE: 'too many files are open',
  EBUSY: 'somebody is using it',
  EXDEV: 'this is another file system',
  ENOTDIR: 'what should be a folder is a file',
  EISDIR: 'this is a folder',
  ENOTEMPTY: 'there is a folder that is not empty',
  ENAMETOOLONG: 'the name is too long',
};

/** A change that cannot go on, before it is known what becomes of it. */
export class Stopped extends Error {
  readonly files: readonly string[];
  readonly reason: Reason;

  constructor(files: readonly string[], reason: Reason, options?: ErrorOptions) {
    super(`${files.join(', ')}: ${typeof reason === 'string' ? reason : reason.code}`, options);
    this.files = files;
    this.reason = reason;
  }
}

/** An error at a file as a reason to stop; what is no error of the system stays as it is. */
export function stoppedAt(file: string, error: unknown): unknown {
  if (error instanceof Stopped) {
    return error.files.length > 0 ? error : new Stopped([file], error.reason, { cause: error });
  }
  const { code } = error as NodeJS.ErrnoException;
  return code === undefined ? error : new Stopped([file], { code }, { cause: error });
}

/** A folder leads elsewhere by now: whatever was to be done there is not ours any more. */
export function isOutside(error: unknown): boolean {
  return error instanceof Stopped && ['outside', 'protected'].some((one) => one === error.reason);
}

/** Does something with a file, which is named if that fails. */
export function naming<Result>(file: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw stoppedAt(file, error);
  }
}

export async function namingLater(file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw stoppedAt(file, error);
  }
}

/** What the caller is told. */
export function reportOf(error: unknown, outcome: Outcome): unknown {
  if (!(error instanceof Stopped)) return error;
  const { files, reason } = error;
  const names = namesOf(files);
  const end = OUTCOMES[outcome];
  const options = { cause: error };
  switch (reason) {
    case 'changed':
      return new BatonError(
        'files_changed',
        `Not as expected any more: ${names}; ${end}.`,
        CALL_AGAIN,
        options,
      );
    case 'taken':
      return new BatonError(
        'target_exists',
        `There is something already at ${names}; ${end}.`,
        'Name another path, or move away what is there.',
        options,
      );
    case 'outside':
      return new BatonError(
        'outside_workspace',
        `No path in the workspace: ${names}; ${end}.`,
        'Name paths in the workspace that no link leads out of.',
        options,
      );
    case 'protected':
      return new BatonError(
        'protected_place',
        `No agent may change ${names}: ${whyProtected(files)}; ${end}.`,
        'A person can do it by hand.',
        options,
      );
    default:
      return new BatonError(
        'change_failed',
        `Cannot change ${names}: ${inWords(reason)}; ${end}.`,
        nextStep(reason),
        options,
      );
  }
}

function whyProtected([file = '']: readonly string[]): string {
  const place = protectedPlace(file);
  return place ? `${place.why} (rule ${place.rule})` : 'a link leads to a protected place';
}

function inWords(reason: Exclude<Reason, 'changed' | 'taken' | 'outside' | 'protected'>): string {
  if (typeof reason !== 'string') {
    return `${WORDS[reason.code] ?? 'the system refuses it'} (${reason.code})`;
  }
  if (reason === 'irregular') return 'this is neither a regular file nor a folder';
  return reason === 'into-itself'
    ? 'a folder cannot be moved into itself'
    : 'this is too much for one change';
}

function nextStep(reason: Reason): string {
  if (reason === 'too-large') return 'Change fewer files at once.';
  return typeof reason === 'string'
    ? 'Name another path.'
    : 'See to it that this can be written and that there is room, then call again.';
}

export function namesOf(files: readonly string[]): string {
  const first = files.slice(0, MOST_NAMES).map(escapeLine).join(', ');
  const more = files.length - MOST_NAMES;
  return more > 0 ? `${first} and ${more} more` : first;
}
