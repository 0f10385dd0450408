import type { ChangeListener } from '@baton/store';
import { findJob, findPlan, planTopic } from './plan-repository.ts';
import type { PlanPorts } from './ports.ts';

/** Calls back when a job has new output, or a new attempt of it begins, until it is ended. */
export async function watchLog(
  { store, workspace }: PlanPorts,
  planId: string,
  jobId: string,
  changed: () => void,
): Promise<() => void> {
  const plan = await store.read((tx) => findPlan(tx, workspace, planId));
  const newest = async () =>
    (await store.read((tx) => findJob(tx, plan.id, jobId))).attempt?.id ?? '';
  let attempt = await newest();
  const followAttempt = async () => {
    const now = await newest();
    if (now !== attempt) changed();
    attempt = now;
  };
  const listener: ChangeListener = (events) => {
    // Output is told of under the id of its attempt, everything else under that of the plan.
    if (!events || events.some(({ topic }) => topic === `log/${attempt}`)) changed();
    if (events?.some(({ topic }) => topic === planTopic(plan.id))) {
      followAttempt().catch(changed); // It may be gone: whoever reads it is told.
    }
  };
  return store.changes.subscribe({}, listener);
}
