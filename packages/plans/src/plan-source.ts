import type {
  CommandFile,
  Environment,
  ProcessCommand,
  ShellCommand,
  TrustedCommand,
} from '@baton/core';
import { type PlanDefinition, planSchemas, toWork } from './definition.ts';
import { parseYamlFile } from './plan-file.ts';

export function readPlanFile(text: string, file: string): Promise<PlanDefinition> {
  return parseYamlFile(text, file, planSchemas().planFile);
}

/** What a plan file would run: everything in it that decides what happens on the machine. */
export function commandsIn(plan: PlanDefinition): TrustedCommand[] {
  return plan.jobs.flatMap(({ id, work: given }) => {
    const work = toWork(given);
    if (work.type !== 'ticket') return trusted(id, work, plan.env);
    // Checks see nothing of the plan's variables.
    return (work.checks ?? []).map((check, index) =>
      trusted(`${id} check ${index + 1}`, toWork(check), {}),
    );
  });
}

function trusted(
  title: string,
  { env: own, type: _, ...shown }: ShellCommand | ProcessCommand,
  around: Environment | undefined,
): TrustedCommand {
  const env = { ...around, ...own };
  const more = Object.keys(env).length > 0 && { env };
  if (!('command' in shown)) {
    // Where one argument ends and the next begins is told by the detail only.
    const command = [shown.executable, ...(shown.args ?? [])].join(' ');
    return { title, command, detail: { ...shown, ...more } };
  }
  const { command, ...settings } = shown;
  const detail = { ...settings, ...more };
  return { title, command, ...(Object.keys(detail).length > 0 && { detail }) };
}

/** Lets a person see and approve what a plan file runs. */
export const planCommands: CommandFile = {
  reads: (file) => /\.(ya?ml|json)$/i.test(file),
  commands: async (text, file) => commandsIn(await readPlanFile(text, file)),
};
