import { nearest } from '@baton/core';
import type { DeclaredRelation } from '../declared/declared.ts';
import type { Engine } from '../engine/engine.ts';
import type { Field } from '../model.ts';
import { fold, foldSingular } from '../names.ts';
import { askFor, type Count } from './evidence.ts';
import type { FoundRelation, Misfit, TableFacts } from './facts.ts';

const NOTHING: Count = { values: 0, total: 0 };

interface Resolved {
  readonly declared: DeclaredRelation;
  readonly from: TableFacts;
  readonly field: Field;
  readonly to: TableFacts;
  readonly toField: Field;
}

/** The relations that somebody has declared, counted, and what is wrong with the others. */
export async function declaredRelations(
  tables: readonly TableFacts[],
  keys: ReadonlyMap<string, readonly string[]>,
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<{ relations: FoundRelation[]; misfits: Misfit[] }> {
  const resolved: Resolved[] = [];
  const misfits: Misfit[] = [];
  for (const from of tables) {
    for (const declared of from.declared.relations ?? []) {
      if (declared.isNone) continue;
      const found = resolve(declared, from, tables, keys);
      if (typeof found !== 'string') resolved.push(found);
      else misfits.push({ category: from.id, of: declared.name, message: found });
    }
  }
  const questions = resolved.map((one) => ({
    table: one.from,
    field: one.field,
    among: [{ table: one.to, field: one.toField }],
    one,
  }));
  const answers = await askFor(questions, engine, signal);
  const relations = questions.map((question) => {
    const evidence = answers.get(question);
    return relationOf(question.one, evidence ?? NOTHING, evidence?.found[0] ?? NOTHING);
  });
  return { relations, misfits };
}

function relationOf(
  { declared, from, field, to, toField }: Resolved,
  all: Count,
  found: Count,
): FoundRelation {
  const { name, description, cardinality } = declared;
  const leadsToMany = field.type === 'list' || !toField.isUnique;
  return {
    name,
    ...(description !== undefined && { description }),
    from: from.id,
    field: field.name,
    to: to.id,
    toField: toField.name,
    cardinality: cardinality ?? (leadsToMany ? 'many' : 'one'),
    found: found.total,
    dangling: all.total - found.total,
    values: all.values,
    valuesFound: found.values,
    isHinted: true,
  };
}

/** What it means, or what is wrong with it. */
function resolve(
  declared: DeclaredRelation,
  from: TableFacts,
  tables: readonly TableFacts[],
  keys: ReadonlyMap<string, readonly string[]>,
): Resolved | string {
  const it = `The relation "${declared.name}" of ${from.id}`;
  const field = fieldNamed(from, declared.field);
  if (!field)
    return `${it} uses the field "${declared.field}", which is not there.${near(declared.field, from)}`;
  const to = tableNamed(tables, declared.to);
  if (!to) {
    const like = nearest(
      declared.to,
      tables.map(({ id }) => id),
    );
    const hint = like === undefined ? '' : ` Did you mean "${like}"?`;
    return `${it} leads to "${declared.to}", which is no category.${hint}`;
  }
  const key = keys.get(to.id) ?? [];
  const wanted = declared.toField ?? (key.length === 1 ? key[0] : undefined);
  if (wanted === undefined)
    return `${it} leads to ${to.id}, which has no key of one field. Name the field with "toField".`;
  const toField = fieldNamed(to, wanted);
  if (!toField)
    return `${it} leads to the field "${wanted}" of ${to.id}, which is not there.${near(wanted, to)}`;
  if (!canBeEqual(field, toField)) {
    return `${it} cannot be followed: "${field.name}" is ${kindOf(field)} and "${toField.name}" of ${to.id} is ${kindOf(toField)}. Declare the same type for both.`;
  }
  return { declared, from, field, to, toField };
}

function fieldNamed({ fields }: TableFacts, name: string): Field | undefined {
  return (
    fields.find((field) => field.name === name) ??
    fields.find((field) => fold(field.name) === fold(name))
  );
}

export function tableNamed(tables: readonly TableFacts[], name: string): TableFacts | undefined {
  const says = ({ id, table, name: said, aliases }: TableFacts) => [id, table, said, ...aliases];
  return (
    tables.find(({ id, table }) => id === name || table === name) ??
    tables.find((one) => says(one).some((said) => fold(said) === fold(name))) ??
    tables.find((one) => says(one).some((said) => foldSingular(said) === foldSingular(name)))
  );
}

function near(name: string, { fields }: TableFacts): string {
  const like = nearest(
    name,
    fields.map((field) => field.name),
  );
  return like === undefined ? '' : ` Did you mean "${like}"?`;
}

function kindOf({ type, sqlType }: Field): string {
  if (type !== 'list') return type === 'integer' ? 'number' : type;
  if (sqlType === 'VARCHAR[]') return 'text';
  return sqlType === 'BOOLEAN[]' ? 'boolean' : 'number';
}

function canBeEqual(field: Field, toField: Field): boolean {
  const kind = kindOf(field);
  return toField.type !== 'list' && kind !== 'json' && kind === kindOf(toField);
}
