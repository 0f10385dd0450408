import {
  canBe,
  cannotLead,
  type KnownTable,
  type Pair,
  type Source,
  type Target,
} from './candidates.ts';
import { isSameBlock, isTelling, rangeOf } from './domains.ts';
import { OWN } from './keys.ts';
import { fieldHint, LONGER } from './name-hints.ts';
import { LEAST_HINT, tableHints } from './table-hints.ts';

/** So many targets of one field are looked at, the best by name. */
const MOST_TARGETS = 8;

/** What names say, for every field that they say something about. */
export function hintedPairs(
  tables: readonly KnownTable[],
  sources: readonly Source[],
  targets: readonly Target[],
): Pair[] {
  const hintsOf = tableHints(tables);
  const byTable = grouped(targets, ({ table }) => [table]);
  // Those that may have the same name or a part of it.
  const byWord = grouped(targets, ({ name }) => new Set([name.words.at(-1), name.stemFolded]));
  return sources.flatMap((source) => {
    const { name } = source;
    const hints = hintsOf(source);
    const possible = new Set([
      ...[...hints.keys()].flatMap((table) => byTable.get(table) ?? []),
      ...(byWord.get(name.words.at(-1)) ?? []),
      ...(name.stemFolded ? (byWord.get(name.stemFolded) ?? []) : []),
    ]);
    return [...possible]
      .flatMap((target) => pairOf(source, target, hints.get(target.table) ?? 0))
      .sort((a, b) => b.rank - a.rank)
      .slice(0, MOST_TARGETS);
  });
}

function grouped<Item, Key>(
  items: readonly Item[],
  keysOf: (item: Item) => Iterable<Key>,
): Map<Key, Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) {
    for (const key of keysOf(item)) {
      const those = groups.get(key);
      if (those) those.push(item);
      else groups.set(key, [item]);
    }
  }
  return groups;
}

function pairOf(source: Source, target: Target, toTable: number): Pair[] {
  const same = sameName(source, target);
  const hint = Math.max(toTable, same);
  // `line_no` is of lines only if these are called so.
  if (hint < (source.name.isSequence ? 0.95 : LEAST_HINT)) return [];
  if (!canBe(source, target) || cannotLead(source, target)) return [];
  return [{ source, target, hint, rank: hint + fit(source, target, same) }];
}

function sameName({ name, table }: Source, target: Target): number {
  if (target.name.isGeneric) return 0;
  const hint = fieldHint(name, target.name);
  // `supervisor_emp_no` beside `emp_no`, and not `emp_name`.
  if (table === target.table && hint !== LONGER) return 0;
  if (target.ownness >= OWN) return hint * 0.95;
  return hint * (target.isKey ? 0.87 : 0.6);
}

/** Which of a table's fields is meant: less than any difference between tables that matters. */
function fit({ name }: Source, { name: other, isKey, ownness }: Target, same: number): number {
  const isSameMark = name.mark !== undefined && name.mark === other.mark;
  return (
    (same > 0 ? 0.02 : 0) +
    (isSameMark ? 0.012 : 0) +
    (isKey ? 0.01 : 0) +
    (ownness >= OWN ? 0.005 : 0)
  );
}

/** Integers whose values alone may say where they lead. */
export function tellingPairs(sources: readonly Source[], targets: readonly Target[]): Pair[] {
  const among = targets.flatMap((target) => {
    const { domain, field } = target;
    const range = rangeOf(field.min, field.max, field.distinct);
    return domain.kind === 'integer' && range ? [{ target, range }] : [];
  });
  return sources.flatMap((source) => {
    const { field, domain, isOpen } = source;
    const range = rangeOf(field.min, field.max, field.distinct);
    if (!isOpen || domain.isList || domain.kind !== 'integer' || !range) return [];
    return among
      .filter(
        ({ target, range: other }) =>
          canBe(source, target) && !cannotLead(source, target) && isPossible(source, range, other),
      )
      .map(({ target }) => ({ source, target, hint: 0, rank: 0 }));
  });
}

type Numbers = Parameters<typeof isTelling>[0];

function isPossible({ name }: Source, range: Numbers, other: Numbers): boolean {
  if (range.min < other.min || range.max > other.max) return false;
  // `invoice_no` beside orders: numbers of both may start at 1001.
  return isTelling(range, other) || (name.mark === undefined && isSameBlock(range, other));
}
