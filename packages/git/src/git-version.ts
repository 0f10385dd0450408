import { BatonError } from '@baton/core';
import type { GitCall } from './git-call.ts';
import { spawnGit } from './git-process.ts';

const NEEDED = [2, 38] as const;
const known = new Map<string, Promise<string>>();

/** Asked once for each PATH. */
export function gitVersion(call: GitCall): Promise<string> {
  const key = call.env['PATH'] ?? call.env['Path'] ?? '';
  const asked = known.get(key);
  if (asked !== undefined) return asked;
  // Others may wait for the same answer: one caller's end is not theirs.
  const answer = askVersion({ env: call.env });
  known.set(key, answer);
  answer.catch(() => known.delete(key));
  return answer;
}

export async function requireGit(call: GitCall): Promise<void> {
  const version = await gitVersion(call);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > NEEDED[0] || (major === NEEDED[0] && minor >= NEEDED[1])) return;
  throw new BatonError(
    'git_too_old',
    `Git is version ${version} here; ${NEEDED.join('.')} or later is needed.`,
    'Update git, or put a newer one first on the PATH.',
  );
}

async function askVersion(call: GitCall): Promise<string> {
  const { stdout } = await spawnGit('.', ['--version'], call);
  return /\d+(?:\.\d+)+/.exec(stdout)?.[0] ?? '0';
}
