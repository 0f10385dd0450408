import { fold } from '../names.ts';
import type { Weighed } from './accept.ts';
import { tableNamed } from './declared-relations.ts';
import type { FoundRelation, TableFacts } from './facts.ts';
import { freeName, relationName } from './relation-names.ts';

/** The declared ones, and those found that nobody has said are none. */
export function namedRelations(
  found: readonly Weighed[],
  declared: readonly FoundRelation[],
  tables: readonly TableFacts[],
): FoundRelation[] {
  const relations = [...declared];
  for (const one of found) {
    const { source, target } = one.pair;
    const from = source.table.facts;
    const { name: field } = source.field;
    const usual = relationName(field, source.domain.isList, target.table.facts, target.table.forms);
    if (isDenied(from, field, usual, target.table.facts, tables)) continue;
    const taken = new Set(
      relations.filter((other) => other.from === from.id).map(({ name }) => name),
    );
    relations.push({
      name: freeName(usual, field, taken),
      from: from.id,
      field,
      to: target.table.facts.id,
      toField: target.field.name,
      cardinality: source.domain.isList ? 'many' : 'one',
      isInferred: true,
      found: one.total,
      dangling: one.evidence.total - one.total,
      values: one.evidence.values,
      valuesFound: one.values,
      isHinted: one.pair.hint > 0,
    });
  }
  return relations;
}

function isDenied(
  { declared }: TableFacts,
  field: string,
  name: string,
  to: TableFacts,
  tables: readonly TableFacts[],
): boolean {
  return (declared.relations ?? []).some((one) => {
    if (!one.isNone) return false;
    if (one.to !== '' && tableNamed(tables, one.to) !== to) return false;
    return [one.field, one.name].some(
      (said) => fold(said) === fold(field) || fold(said) === fold(name),
    );
  });
}
