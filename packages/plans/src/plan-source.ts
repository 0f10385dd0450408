import {
  type CheckDefinition,
  type CommandFile,
  type Environment,
  type TrustedCommand,
  trustedCommand,
} from '@baton/core';
import { parseYamlFile } from '@baton/documents';
import { type PlanDefinition, planSchemas, toWork } from './definition.ts';

const FILE_INVALID = 'plan_file_invalid';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planSchemas().planFile, FILE_INVALID);
}

/** What a plan file would run: everything in it that decides what happens on the machine. */
export function commandsIn({ env, jobs, git }: PlanDefinition): TrustedCommand[] {
  const ofJobs = jobs.flatMap(({ id, work: given, before, checks }) => {
    const work = toWork(given);
    // Checks of a ticket see nothing of the plan's variables.
    if (work.type === 'ticket') return numbered(`${id} check`, work.checks);
    return [
      ...numbered(`${id} before`, before, env),
      trustedCommand(id, work, env),
      ...numbered(`${id} check`, checks, env),
    ];
  });
  return [
    ...numbered('set-up', git?.setup, env),
    ...ofJobs,
    ...numbered('verify', git?.verify, env),
  ];
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
  commands: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
