import path from 'node:path';
import { BatonError } from '@baton/core';
import type { Command } from '../../command.ts';
import { type Io, print } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import { type CreatedPlan, type PlanTools, withPlans } from './plan-tools.ts';
import { watchPlan } from './watch.ts';

export const run: Command = {
  name: 'plan run',
  summary: 'run a plan file and show it until it has ended',
  usage: 'baton plan run <file> [--after <id>] [--no-wait] [--paused] [--json] [flags]',
  flags: {
    after: { type: 'string', value: 'id', summary: 'start it when this plan has succeeded' },
    'no-wait': { type: 'boolean', summary: 'start it, and do not wait for its end' },
    paused: { type: 'boolean', summary: 'make the plan, and let a person start it later' },
    json: { type: 'boolean', summary: 'print one JSON object per line and event' },
  },
  examples: [
    'baton plan run plans/check.yaml',
    'baton plan run plans/release.yaml --paused',
    'baton plan run plans/release.yaml --after 4f1c',
    'baton plan run plans/check.yaml --no-wait --json',
  ],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [file] = parsed.positionals;
    if (!file) throw new UsageError('Which file?', 'Usage: baton plan run <file>');
    const { json, paused, after, 'no-wait': isLeft } = parsed.values;
    return withPlans(io, parsed, extras, async (plans) => {
      const plan = await create(io, plans, file, { paused, after });
      if (!plan) return 1;
      const isAtRest = !['running', 'waiting'].includes(plan.state);
      if (!isLeft && !isAtRest) return watchPlan(io, plans, plan.id, json ? 'json' : 'text');
      const text = json ? JSON.stringify(plan, null, 2) : describe(plan, isAtRest);
      await print(io.stdout, text);
      return 0;
    });
  },
};

/** `undefined` if the file is wrong, which has been told then. */
async function create(
  io: Io,
  plans: PlanTools,
  file: string,
  options: object,
): Promise<CreatedPlan | undefined> {
  const inWorkspace = path.relative(plans.session.workspace.path, path.resolve(io.cwd, file));
  try {
    return await plans.call<CreatedPlan>('plan_create', { file: inWorkspace, ...options });
  } catch (error) {
    if (!(error instanceof BatonError) || error.code !== 'plan_file_invalid') throw error;
    // Each line as it is: editors and terminals make links of file:line:column.
    await print(io.stderr, error.message);
    return undefined;
  }
}

function describe({ id, name, state, problem }: CreatedPlan, isAtRest: boolean): string {
  const short = id.slice(0, 8);
  const next = isAtRest ? 'To let it run: baton plan start' : 'To see it: baton plan watch';
  return [`Plan "${name}" is ${state}. ${next} ${short}`, ...(problem ? [problem] : [])].join('\n');
}
