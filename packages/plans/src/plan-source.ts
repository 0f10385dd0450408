import {
  type CheckDefinition,
  type CommandFile,
  type CommandsOfFile,
  type Environment,
  type Plain,
  type TrustedCommand,
  trustedCommand,
} from '@baton/core';
import { parseYamlFile } from '@baton/documents';
import {
  type JobDefinition,
  type PlanDefinition,
  planSchemas,
  toWork,
  type Work,
} from './definition.ts';
import type { GitSettings } from './git-settings.ts';
import { DEFAULT_PARALLEL } from './scheduling.ts';

const FILE_INVALID = 'plan_file_invalid';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planSchemas().planFile, FILE_INVALID);
}

/** What a plan file would run, and everything in it that decides where, when and on what. */
export function commandsIn(plan: PlanDefinition): CommandsOfFile {
  const { env, jobs, git } = plan;
  const ofJobs = jobs.flatMap(({ id, work: given, before, checks }) => {
    const work = toWork(given);
    if (work.type === 'ticket') {
      return [
        // Checks of a ticket see nothing of the plan's variables.
        ...numbered(`${id} check`, work.checks),
        // They run once the ticket has given way to a command.
        ...numbered(`${id} worktree before`, before, env),
        ...numbered(`${id} worktree check`, checks, env),
      ];
    }
    return [
      ...numbered(`${id} before`, before, env),
      trustedCommand(id, work, env),
      ...numbered(`${id} check`, checks, env),
    ];
  });
  const commands = [
    ...numbered('set-up', git?.setup, env),
    ...ofJobs,
    ...numbered('verify', git?.verify, env),
  ];
  const settings = settingsIn(plan);
  return { commands, ...(Object.keys(settings).length > 0 && { settings }) };
}

/**
 * All of a plan but its commands and what is there for readers only. What has no name here is
 * approved: a new field is not forgotten.
 */
function settingsIn(plan: PlanDefinition): Record<string, Plain> {
  const { name: _, env: _env, jobs, git, maxParallel, ...rest } = plan;
  const ofPlan = said({
    ...rest,
    // How many run at once decides what can get into each other's way.
    ...(maxParallel !== DEFAULT_PARALLEL && { maxParallel }),
    git: git && said(withoutCommands(git)),
    // The order of commands tells that of the jobs, but for tickets: landing waits for them, and the
    // later of two jobs that touch the same waits for the earlier one.
    ...(git && jobs.some(isTicket) && { jobs: jobs.map(({ id }) => id) }),
  });
  const settings = [['the plan', ofPlan] as const, ...jobs.map(settingsOfJob)];
  return Object.fromEntries(settings.filter(([, setting]) => Object.keys(setting).length > 0));
}

function isTicket({ work }: JobDefinition): boolean {
  return toWork(work).type === 'ticket';
}

function withoutCommands({ setup: _, verify: _verify, ...git }: GitSettings) {
  return git;
}

function settingsOfJob(job: JobDefinition): readonly [string, Record<string, Plain>] {
  const { id, work, before: _, checks: _checks, name: _name, task: _task, group, ...rest } = job;
  return [id, said({ ...rest, ...(typeof work === 'object' && settingsOfTicket(work)) })];
}

/** Who may end the wait for a ticket; its words are for whoever reads it then. */
function settingsOfTicket(work: Work) {
  if (work.type !== 'ticket') return {};
  const { type: _, title, body, priority, labels, assignee, checks, ...rest } = work;
  return rest;
}

/** Without what is not said, or says nothing. */
function said(settings: Readonly<Record<string, Plain | undefined>>): Record<string, Plain> {
  const isSaid = (value: Plain | undefined) =>
    value !== undefined && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(
    Object.entries(settings).filter(([, value]) => isSaid(value)),
  ) as Record<string, Plain>;
}

function numbered(
  title: string,
  commands: readonly CheckDefinition[] = [],
  env?: Environment,
): TrustedCommand[] {
  return commands.map((command, index) => trustedCommand(`${title} ${index + 1}`, command, env));
}

/** Lets a person see and approve what a plan file runs. */
export const planCommands: CommandFile = {
  reads: (file) => /\.(ya?ml|json)$/i.test(file),
  find: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
