import type { Engine } from '../engine/engine.ts';
import type { Relation } from '../model.ts';
import type { KnownTable } from './candidates.ts';
import { possibleKeys, type Together, uniqueOnes } from './composite-keys.ts';
import { declaredRelations } from './declared-relations.ts';
import { describeTable, inferredRemarks } from './describe.ts';
import type { FoundRelation, Inference, InferredTable, Misfit, TableFacts } from './facts.ts';
import { namedRelations } from './found-relations.ts';
import { knownTables } from './known-tables.ts';
import { linkFields } from './links.ts';
import { findRelations } from './relations.ts';

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
  const relations = namedRelations(found, declared.relations, tables);
  const groups = await groupsOf(known, relations, engine, signal);
  const inferred = known.map((table): [string, InferredTable] => [
    table.facts.id,
    tableOf(table, relations, groups.get(table) ?? {}),
  ]);
  return { tables: new Map(inferred), relations: relations.map(plain), misfits };
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
