import type { KnownTable } from './candidates.ts';
import type { FoundRelation } from './facts.ts';
import { readName } from './field-names.ts';

/** The two fields of a table that may only connect two others. */
export function linkFields(
  table: KnownTable,
  relations: readonly FoundRelation[],
): readonly [string, string] | undefined {
  const { id, fields } = table.facts;
  const own = relations.filter(({ from }) => from === id);
  const [one, two, ...more] = own;
  if (!one || !two || more.length > 0 || one.field === two.field) return undefined;
  if (own.some(({ cardinality }) => cardinality === 'many')) return undefined;
  if (relations.some(({ to }) => to === id)) return undefined;
  const others = fields.filter(
    ({ name }) => name !== one.field && name !== two.field && !isOwnId(table, name),
  );
  return others.length <= (isNamedAfter(table, own) ? 3 : 1) ? [one.field, two.field] : undefined;
}

function isOwnId({ key }: KnownTable, name: string): boolean {
  return key.length === 1 && key[0] === name && readName(name).isGeneric === true;
}

/** `people_skills` of people and skills. */
function isNamedAfter({ forms }: KnownTable, own: readonly FoundRelation[]): boolean {
  const folded = own.map(({ to, name }) =>
    [to, name].map((said) => said.toLowerCase().slice(0, 4)),
  );
  return forms.some((form) => {
    const words = form.words.length > 1 ? form.words.join(' ') : '';
    return folded.every((said) => said.some((start) => words.includes(start)));
  });
}
