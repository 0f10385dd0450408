import type { Catalogue, Category } from '../model.ts';
import { fold, namesOf } from '../names.ts';

/** What a name of a table in a statement may mean: more than one category if they share a name. */
export function categoriesNamed(catalogue: Catalogue, spelling: string): readonly Category[] {
  const wanted = spelling.toLowerCase();
  const folded = fold(spelling);
  // The nearest kind of name decides: a table is meant before somebody's alias is.
  const kinds: readonly ((category: Category) => boolean)[] = [
    ({ table }) => table.toLowerCase() === wanted,
    ({ id }) => id.toLowerCase() === wanted,
    ({ name }) => name.toLowerCase() === wanted,
    ({ aliases }) => aliases.some((alias) => alias.toLowerCase() === wanted),
    (category) => folded !== '' && namesOf(category).some((name) => fold(name) === folded),
  ];
  for (const isMeant of kinds) {
    const found = catalogue.categories.filter(isMeant);
    if (found.length > 0) return found;
  }
  return [];
}
