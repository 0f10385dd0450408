import { BatonError } from '@baton/core';
import type { Catalogue, Category } from '../model.ts';
import { fold, foldSingular, namesOf } from '../names.ts';
import { listed, nearNames, shownName } from '../query/near-names.ts';

/** The category that a name means. */
export function findCategory(catalogue: Catalogue, wanted: string): Category {
  const { categories } = catalogue;
  const byName = (same: (name: string) => string) =>
    same(wanted) === ''
      ? []
      : categories.filter((one) => namesOf(one).some((name) => same(name) === same(wanted)));
  // The nearest kind of name decides.
  const ways = [
    () => categories.filter(({ id }) => id === wanted),
    () => byName((name) => name),
    () => byName(fold),
    () => byName(foldSingular),
  ];
  for (const find of ways) {
    const [found, ...others] = find();
    if (found && others.length === 0) return found;
    if (found) throw ambiguous(wanted, [found, ...others]);
  }
  throw unknown(wanted, categories);
}

function ambiguous(wanted: string, found: readonly Category[]): BatonError {
  return new BatonError(
    'data_category_unknown',
    `${shownName(wanted)} is a name of several categories.`,
    `Take one of their ids: ${listed(found.map(({ id }) => id))}.`,
  );
}

function unknown(wanted: string, categories: readonly Category[]): BatonError {
  const idOf = new Map(categories.flatMap((one) => namesOf(one).map((name) => [name, one.id])));
  const near = new Set(nearNames(wanted, idOf.keys()).map((name) => idOf.get(name) ?? name));
  const meant = near.size > 0 ? `Did you mean ${[...near].map(shownName).join(' or ')}? ` : '';
  return new BatonError(
    'data_category_unknown',
    `There is no category ${shownName(wanted)}.`,
    categories.length === 0
      ? 'The catalogue is empty.'
      : `${meant}Categories: ${listed(categories.map(({ id }) => id))}.`,
  );
}
