import type { Field } from '../model.ts';
import { isUuid, type Weighed } from './accept.ts';
import { isIdNamed } from './field-names.ts';

/** Ranks that differ by less than a step say the same. */
const STEPS = 250;
/** How much more of one target than of another must be used if nothing else tells them apart. */
const CLEARLY = 1.5;

/** Of every source that has some, the target that is meant, if it is clear which. */
export function choose(accepted: readonly (readonly Weighed[])[]): Weighed[] {
  const leads = new Map<Field, Map<Field, Weighed>>();
  for (const weighed of accepted.flat()) {
    const { source, target } = weighed.pair;
    const targets = leads.get(source.field) ?? new Map<Field, Weighed>();
    leads.set(source.field, targets.set(target.field, weighed));
  }
  const isAbove = (one: Weighed, other: Weighed) => {
    const [a, b] = [one.pair.target.field, other.pair.target.field];
    const up = leads.get(b)?.get(a);
    const down = leads.get(a)?.get(b);
    return up !== undefined && (down === undefined || isUpward(up, down));
  };
  return withoutRepetitions(
    accepted.flatMap((those) => best(those, isAbove) ?? []),
    leads,
  );
}

function best(
  accepted: readonly Weighed[],
  isAbove: (one: Weighed, other: Weighed) => boolean,
): Weighed | undefined {
  const likeliest = Math.max(...accepted.map(step));
  const equal = accepted.filter((one) => step(one) === likeliest);
  // One may lead to the other: then the other is where both lead.
  const top = equal.filter((one) => !equal.some((other) => isAbove(other, one)));
  const [first, ...others] = top.sort(compare);
  if (!first) return undefined;
  const rival = others.find(({ pair }) => pair.target.table !== first.pair.target.table);
  if (!rival || rival.values < first.values || isSure(first)) return first;
  return share(first) >= CLEARLY * share(rival) ? first : undefined;
}

/** Where nothing is found by chance, the better of two is right. */
function isSure({ pair, evidence }: Weighed): boolean {
  return pair.hint > 0 && isUuid(evidence.shape, evidence.values);
}

function compare(a: Weighed, b: Weighed): number {
  return b.values - a.values || share(b) - share(a) || key(b) - key(a);
}

function step({ pair }: Weighed): number {
  return Math.round(pair.rank * STEPS);
}

/** How much of the target is used. */
function share({ pair, values }: Weighed): number {
  return values / pair.target.field.distinct;
}

function key({ pair }: Weighed): number {
  return pair.target.isKey ? 1 : 0;
}

/** Without those that only repeat what another says. */
function withoutRepetitions(
  chosen: readonly Weighed[],
  leads: ReadonlyMap<Field, ReadonlyMap<Field, Weighed>>,
): Weighed[] {
  return chosen.filter((one) => {
    const { source, target } = one.pair;
    const back = leads.get(target.field)?.get(source.field);
    return (back === undefined || isUpward(one, back)) && !isCopy(one, chosen);
  });
}

/** Of two tables with the same key, the one with fewer records leads to the other. */
function isUpward(up: Weighed, down: Weighed): boolean {
  const { source, target } = up.pair;
  const byRank = step(up) - step(down);
  if (byRank !== 0) return byRank > 0;
  const bySize = target.field.distinct - source.field.distinct;
  if (bySize !== 0) return bySize > 0;
  const byLabels = target.table.labels.length - source.table.labels.length;
  return byLabels === 0 ? target.table.facts.id < source.table.facts.id : byLabels > 0;
}

/** `customer_name` beside `customer_id`. */
function isCopy({ pair }: Weighed, chosen: readonly Weighed[]): boolean {
  const { source, target } = pair;
  if (isIdNamed(target.name) || target.isKey) return false;
  const said = source.name.stem.join(' ');
  return chosen.some(
    ({ pair: other }) =>
      other.source.table === source.table &&
      other.target.table === target.table &&
      other.source !== source &&
      (isIdNamed(other.target.name) || other.target.isKey) &&
      (source.name.stem.length === 0 || other.source.name.stem.join(' ') === said),
  );
}
