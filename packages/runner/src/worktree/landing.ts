import {
  checkoutsOf,
  deleteRef,
  dropRefs,
  forwardCheckout,
  isAncestor,
  isBranchName,
  isDefaultBranch,
  mergeCommits,
  predictConflicts,
  readRef,
  setRef,
} from '@baton/git';
import { type LandingWork, recordLanding, refsOf } from '@baton/plans/jobs';
import type { AttemptContext } from './attempt-context.ts';
import { PhaseFailure } from './failure.ts';
import { requireClaim, writeFor } from './fence.ts';
import { layOut } from './preparing.ts';

/** Others may move the branch all the time; then they have to stop some time. */
const MOST_ROUNDS = 50;

/** Looks whether a commit is as the plan wants it, where it is not the one that was looked at. */
export type Verify = (commit: string) => Promise<void>;

export interface Landed {
  readonly commit: string;
  readonly note?: string;
}

/** Brings the plan's result to its own branch and, if it has one, to its target. */
export async function land(
  context: AttemptContext,
  work: LandingWork,
  result: string,
  verify: Verify,
): Promise<Landed> {
  const { target } = work;
  const { claimed, part, onPoint } = context;
  const { branch, repository } = part.repository;
  await requireTarget(context, work);
  const own = await landOn({ ...context, onPoint() {} }, branch, result, verify);
  onPoint('plan branch set');
  const landed = target === undefined ? own : await landOn(context, target, result, verify);
  onPoint('landed');
  await requireClaim(context);
  // All results can be reached from there now.
  await dropRefs(context.repository, refsOf(claimed.plan.id), context.call);
  const on = target ?? branch;
  const note = on === branch ? undefined : await dropBranch(context, branch, own, landed);
  await writeFor(context, 'durable', (tx) =>
    recordLanding(tx, claimed.plan, repository, { on, commit: landed }),
  );
  return { commit: landed, ...(note && { note }) };
}

/** The target has all of it now, unless somebody works on the plan's own branch: then it stays. */
async function dropBranch(
  { repository, call }: AttemptContext,
  branch: string,
  own: string,
  landed: string,
): Promise<string | undefined> {
  if (!(await isAncestor(repository, own, landed, call))) {
    return `${branch} has commits of its own that have not landed: it was left as it is.`;
  }
  const [checkout] = await checkoutsOf(repository, branch, call);
  if (checkout) return `${branch} is checked out in ${checkout.path}: it was left as it is.`;
  const isGone = await deleteRef(repository, { ref: `refs/heads/${branch}`, from: own }, call);
  return isGone ? undefined : `${branch} was moved meanwhile: it was left as it is.`;
}

/** Looked at before anything is verified, and again right before: the default branch can change. */
export async function requireTarget(
  { repository, call }: AttemptContext,
  { target, intoDefault }: LandingWork,
): Promise<void> {
  if (target === undefined) return;
  if (!isBranchName(target)) {
    throw new PhaseFailure('target_protected', `${JSON.stringify(target)} is no name of a branch.`);
  }
  if (intoDefault) return;
  if (!(await isDefaultBranch(repository, target, call))) return;
  throw new PhaseFailure(
    'target_protected',
    `${target} is the default branch. Land on it with \`intoDefault\` (\`baton plan land --default\`), or on another one.`,
  );
}

/**
 * Moves a branch on to the result. Whatever was committed there meanwhile is merged and looked at
 * again; nothing is ever forced. Returns where the branch is then.
 */
async function landOn(
  context: AttemptContext,
  branch: string,
  result: string,
  verify: Verify,
): Promise<string> {
  const { repository, call, onPoint } = context;
  const ref = `refs/heads/${branch}`;
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const from = await readRef(repository, ref, call);
    onPoint('target read');
    if (from !== undefined && (await isAncestor(repository, result, from, call))) return from;
    const to = from === undefined ? result : await mergedWith(context, branch, from, result);
    onPoint('target merged');
    if (to !== result) await verify(to);
    onPoint('target verified');
    if (await moveBranch(context, branch, from, to)) {
      onPoint('target set');
      return to;
    }
  }
  throw new PhaseFailure(
    'git_failed',
    `${branch} was moved by others ${MOST_ROUNDS} times while it should be landed on.`,
  );
}

async function mergedWith(
  context: AttemptContext,
  branch: string,
  from: string,
  result: string,
): Promise<string> {
  const { claimed, repository, call } = context;
  const message = `Land ${claimed.plan.name}\n\nBaton-Plan: ${claimed.plan.id}\n`;
  const labels = { ourLabel: branch, theirLabel: 'plan' };
  const merge = await mergeCommits(
    repository,
    { ours: from, theirs: result, message, ...labels },
    call,
  );
  if (merge.kind !== 'conflict') return merge.commit;
  const jobs = [branch, ...(await jobsAgainst(context, from))];
  return layOut(context, { ours: from, theirs: result }, jobs, merge.conflicts);
}

/** Whose results do not fit with what is on the branch. */
async function jobsAgainst({ part, repository, call }: AttemptContext, from: string) {
  const found: string[] = [];
  for (const { job, commit } of part.needs) {
    if ((await predictConflicts(repository, from, commit, call)).length > 0) found.push(job);
  }
  return found.length > 0 ? found : ['the plan'];
}

/** False if somebody else was faster. A checkout of the branch goes with it, if nothing is lost. */
async function moveBranch(
  context: AttemptContext,
  branch: string,
  from: string | undefined,
  to: string,
): Promise<boolean> {
  const { repository } = context;
  // Once begun it is not stopped: half of it would be somebody's checkout.
  const { signal: _, ...call } = context.call;
  const checkouts = from === undefined ? [] : await checkoutsOf(repository, branch, call);
  const [checkout, another] = checkouts;
  if (!checkout || from === undefined) {
    await requireClaim(context);
    return setRef(repository, { ref: `refs/heads/${branch}`, from, to }, call);
  }
  const { changes, isBusy, path } = checkout;
  if (another) throw dirty(branch, path, `and in ${another.path}`);
  if (isBusy) throw dirty(branch, path, 'where a merge, rebase or bisect is under way');
  if (changes.length > 0) throw dirty(branch, path, `with changes in ${named(changes)}`);
  await requireClaim(context);
  const moved = await forwardCheckout(checkout, { branch, from, to }, call);
  if (moved === 'refused') throw dirty(branch, path, 'with files that would be overwritten');
  return moved === 'done';
}

function named(files: readonly string[]): string {
  const more = files.length > 3 ? ' and others' : '';
  return files.slice(0, 3).join(', ') + more;
}

function dirty(branch: string, path: string, what: string): PhaseFailure {
  return new PhaseFailure(
    'target_dirty',
    `${branch} is checked out in ${path} ${what}. Nothing was changed there. Commit or stash that, then land the plan again.`,
  );
}
