import type { DeclaredCategory, DeclaredRelation, Reading } from './declared.ts';
import { mergeDeclared } from './merge.ts';
import { recordIn } from './place.ts';
import { readCategory, readOldConfig } from './read-category.ts';
import { readJson } from './read-json.ts';
import { readRelations } from './read-relations.ts';

/** `category.json`. */
export function readCategoryFile(text: string, file: string): Reading<DeclaredCategory> {
  return readJson(text, file, {}, (place) => {
    const given = recordIn(place);
    if (!given) return {};
    const flat = readCategory(given, ['config', '$schema']);
    return mergeDeclared([flat, readOldConfig(given.get('config'))]);
  });
}

/** `relationships.json`. */
export function readRelationshipsFile(
  text: string,
  file: string,
): Reading<readonly DeclaredRelation[]> {
  return readJson(text, file, [], (place) => readRelations(place) ?? []);
}
