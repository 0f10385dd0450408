import type { GitCall } from './git-call.ts';
import { inTurn } from './in-turn.ts';
import type { Repository } from './places.ts';
import { removeTree } from './remove-tree.ts';
import { runGit } from './run-git.ts';
import { kindAt, worktreePlace } from './worktree-place.ts';
import { dropRegistration } from './worktree-registration.ts';

// There git follows junctions, and would empty the folders that are linked.
const CAN_GIT_REMOVE = process.platform !== 'win32';

/** Whatever state it is in; nothing happens if there is none. */
export async function removeWorktree(
  repo: Repository,
  folder: string,
  call: GitCall,
): Promise<void> {
  const place = worktreePlace(repo, folder);
  await inTurn(repo.gitDir, async () => {
    call.signal?.throwIfAborted();
    if (CAN_GIT_REMOVE && kindAt(place) === 'folder') {
      const args = ['worktree', 'remove', '--force', '--force', '--', place];
      const { code } = await runGit(repo.root, args, call, { accepts: 'any' });
      if (code === 0) return;
    }
    await removeTree(place);
    await dropRegistration(repo, place);
  });
}
