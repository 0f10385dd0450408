import { wordsOf } from '../names.ts';

/** Words that SQL keeps for itself. */
const RESERVED = new Set(
  `all analyse analyze and any array as asc asymmetric both case cast check collate column
  constraint create default deferrable desc describe distinct do else end except false fetch for
  foreign from grant group having in initially intersect into lambda lateral leading limit not null
  offset on only or order pivot pivot_longer pivot_wider placing primary qualify references
  returning select show some summarize symmetric table then to trailing true union unique unpivot
  using variadic when where window with`.split(/\s+/),
);

/** What a category is called in SQL without quotes. */
export function tableNameOf(id: string): string {
  const name = wordsOf(id).join('_');
  // Letters of other scripts need no quotes either, but a digit in front does.
  const isUsable = name !== '' && !/^\d/.test(name) && !RESERVED.has(name);
  return isUsable ? name : `records_${name}`;
}

/** The first of these that is not taken yet, compared without case. */
export function freeName(candidates: readonly string[], taken: Set<string>): string {
  const last = candidates.at(-1) ?? '';
  for (let count = 1; ; count++) {
    const name = candidates[count - 1] ?? `${last}_${count - candidates.length + 1}`;
    if (taken.has(name.toLowerCase())) continue;
    taken.add(name.toLowerCase());
    return name;
  }
}
