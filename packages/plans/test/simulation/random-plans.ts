import type { Random } from '@baton/testkit';
import type { JobDefinition, PlanToCreate } from '../under-test.ts';
import type { Wanted } from './model.ts';

const RETRIES = ['never', 0, 1, 2, 2] as const;
const SIZES = [1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 6, 12];

export function randomPlan(random: Random, plans: readonly string[]): PlanToCreate {
  const isDraft = random.integer(6) === 0;
  const size = isDraft && random.integer(2) === 0 ? 0 : random.pick(SIZES);
  const isAfter = plans.length > 0 && random.integer(3) === 0;
  return {
    name: 'Simulated',
    jobs: randomJobs(random, size).map(asDefinition),
    maxParallel: random.integer(4),
    draft: isDraft,
    paused: random.integer(8) === 0,
    ...(isAfter && { after: random.pick(plans) }),
  };
}

/** Each needs only what was made before it; they are listed in either order. */
function randomJobs(random: Random, size: number): Wanted[] {
  const ids = Array.from({ length: size }, (_, index) => `job-${index}`);
  const jobs = ids.map((id, index) => randomJob(random, id, ids.slice(0, index)));
  return random.integer(2) === 0 ? jobs : jobs.reverse();
}

export function randomJob(random: Random, id: string, others: readonly string[]): Wanted {
  return {
    id,
    command: `run ${random.integer(1000)}`,
    isTicket: random.integer(5) === 0,
    needs: randomNeeds(random, others),
    retry: random.pick(RETRIES),
  };
}

function randomNeeds(random: Random, from: readonly string[]): string[] {
  if (from.length === 0) return [];
  return Array.from({ length: random.integer(3) }, () => random.pick(from));
}

export function asDefinition({ id, command, isTicket, needs, retry }: Wanted): JobDefinition {
  const work = isTicket ? { type: 'ticket' as const, title: command } : command;
  return { id, work, needs: [...needs], retry };
}

export function asWanted({ id, work, needs = [], retry = 0 }: JobDefinition): Wanted {
  if (typeof retry === 'object') throw new Error(`${id} has retries by reason`);
  if (typeof work === 'string') return { id, command: work, isTicket: false, needs, retry };
  if (work.type !== 'ticket') throw new Error(`${id} has work of another kind`);
  return { id, command: work.title, isTicket: true, needs, retry };
}
