import { BatonError, escapeLine } from '@baton/core';

const MAX_SHOWN = 300;

export function gitMissing(cause: unknown): BatonError {
  return new BatonError(
    'git_missing',
    'Git was not found on the PATH.',
    'Install git 2.38 or later, and make sure that the PATH leads to it.',
    { cause },
  );
}

export function gitFailed(
  command: string,
  code: number | string,
  stderr: string,
  options?: ErrorOptions,
): BatonError {
  const said = escapeLine(stderr.trim().slice(0, MAX_SHOWN)) || 'git said nothing';
  const exit = typeof code === 'number' ? `exit ${code}` : code;
  const message = `git ${command} failed (${exit}): ${said}`;
  return new BatonError('git_failed', message, nextAfter(stderr), options);
}

function nextAfter(stderr: string): string {
  if (/\.lock': File exists/.test(stderr)) {
    return 'If no other git command runs there, remove the lock file that is named here, and try again.';
  }
  if (/No space left on device/i.test(stderr)) return 'Free space on the disk, and try again.';
  return 'Resolve what git says in this repository, then try again.';
}
