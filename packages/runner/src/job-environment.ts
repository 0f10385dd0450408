import type { Environment } from '@baton/core';
import { type Claimed, resolveReferences, type Sealer } from '@baton/plans/jobs';

/** What a job sees: the plan's surroundings, the plan's values, its own, and what Baton adds. */
export function jobEnvironment(
  { plan, job, attempt }: Claimed,
  sealer: Sealer,
  outputs: ReadonlyMap<string, Readonly<Record<string, string>>>,
  outputFile: string,
): Environment {
  const open = (sealed: string) => (sealed === '' ? {} : sealer.open(sealed));
  const own = Object.entries(open(job.env)).map(([name, value]) => [
    name,
    resolveReferences(value, outputs),
  ]);
  return {
    ...open(plan.base_env),
    ...open(plan.env),
    ...Object.fromEntries(own),
    BATON_OUTPUT: outputFile,
    BATON_WORKSPACE: plan.workspace,
    BATON_PLAN_ID: plan.id,
    BATON_JOB_ID: job.id,
    BATON_ATTEMPT: String(attempt.number),
  };
}
