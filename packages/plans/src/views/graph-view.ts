import type { Reading } from '@baton/store';
import { criticalPath } from '../graph.ts';
import { planGraph } from '../mermaid.ts';
import { type Job, jobsOf, type Plan } from '../plan-repository.ts';
import { seconds } from './times.ts';

/** The jobs and what needs what, as a picture and as data, and the path that decides how long it takes. */
export async function showGraph(tx: Reading, plan: Plan, now: number) {
  const jobs = await jobsOf(tx, plan.id);
  const nodes = jobs.map(({ state, definition: { id, name, needs, group } }) => ({
    id,
    state,
    ...(name && { name }),
    ...(needs && { needs }),
    ...(group && { group }),
  }));
  const took = new Map(jobs.map((job) => [job.id, durationOf(job, now)]));
  const path = criticalPath(nodes, (id) => took.get(id) ?? 0);
  return {
    ...planGraph(nodes),
    states: Object.fromEntries(jobs.map(({ id, state }) => [id, state])),
    criticalPath: { jobs: path.ids, seconds: Math.round(path.ms / 100) / 10 },
  };
}

/** What has not run yet counts a little, so that the longest path leads to the end. */
function durationOf({ attempt }: Job, now: number): number {
  return attempt ? seconds(attempt.startedAt, attempt.endedAt ?? now) * 1000 : 1;
}
