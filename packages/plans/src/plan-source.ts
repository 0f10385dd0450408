import { type CommandFile, type TrustedCommand, trustedCommand } from '@baton/core';
import { parseYamlFile } from '@baton/documents';
import { type PlanDefinition, planSchemas, toWork } from './definition.ts';

const FILE_INVALID = 'plan_file_invalid';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planSchemas().planFile, FILE_INVALID);
}

/** What a plan file would run: everything in it that decides what happens on the machine. */
export function commandsIn({ env, jobs }: PlanDefinition): TrustedCommand[] {
  return jobs.flatMap(({ id, work: given }) => {
    const work = toWork(given);
    if (work.type !== 'ticket') return trustedCommand(id, work, env);
    // Checks see nothing of the plan's variables.
    return (work.checks ?? []).map((check, index) =>
      trustedCommand(`${id} check ${index + 1}`, check),
    );
  });
}

/** Lets a person see and approve what a plan file runs. */
export const planCommands: CommandFile = {
  reads: (file) => /\.(ya?ml|json)$/i.test(file),
  commands: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
