import path from 'node:path';
import { type CheckDefinition, commandText } from '@baton/core';
import type { Worktree } from '@baton/git';
import type { FailureReason, Phase, RunningWork } from '@baton/plans/jobs';
import { failureOf } from '../attempt-commands.ts';
import { jobCommand } from '../job-command.ts';
import { jobFolder } from '../job-folder.ts';
import type { Ending } from '../processes/job-process.ts';
import type { AttemptContext } from './attempt-context.ts';
import { PhaseFailure } from './failure.ts';

export interface CommandList {
  readonly phase: Phase;
  /** What people call one of them. */
  readonly title: string;
  readonly commands: readonly CheckDefinition[] | undefined;
  /** Why the attempt fails if one of them does. */
  readonly reason: FailureReason;
  /** The commit that they say something about. */
  readonly commit?: string;
}

/** Runs commands one after the other; the first that fails ends it. What they show is kept. */
export async function runInTree(
  context: AttemptContext,
  worktree: Worktree,
  list: CommandList,
): Promise<void> {
  const commands = list.commands ?? [];
  for (const [index, command] of commands.entries()) {
    const number = commands.length > 1 ? ` ${index + 1} of ${commands.length}` : '';
    await runOne(context, worktree, command, list, `${list.title}${number}`);
  }
}

async function runOne(
  context: AttemptContext,
  worktree: Worktree,
  definition: CheckDefinition,
  { phase, reason, commit }: CommandList,
  title: string,
): Promise<void> {
  const { commands, log, steps } = context;
  const text = commandText(definition);
  await log.write(Buffer.from(`--- ${title}: ${text}\n`));
  await steps.step(phase, text, async (end) => {
    if (commit) end({ commit_id: commit });
    const work: RunningWork =
      typeof definition === 'string' ? { type: 'shell', command: definition } : definition;
    const { env, outputs } = await context.environment();
    const cwd = folderIn(context, worktree, work.cwd);
    const { timeoutSeconds } = work;
    throwIfStopped(context);
    const command = jobCommand(work, cwd, env, outputs);
    const { ending, digest = null } = await commands.run(command, {
      timeoutSeconds,
      isEvidence: true,
    });
    end({ digest, exit_code: exitCodeOf(ending) ?? null });
    throwIfStopped(context);
    const failure = failureOf(ending, `${capitalized(title)} (${shortened(text)})`);
    if (failure) throw new PhaseFailure(reason, failure.message, { exitCode: exitCodeOf(ending) });
  });
}

function exitCodeOf(ending: Ending): number | undefined {
  return ending.kind === 'exit' ? ending.code : undefined;
}

/** The folder of the workspace, or one in it, as it is in this worktree. */
export function folderIn(
  { repository }: AttemptContext,
  worktree: Worktree,
  cwd: string | undefined,
): string {
  const workspace = path.join(worktree.path, repository.inside);
  const folder = jobFolder(workspace, cwd);
  if (folder) return folder;
  const named = path.join(repository.inside, cwd ?? '');
  throw new PhaseFailure(
    'start_bad_folder',
    `${named || 'The worktree'} is not a folder in the commit that it works with.`,
  );
}

export function throwIfStopped({ commands }: AttemptContext): void {
  if (!commands.stopping) return;
  const { stopping } = commands;
  if (stopping !== 'timeout') throw new Error('It was ended.');
  const stopped = commands.stopped(stopping);
  throw new PhaseFailure('timeout', 'message' in stopped ? stopped.message : '');
}

const SHOWN_COMMAND = 80;

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > SHOWN_COMMAND || line !== text ? `${line.slice(0, SHOWN_COMMAND)}…` : line;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
