import { type Condition, not } from './condition.ts';
import type { Hop } from './hops.ts';

/**
 * The same condition with fewer hops. The engine takes a moment for each of them, and much longer
 * for many of them in one statement: records that lead to one of these or to one of those are records
 * that lead to one of either.
 */
export function mergeHops(condition: Condition): Condition {
  switch (condition.type) {
    case 'any':
      return { type: 'any', of: mergeAny(flat('any', condition.of.map(mergeHops))) };
    case 'all':
      return { type: 'all', of: mergeAll(flat('all', condition.of.map(mergeHops))) };
    case 'not':
      return not(mergeHops(condition.of));
    case 'hop':
    case 'inside':
      return { ...condition, of: mergeHops(condition.of) };
    default:
      return condition;
  }
}

/** How many tables a condition looks at beside its own. */
export function countSteps(condition: Condition): number {
  switch (condition.type) {
    case 'any':
    case 'all':
      return condition.of.reduce((sum, one) => sum + countSteps(one), 0);
    case 'hop':
      return condition.hop.steps.length + countSteps(condition.of);
    case 'not':
    case 'inside':
      return countSteps(condition.of);
    default:
      return 0;
  }
}

function flat(type: 'any' | 'all', of: readonly Condition[]): readonly Condition[] {
  return of.flatMap((one) => (one.type === type ? one.of : [one]));
}

function mergeAny(of: readonly Condition[]): readonly Condition[] {
  const others = of.filter(({ type }) => type !== 'hop');
  const ways = new Map<Hop, Condition[]>();
  for (const one of of) {
    if (one.type === 'hop') ways.set(one.hop, [...(ways.get(one.hop) ?? []), one.of]);
  }
  const hops = [...ways].map(
    ([hop, found]): Condition => ({
      type: 'hop',
      hop,
      of: found.length === 1 && found[0] ? found[0] : mergeHops({ type: 'any', of: found }),
    }),
  );
  return [...others, ...hops];
}

/** None of these and none of those is not one of either. */
function mergeAll(of: readonly Condition[]): readonly Condition[] {
  const denied = of.flatMap((one) => (one.type === 'not' && one.of.type === 'hop' ? one.of : []));
  const others = of.filter((one) => !(one.type === 'not' && one.of.type === 'hop'));
  return [...others, ...mergeAny(denied).map(not)];
}
