import type { CommandFile, TrustedCommand } from '@baton/core';
import { type PlanDefinition, planSchemas, toWork } from './definition.ts';
import { parseYamlFile } from './plan-file.ts';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planSchemas().planFile);
}

/** What a plan file would run: everything in it that decides what happens on the machine. */
export function commandsIn(plan: PlanDefinition): TrustedCommand[] {
  return plan.jobs.map(({ id, work }) => {
    const { env: own, ...rest } = toWork(work);
    const env = { ...plan.env, ...own };
    const more = Object.keys(env).length > 0 && { env };
    const { type: _, ...shown } = rest;
    if (!('command' in shown)) {
      // Where one argument ends and the next begins is told by the detail only.
      const command = [shown.executable, ...(shown.args ?? [])].join(' ');
      return { title: id, command, detail: { ...shown, ...more } };
    }
    const { command, ...settings } = shown;
    const detail = { ...settings, ...more };
    return { title: id, command, ...(Object.keys(detail).length > 0 && { detail }) };
  });
}

/** Lets a person see and approve what a plan file runs. */
export const planCommands: CommandFile = {
  reads: (file) => /\.(ya?ml|json)$/i.test(file),
  commands: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
