import type { Collection } from './collection.ts';

interface Spelling {
  readonly word: string;
  readonly distance: number;
}

const SHORTEST = 4;
/** From this length on, two letters may be wrong. */
const LONG = 8;
const MOST_SPELLINGS = 3;

/** Words of the collection that differ from this one by a letter or two. */
export function spellings(collection: Collection, word: string): Spelling[] {
  if (word.length < SHORTEST || word.length > 32 || !/^\p{L}+$/u.test(word)) return [];
  const limit = word.length >= LONG ? 2 : 1;
  const found = new Map<string, number>();
  // People rarely mistake the first letter, and looking at all words would take ten times as long.
  const initial = word.slice(0, 1);
  const next = String.fromCodePoint((initial.codePointAt(0) ?? 0) + 1);
  for (const { segment } of collection.parts) {
    const { words } = segment;
    const end = words.firstNotBefore(next);
    for (let index = words.firstNotBefore(initial); index < end; index++) {
      const bytes = (words.offsets[index + 1] ?? 0) - (words.offsets[index] ?? 0);
      if (Math.abs(bytes - word.length) > limit) continue;
      const candidate = words.at(index);
      const distance = distanceWithin(word, candidate, limit);
      if (distance <= limit) found.set(candidate, distance);
    }
  }
  const nearest = Math.min(...found.values());
  return [...found]
    .filter(([, distance]) => distance === nearest)
    .map(([candidate, distance]) => ({ word: candidate, distance }))
    .slice(0, MOST_SPELLINGS);
}

/** Letters to change, add, leave out or swap with the next; beyond the limit, some number beyond. */
export function distanceWithin(a: string, b: string, limit: number): number {
  let before: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = nextRow(a, b, i, last, before);
    if (Math.min(...row) > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? 0;
}

function nextRow(
  a: string,
  b: string,
  i: number,
  last: readonly number[],
  before: readonly number[],
): number[] {
  const row = [i];
  for (let j = 1; j <= b.length; j++) {
    const isSame = a[i - 1] === b[j - 1];
    const isSwapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
    const swapped = isSwapped ? before[j - 2] : undefined;
    row[j] = Math.min(
      (last[j] ?? 0) + 1,
      (row[j - 1] ?? 0) + 1,
      (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      swapped === undefined ? Number.POSITIVE_INFINITY : swapped + 1,
    );
  }
  return row;
}
