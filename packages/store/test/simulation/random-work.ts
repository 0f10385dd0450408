import type { ClaimFilter, Gate, NewWork, Scope } from '@baton/store';
import type { Random } from '@baton/testkit';

export const QUEUES = ['jobs', 'jobs', 'jobs', 'landing'];
const WORKSPACES = ['/a', '/a', '/b'];
const GROUPS = ['', 'plan-1', 'plan-2'];
const PRIORITIES = [0, 0, 0, 1, 5];
const LABELS: readonly string[][] = [[], [], ['linux'], ['linux', 'gpu']];
const MAX_ATTEMPTS = [1, 2, 2, 3];

/** Work that needs some of what is there and of what is added with it, listed in any order. */
export function randomWork(
  random: Random,
  ids: readonly string[],
  known: readonly string[],
): Required<NewWork>[] {
  const items = ids.map((id, index) => ({
    id,
    workspace: random.pick(WORKSPACES),
    queue: random.pick(QUEUES),
    group: random.pick(GROUPS),
    priority: random.pick(PRIORITIES),
    labels: random.pick(LABELS),
    maxAttempts: random.pick(MAX_ATTEMPTS),
    needs: randomNeeds(random, [...known, ...ids.slice(0, index)]),
  }));
  return random.integer(2) === 0 ? items : items.reverse();
}

function randomNeeds(random: Random, from: readonly string[]): string[] {
  if (from.length === 0) return [];
  const some = Array.from({ length: random.integer(3) }, () => random.pick(from));
  return [...new Set(some)];
}

export function randomFilter(random: Random): ClaimFilter {
  return {
    queue: random.pick(QUEUES),
    ...(random.integer(8) === 0 && { workspace: random.pick(WORKSPACES) }),
    ...(random.integer(8) === 0 && { group: random.pick(GROUPS) }),
    ...(random.integer(8) === 0 && { labels: random.pick(LABELS) }),
  };
}

export function randomScope(random: Random): Scope {
  return {
    ...(random.integer(3) === 0 && { workspace: random.pick(WORKSPACES) }),
    ...(random.integer(2) === 0 && { queue: random.pick(QUEUES) }),
    ...(random.integer(2) === 0 && { group: random.pick(GROUPS.slice(1)) }),
  };
}

export function randomGate(random: Random): Gate {
  if (random.integer(3) === 0) return { isPaused: true };
  if (random.integer(4) === 0) return {};
  return { maxRunning: random.integer(3) };
}
