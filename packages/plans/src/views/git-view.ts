import type { Reading } from '@baton/store';
import { predictedConflicts } from '../conflicts.ts';
import { gitOf, type Plan } from '../plan-repository.ts';
import { branchOf, repositoriesIn } from '../worktrees.ts';

const SHOWN = 10;

/** The branches of a plan, where its results are, and what will not fit together. */
export async function showGit(tx: Reading, plan: Plan) {
  const rows = await repositoriesIn(tx, plan.id);
  // What has landed has been brought together.
  const conflicts = plan.state === 'succeeded' ? [] : await predictedConflicts(tx, plan.id);
  const target = gitOf(plan)?.target;
  return {
    repositories: rows.map((row) => ({
      repository: row.repository,
      branch: row.branch || branchOf(plan),
      ...(row.base_commit && { base: row.base_commit }),
      ...(row.landed_on && { landedOn: row.landed_on }),
      ...(row.landed_commit && { landed: row.landed_commit }),
    })),
    ...(target && { target }),
    ...(conflicts.length > 0 && {
      conflicts: conflicts
        .slice(0, SHOWN)
        .map(({ jobs, files }) => ({ jobs: [...jobs], files: [...files].slice(0, SHOWN) })),
    }),
  };
}
