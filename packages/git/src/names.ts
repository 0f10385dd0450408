import { BatonError, escapeLine, truncate } from '@baton/core';

const MAX_LENGTH = 255;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what git refuses in a name
const FORBIDDEN = /[\u0000-\u0020\u007f~^:?*[\\]|\.\.|@\{|\p{Surrogate}/u;
const COMMIT = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

/** Whether a text can name a commit: a branch, a tag, a hash. It may lead nowhere. */
export function isRevision(name: string): boolean {
  return name !== '' && name.length <= MAX_LENGTH && !name.startsWith('-') && !FORBIDDEN.test(name);
}

/** As `git check-ref-format` has it, without what would be taken for something else. */
export function isBranchName(name: string): boolean {
  return (
    isRevision(name) &&
    isRefPath(name) &&
    name !== 'HEAD' &&
    name !== '@' &&
    !name.startsWith('refs/')
  );
}

function isRefPath(name: string): boolean {
  return (
    !name.endsWith('.') &&
    name.split('/').every((part) => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
  );
}

export function isCommitHash(text: string): boolean {
  return COMMIT.test(text);
}

/** Names are resolved once, by `resolveCommit`: later they may mean another commit. */
export function requireCommits(...hashes: readonly string[]): void {
  for (const hash of hashes) {
    if (!isCommitHash(hash)) throw invalidRevision(hash, 'Give the full hash of a commit.');
  }
}

export function requireRef(ref: string): void {
  if (!(ref.startsWith('refs/') && isRevision(ref) && isRefPath(ref))) {
    throw invalidRevision(ref, 'Give the full name of a ref, such as refs/heads/main.');
  }
}

export function invalidRevision(name: string, next: string): BatonError {
  const shown = escapeLine(truncate(name, 100));
  return new BatonError('revision_invalid', `"${shown}" cannot name a commit.`, next);
}
