import { changedPaths, commitAll, type GitCall, openWorktree, removeWorktree } from '@baton/git';
import {
  type Claimed,
  type GitPart,
  GlobComparison,
  isBefore,
  isLost,
  keepsWorktree,
  type LandingWork,
  type Phase,
  type Result,
  recordMerged,
  recordWork,
  worktreeOf,
} from '@baton/plans/jobs';
import { failed } from '../attempt-commands.ts';
import type { AttemptContext, AttemptTree, WorktreeSurroundings } from './attempt-context.ts';
import { folderIn, runInTree, throwIfStopped } from './commands-in-tree.ts';
import { commitMessage } from './commit-message.ts';
import { asPhaseFailure, PhaseFailure } from './failure.ts';
import { requireClaim } from './fence.ts';
import type { WorkspaceRepository } from './git-ground.ts';
import { keptState } from './kept-work.ts';
import { land, requireTarget } from './landing.ts';
import { afterResolution, baseCommit, keepResult, readyTree, startCommit } from './preparing.ts';
import { StepRecords } from './step-records.ts';

type Outputs = Readonly<Record<string, string>>;

/** One attempt in a worktree, from phase to phase. */
export class WorktreeRun {
  readonly #claimed: Claimed;
  readonly #around: WorktreeSurroundings;
  readonly #steps: StepRecords;

  constructor(claimed: Claimed, around: WorktreeSurroundings) {
    this.#claimed = claimed;
    this.#around = around;
    this.#steps = new StepRecords(around.store, claimed, () => around.log.end);
  }

  async run(): Promise<Result> {
    const result = await this.#phases().catch((error: unknown) => this.#failed(error));
    this.#steps.end();
    this.#around.git.conflicts.close(this.#claimed);
    return { ...result, steps: this.#steps.all, keptState: await this.#keptState(result) };
  }

  /** Before anybody is told of the folder. Where it fails, all that is in there counts as somebody's. */
  async #keptState({ kind }: Result): Promise<string | undefined> {
    const { attempt, git } = this.#claimed;
    if (kind === 'released' || !keepsWorktree(kind, git?.settings.keep)) return undefined;
    try {
      const row = await this.#around.store.read((tx) => worktreeOf(tx, attempt.id));
      if (!row) return undefined;
      const { env } = await this.#around.environment();
      // Also if the attempt was stopped: that is when people look.
      const call = { env, trackingId: attempt.id };
      const repository = await this.#repository(call);
      return await keptState(repository, row.path, call);
    } catch {
      return undefined;
    }
  }

  #repository(call: GitCall): Promise<WorkspaceRepository> {
    const { repository: name } = (this.#claimed.git as GitPart).repository;
    return this.#around.git.find(this.#claimed.plan.workspace, name, call);
  }

  #failed(error: unknown): Result {
    const { commands } = this.#around;
    if (commands.stopping && commands.stopping !== 'timeout') {
      return commands.stopped(commands.stopping);
    }
    const { reason, message, exitCode, signal } = asPhaseFailure(error);
    return {
      ...failed(reason, message),
      ...(exitCode !== undefined && { exitCode }),
      ...(signal !== undefined && { signal }),
    };
  }

  async #phases(): Promise<Result> {
    const context = await this.#context();
    const { work } = this.#claimed.job.definition;
    return work.type === 'land' ? this.#land(context) : this.#work(context);
  }

  async #context(): Promise<AttemptContext> {
    const { plan, attempt } = this.#claimed;
    const part = this.#claimed.git as GitPart;
    const { env } = await this.#around.environment();
    const plain = { env, trackingId: attempt.id, signal: this.#around.commands.signal };
    const { repository: name } = part.repository;
    const { git } = this.#around;
    const repository = await this.#repository(plain);
    await git.requireTrust(plan.workspace, name, repository, plain);
    const call = git.permitted(plan.workspace, name, repository, plain);
    const claimed = this.#claimed;
    return { ...this.#around, claimed, part, repository, call, steps: this.#steps };
  }

  async #work(context: AttemptContext): Promise<Result> {
    const { before, checks, discards } = this.#claimed.job.definition;
    const { resume } = context.part;
    const from: Phase = resume?.phase ?? 'prepare';
    const tree = await this.#tree(context, from);
    const { worktree, start } = tree;
    context.git.conflicts.open(this.#claimed, context.repository, tree, context.call);
    if (!isBefore('before', from)) {
      const reason = 'before_failed';
      const list = { phase: 'before', title: 'check before the work', commands: before } as const;
      await runInTree(context, worktree, { ...list, reason, commit: start });
    }
    const outputs = isBefore('work', from)
      ? (resume?.outputs ?? {})
      : await this.#runWork(context, tree);
    if (discards) return { kind: 'succeeded', outputs, commits: { start, result: start } };
    const result = await this.#commit(context, tree, outputs);
    const list = { phase: 'checks', title: 'check', commands: checks } as const;
    await runInTree(context, worktree, { ...list, reason: 'check_failed', commit: result });
    context.onPoint('checked');
    return { kind: 'succeeded', outputs, commits: { start, result } };
  }

  /** The folder that it works in: the one that was kept, or a new one. */
  async #tree(context: AttemptContext, from: Phase): Promise<AttemptTree> {
    const kept = keptTree(context);
    if (kept && from !== 'prepare') return kept;
    return this.#steps.step('prepare', '', async (end) => {
      const start = kept ? await afterResolution(context, kept) : await startCommit(context);
      throwIfStopped(context);
      const tree = await readyTree(context, start);
      context.onPoint('prepared');
      end({ commit_id: start });
      return tree;
    });
  }

  async #runWork(context: AttemptContext, { worktree, start }: AttemptTree): Promise<Outputs> {
    const { log, steps } = context;
    const { work } = this.#claimed.job.definition;
    if (work.type === 'land' || work.type === 'ticket') throw new Error('There is no work to run');
    if (log.end > 0) await log.write(Buffer.from('--- work\n'));
    const outputs = await steps.step('work', '', async (end) => {
      const cwd = folderIn(context, worktree, work.cwd);
      const result = await context.runWork(work, cwd);
      const digest = result.digest ?? null;
      if (result.kind === 'succeeded') {
        end({ exit_code: 0, digest, commit_id: start });
        return result.outputs;
      }
      if (result.kind === 'released') throw new Error('It was ended.');
      end({ exit_code: result.exitCode ?? null, digest });
      throw new PhaseFailure(result.reason, result.message, result);
    });
    // Work is not done twice, whatever happens from here on. If that cannot be written down, it goes on.
    const { id } = this.#claimed.attempt;
    await steps
      .save('relaxed', (tx) => recordWork(tx, id, outputs))
      .catch((error: unknown) => {
        if (isLost(error)) throw error;
      });
    context.onPoint('worked');
    return outputs;
  }

  async #commit(
    context: AttemptContext,
    { worktree, start }: AttemptTree,
    outputs: Outputs,
  ): Promise<string> {
    const { part, repository, call, onPoint } = context;
    const { job } = this.#claimed;
    return this.#steps.step('commit', '', async (end) => {
      const options = {
        start,
        message: commitMessage(this.#claimed),
        except: part.settings.link ?? [],
      };
      await requireClaim(context);
      const { commit, isRewritten } = await commitAll(worktree, options, repository, call);
      onPoint('committed');
      if (isRewritten) throw rewritten(start);
      requireChanges(commit !== start, job.definition.noChanges ?? false, outputs);
      if (commit !== start) {
        await keepResult(context, commit);
        onPoint('result kept');
      }
      const note = await this.#noteOnTouches(context, start, commit);
      end({ commit_id: commit, ...(note && { detail: JSON.stringify({ note }) }) });
      return commit;
    });
  }

  /** What it has changed beside what it said it would. */
  async #noteOnTouches(
    { repository, call }: AttemptContext,
    start: string,
    commit: string,
  ): Promise<string | undefined> {
    const { touches } = this.#claimed.job.definition;
    if (!touches || commit === start) return undefined;
    const globs = new GlobComparison();
    const paths = await changedPaths(repository, start, commit, call);
    const others = paths.filter((path) => !touches.some((glob) => globs.overlap(glob, path)));
    if (others.length === 0) return undefined;
    return `It also changed ${others.slice(0, 5).join(', ')}${others.length > 5 ? ', …' : ''}, which it did not say it touches.`;
  }

  async #land(context: AttemptContext): Promise<Result> {
    const { work } = this.#claimed.job.definition;
    if (work.type !== 'land') throw new Error('This is no landing');
    const base = await baseCommit(context);
    const result = await this.#bringTogether(context, work);
    await this.#verify(context, result);
    await this.#steps.step('land', '', async (end) => {
      const verify = (commit: string) => this.#verify(context, commit);
      const { commit, note } = await land(context, work, result, verify);
      end({ commit_id: commit, ...(note && { detail: JSON.stringify({ note }) }) });
    });
    return { kind: 'succeeded', outputs: {}, commits: { start: base, result } };
  }

  async #bringTogether(context: AttemptContext, work: LandingWork): Promise<string> {
    const kept = keptTree(context);
    const merged = await this.#steps.step('prepare', '', async (end) => {
      await requireTarget(context, work);
      const result = kept ? await afterResolution(context, kept) : await startCommit(context);
      await keepResult(context, result);
      end({ commit_id: result });
      return result;
    });
    // What lands is written down before it does: only the very same commit is known to have landed.
    const { plan, job } = this.#claimed;
    await this.#steps.save('durable', (tx) => recordMerged(tx, plan.id, job.id, merged));
    return merged;
  }

  /** The plan's own checks of everything together, in a worktree with exactly this commit. */
  async #verify(context: AttemptContext, commit: string): Promise<void> {
    const { checks } = this.#claimed.job.definition;
    if (!checks?.length) return;
    const { repository, call } = context;
    const { worktree } = await readyTree(context, commit);
    const list = { phase: 'checks', title: 'verification', commands: checks } as const;
    await runInTree(context, worktree, { ...list, reason: 'check_failed', commit });
    context.onPoint('checked');
    await removeWorktree(repository, worktree.path, call);
  }
}

/** The folder of an earlier attempt that this one should go on in. */
function keptTree({ part, repository }: AttemptContext): AttemptTree | undefined {
  const { resume } = part;
  if (!resume) return undefined;
  const { worktree: row } = resume;
  const worktree = row && openWorktree(row.path, repository);
  if (!worktree) throw gone(row?.path);
  return { worktree, start: row.start_commit };
}

function requireChanges(hasChanged: boolean, noChanges: boolean, outputs: Outputs): void {
  if (hasChanged && noChanges) {
    throw new PhaseFailure(
      'changes_unexpected',
      'It has changed something, although it declares `noChanges`. What it changed is in its worktree.',
    );
  }
  if (hasChanged || noChanges || outputs['evidence']) return;
  throw new PhaseFailure(
    'no_changes',
    'It has changed nothing. Declare `noChanges: true` if that is right, or let it write evidence=… to $BATON_OUTPUT that says why.',
  );
}

function rewritten(start: string): PhaseFailure {
  return new PhaseFailure(
    'commit_refused',
    `What it has committed does not contain ${start.slice(0, 12)}, which it began with: it would undo the work of others.`,
  );
}

function gone(path: string | undefined): PhaseFailure {
  return new PhaseFailure(
    'worktree_gone',
    `The worktree that it should go on in${path ? `, ${path},` : ''} is gone. Retry it without a phase, in a new one.`,
  );
}
