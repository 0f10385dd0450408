import { BatonError } from '@baton/core';
import type { Category, Field } from '../model.ts';
import { fold } from '../names.ts';
import { listed, nearNames, shownName } from '../query/near-names.ts';

/** The fields of a category that names mean. */
export function findFields({ id, fields }: Category, wanted: readonly string[]): Field[] {
  return wanted.map((name) => {
    const isMeant = (known: string) => fold(known) === fold(name);
    const found =
      fields.find((field) => field.name === name) ??
      fields.find((field) => [field.name, ...field.aliases].some(isMeant));
    if (found) return found;
    const names = fields.map((field) => field.name);
    const near = nearNames(name, names);
    const meant = near.length > 0 ? ` Did you mean ${near.map(shownName).join(' or ')}?` : '';
    throw new BatonError(
      'data_field_unknown',
      `${id} has no field ${shownName(name)}.${meant}`,
      `Fields: ${listed(names)}.`,
    );
  });
}
