import { isUuid, type Weighed } from './accept.ts';
import { isIdNamed } from './field-names.ts';

/** Ranks that differ by less than a step say the same. */
const STEPS = 250;
/** How much more of one target than of another must be used if nothing else tells them apart. */
const CLEARLY = 1.5;

/** The target that is meant, if it is clear which. */
export function best(accepted: readonly Weighed[]): Weighed | undefined {
  const [first, ...others] = [...accepted].sort(compare);
  if (!first) return undefined;
  const rival = others.find(
    (other) => step(other) === step(first) && other.pair.target.table !== first.pair.target.table,
  );
  if (!rival || rival.values < first.values || isSure(first)) return first;
  return share(first) >= CLEARLY * share(rival) ? first : undefined;
}

/** Where nothing is found by chance, the better of two is right. */
function isSure({ pair, evidence }: Weighed): boolean {
  return pair.hint > 0 && isUuid(evidence.shape, evidence.values);
}

function compare(a: Weighed, b: Weighed): number {
  return step(b) - step(a) || b.values - a.values || share(b) - share(a) || key(b) - key(a);
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
export function withoutRepetitions(chosen: readonly Weighed[]): Weighed[] {
  return chosen.filter((one) => !isMirrored(one, chosen) && !isCopy(one, chosen));
}

/** Two tables with the same key: the one with fewer records leads to the other. */
function isMirrored(one: Weighed, chosen: readonly Weighed[]): boolean {
  const { source, target } = one.pair;
  const back = chosen.find(
    ({ pair }) => pair.source.field === target.field && pair.target.field === source.field,
  );
  if (!back) return false;
  const byRank = step(one) - step(back);
  if (byRank !== 0) return byRank < 0;
  const bySize = target.field.distinct - source.field.distinct;
  if (bySize !== 0) return bySize < 0;
  const byLabels = target.table.labels.length - source.table.labels.length;
  return byLabels === 0 ? target.table.facts.id > source.table.facts.id : byLabels < 0;
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
