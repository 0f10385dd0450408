import { BatonError } from '@baton/core';
import type { WorkState } from './tables.ts';

/** Work in one of these states will not succeed unless somebody intervenes. */
export const HOPELESS: readonly WorkState[] = ['failed', 'cancelled', 'blocked'];

interface Needing {
  readonly id: string;
  readonly needs?: readonly string[];
}

export interface Settled {
  readonly state: 'ready' | 'waiting' | 'blocked';
  readonly openNeeds: number;
}

/** What new work waits for, given the states of the work that is there already. */
export function settle(
  items: readonly Needing[],
  existing: ReadonlyMap<string, WorkState>,
): Map<string, Settled> {
  const settled = new Map<string, Settled>();
  for (const { id, needs = [] } of inOrder(items)) {
    const states = [...new Set(needs)].map((needed) => {
      const state = settled.get(needed)?.state ?? existing.get(needed);
      if (!state) throw unknownNeed(id, needed);
      return state;
    });
    const openNeeds = states.filter((state) => state !== 'succeeded').length;
    const isHopeless = states.some((state) => HOPELESS.includes(state));
    settled.set(id, {
      openNeeds,
      state: isHopeless ? 'blocked' : openNeeds === 0 ? 'ready' : 'waiting',
    });
  }
  return settled;
}

/** Each after what it needs. Without recursion: a chain may be thousands long. */
function inOrder(items: readonly Needing[]): Needing[] {
  const byId = new Map(items.map((item) => [item.id, item]));
  const done = new Set<Needing>();
  const onPath = new Set<Needing>();
  const stack = items.map((item) => ({ item, isLeaving: false }));
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { item, isLeaving } = step;
    if (isLeaving) {
      onPath.delete(item);
      done.add(item);
    } else if (onPath.has(item)) {
      throw circle(item.id);
    } else if (!done.has(item)) {
      onPath.add(item);
      stack.push({ item, isLeaving: true });
      for (const needed of item.needs ?? []) {
        const next = byId.get(needed);
        if (next) stack.push({ item: next, isLeaving: false });
      }
    }
  }
  return [...done];
}

function circle(id: string): BatonError {
  return new BatonError(
    'needs_circle',
    `${id} needs itself, directly or through others. Nothing was added.`,
    'Take one of the needs away.',
  );
}

function unknownNeed(id: string, needed: string): BatonError {
  return new BatonError(
    'need_unknown',
    `${id} needs ${needed}, which does not exist. Nothing was added.`,
    'Add it too, or take the need away.',
  );
}
