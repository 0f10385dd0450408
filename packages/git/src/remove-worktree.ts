import { rename } from 'node:fs/promises';
import type { GitCall } from './git-call.ts';
import { inTurn } from './in-turn.ts';
import type { Repository } from './places.ts';
import { removeTree } from './remove-tree.ts';
import { kindAt, worktreePlace } from './worktree-place.ts';
import { dropRegistration } from './worktree-registration.ts';

/** Whatever state it is in; nothing happens if there is none. */
export async function removeWorktree(
  repo: Repository,
  folder: string,
  call: GitCall,
): Promise<void> {
  const place = worktreePlace(repo, folder);
  const aside = placeAside(place);
  // One that was put there may have been left by a process that died.
  await removeTree(aside);
  await inTurn(repo.gitDir, async () => {
    call.signal?.throwIfAborted();
    if (kindAt(place) !== undefined) {
      // Windows does not move what somebody has open.
      await rename(place, aside).catch(() => removeTree(place));
    }
    await dropRegistration(repo, place);
  });
  // Its files, beside whoever is next: this is what takes long.
  await removeTree(aside);
}

/** Of a repository that is gone: what is left of it is its files. */
export async function removeWorktreeFiles(folder: string): Promise<void> {
  await removeTree(placeAside(folder));
  await removeTree(folder);
}

function placeAside(place: string): string {
  return `${place}.removed`;
}
