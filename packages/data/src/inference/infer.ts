import { nearest } from '@baton/core';
import type { Engine } from '../engine/engine.ts';
import type { Relation } from '../model.ts';
import { fold } from '../names.ts';
import type { Weighed } from './accept.ts';
import type { KnownTable } from './candidates.ts';
import { possibleKeys, type Together, uniqueOnes } from './composite-keys.ts';
import { declaredRelations, tableNamed } from './declared-relations.ts';
import { describeTable, inferredRemarks } from './describe.ts';
import type { FoundRelation, Inference, InferredTable, Misfit, TableFacts } from './facts.ts';
import { singleKey } from './keys.ts';
import { inferLabels } from './labels.ts';
import { linkFields } from './links.ts';
import { freeName, relationName } from './relation-names.ts';
import { findRelations } from './relations.ts';
import { formsOf } from './table-names.ts';

/** Keys, labels and relations that nobody has declared, and whether what is declared fits. */
export async function infer(
  tables: readonly TableFacts[],
  engine: Engine,
  options: { readonly signal?: AbortSignal } = {},
): Promise<Inference> {
  const { signal } = options;
  const misfits: Misfit[] = [];
  const known = knownTables(tables, misfits);
  const keys = new Map(known.map(({ facts, key }) => [facts.id, key]));
  const declared = await declaredRelations(tables, keys, engine, signal);
  misfits.push(...declared.misfits);
  const hasDeclared = new Set(declared.relations.map(({ from, field }) => `${from}\0${field}`));
  const found = await findRelations(
    known,
    ({ table, field }) => !hasDeclared.has(`${table.facts.id}\0${field.name}`),
    engine,
    signal,
  );
  const relations = named(found, declared.relations, tables);
  const groups = await groupsOf(known, relations, engine, signal);
  const inferred = known.map((table): [string, InferredTable] => [
    table.facts.id,
    tableOf(table, relations, groups.get(table) ?? {}),
  ]);
  return { tables: new Map(inferred), relations: relations.map(plain), misfits };
}

function knownTables(tables: readonly TableFacts[], misfits: Misfit[]): KnownTable[] {
  const forms = formsOf(tables);
  return tables.map((facts) => {
    const own = forms.get(facts.id) ?? [];
    const declared = existing(facts, 'key', misfits);
    const single = declared ? undefined : singleKey(facts, own);
    const key = declared ?? (single ? [single.name] : []);
    const isKeyWeak = single ? single.isName : declared === undefined;
    const labels = existing(facts, 'labels', misfits) ?? inferLabels(facts, own);
    return { facts, forms: own, key, isKeyWeak, labels };
  });
}

/** What is declared, without fields that are not there. */
function existing(
  facts: TableFacts,
  of: 'key' | 'labels',
  misfits: Misfit[],
): string[] | undefined {
  const declared = facts.declared[of];
  if (!declared) return undefined;
  const names = facts.fields.map(({ name }) => name);
  return declared.flatMap((said) => {
    const name = names.includes(said) ? said : names.find((other) => fold(other) === fold(said));
    if (name !== undefined) return [name];
    const like = nearest(said, names);
    const hint = like === undefined ? '' : ` Did you mean "${like}"?`;
    const it = of === 'key' ? `The key of ${facts.id} has` : `A label of ${facts.id} is`;
    const message = `${it} "${said}", which is not there.${hint}`;
    misfits.push({ category: facts.id, of, message });
    return [];
  });
}

/** The declared ones, and those found that nobody has said are none. */
function named(
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

interface Group {
  readonly key?: readonly string[];
  readonly isLink?: true;
}

/** Keys of several fields, and links, of the tables that have them. */
async function groupsOf(
  tables: readonly KnownTable[],
  relations: readonly FoundRelation[],
  engine: Engine,
  signal: AbortSignal | undefined,
): Promise<Map<KnownTable, Group>> {
  const links = new Map<KnownTable, Together>();
  const asked: Together[] = [];
  for (const table of tables) {
    const own = relations.filter(({ from }) => from === table.facts.id);
    const fields = linkFields(table, relations);
    if (fields) links.set(table, { table, fields });
    if (table.isKeyWeak) asked.push(...possibleKeys(table, own));
  }
  const unique = await uniqueOnes([...links.values(), ...asked], engine, signal);
  return new Map(
    tables.map((table) => {
      const link = unique.find((group) => group === links.get(table));
      const key = unique.find((group) => group.table === table && asked.includes(group)) ?? link;
      return [
        table,
        {
          ...(key && table.isKeyWeak && { key: key.fields }),
          ...(link && { isLink: true as const }),
        },
      ];
    }),
  );
}

function tableOf(
  table: KnownTable,
  relations: readonly FoundRelation[],
  group: Group,
): InferredTable {
  const { facts } = table;
  const key = group.key ?? table.key;
  const own = relations.filter(({ from }) => from === facts.id);
  const labels = facts.declared.labels ? table.labels : namesOfItsOwn(table.labels, key, own);
  const found = { key, labels, isLink: group.isLink === true, relations: own };
  return {
    description: facts.declared.description ?? describeTable(facts, found),
    key,
    labels,
    ...(group.isLink && { isLink: true }),
    inferred: inferredRemarks(facts, found),
  };
}

/** What leads to another record is called like that one. */
function namesOfItsOwn(
  labels: readonly string[],
  key: readonly string[],
  relations: readonly FoundRelation[],
): string[] {
  const others = new Set(relations.map(({ field }) => field));
  return labels.filter((label) => !others.has(label) || (key.length === 1 && key[0] === label));
}

function plain({
  values: _v,
  valuesFound: _f,
  isHinted: _h,
  ...relation
}: FoundRelation): Relation {
  return relation;
}
