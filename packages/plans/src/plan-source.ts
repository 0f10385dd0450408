import type { CommandFile, TrustedCommand } from '@baton/core';
import { type PlanDefinition, planFile, toWork } from './definition.ts';
import { parseYamlFile } from './plan-file.ts';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planFile);
}

/** What a plan file would run: everything in it that decides what happens on the machine. */
export function commandsIn(plan: PlanDefinition): TrustedCommand[] {
  return plan.jobs.map(({ id, work }) => {
    const { type, env = {}, ...rest } = toWork(work);
    const command =
      rest && 'command' in rest ? rest.command : [rest.executable, ...(rest.args ?? [])].join(' ');
    return { title: id, command, detail: { type, ...rest, env: { ...plan.env, ...env } } };
  });
}

/** Lets a person see and approve what a plan file runs. */
export const planCommands: CommandFile = {
  reads: (file) => /\.(ya?ml|json)$/i.test(file),
  commands: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
