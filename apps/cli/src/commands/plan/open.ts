import { BatonError } from '@baton/core';
import type { Command } from '../../command.ts';
import { print } from '../../io.ts';
import { planArgument } from './plan-argument.ts';
import { type PlanTools, withPlans } from './plan-tools.ts';

const USAGE = 'open <id> [job]';

export const open: Command = {
  name: 'plan open',
  summary: 'print where the worktree of a job is, running or kept',
  usage: `baton plan ${USAGE} [flags]`,
  flags: {},
  examples: ['cd "$(baton plan open 4f1c build)"', 'code "$(baton plan open 4f1c land)"'],
  maxArguments: 2,
  async run(io, parsed, extras) {
    const plan = planArgument(parsed, USAGE);
    const [, job] = parsed.positionals;
    return withPlans(io, parsed, extras, async (plans) => {
      const found = job ? [job] : (await plans.jobs(plan)).map(({ id }) => id);
      await print(io.stdout, await theWorktree(plans, plan, found));
      return 0;
    });
  },
};

async function theWorktree(
  plans: PlanTools,
  plan: string,
  jobs: readonly string[],
): Promise<string> {
  const found = new Map<string, string>();
  for (const id of jobs) {
    const { job } = await plans.look({ plan, view: 'job', job: id });
    if (job?.git?.worktree) found.set(id, job.git.worktree);
  }
  const [only, another] = found.values();
  if (only !== undefined && another === undefined) return only;
  throw new BatonError(
    'worktree_gone',
    another === undefined
      ? 'There is no worktree: those of jobs that have succeeded are removed.'
      : `Several jobs have a worktree: ${[...found.keys()].join(', ')}.`,
    another === undefined ? 'See what was changed with `baton plan diff`.' : 'Name one of them.',
  );
}
