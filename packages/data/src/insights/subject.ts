import type { Engine } from '../engine/engine.ts';
import type { Catalogue, Category, Field, Relation } from '../model.ts';
import { type Ask, createAsk } from './asking.ts';
import { MOST_GROUPS, type Role, roleOf } from './roles.ts';

/** So many columns of a kind are compared with each other. */
const MOST_MEASURES = 12;
const MOST_GROUPINGS = 10;
const MOST_FOREIGN = 4;

/** A field of the category, or of a record that a relation leads to. */
export interface Column {
  /** `salary` or `department.name`. */
  readonly name: string;
  readonly role: Role;
  /** Of its own category. */
  readonly field: Field;
  readonly via?: Relation;
}

/** What is looked at, and what can be asked about it. */
export interface Subject {
  readonly catalogue: Catalogue;
  readonly category: Category;
  /** Of the category itself, in order. */
  readonly own: readonly Column[];
  /** Numbers, and groups that can be compared, of related records too. */
  readonly measures: readonly Column[];
  readonly groups: readonly Column[];
  /** Whether a finding about these columns is wanted. */
  isWanted(...columns: readonly Column[]): boolean;
  readonly ask: Ask;
}

export function createSubject(
  catalogue: Catalogue,
  engine: Engine,
  category: Category,
  field: string | undefined,
  signal: AbortSignal | undefined,
): Subject {
  const { relations } = catalogue;
  const own = category.fields.map(
    (one): Column => ({ name: one.name, role: roleOf(category, relations, one), field: one }),
  );
  const foreign = relationsOf(catalogue, category).flatMap((relation) =>
    foreignColumns(catalogue, category, relation),
  );
  const isNamed = ({ name }: Column) =>
    foreign.some(({ role, via }) => role === 'reference' && via?.field === name);
  const isAbout = (column: Column) => column.name === field || column.via?.field === field;
  const all = [...own.filter((column) => !isNamed(column)), ...foreign]
    .filter((column) => column.field.distinct > 1)
    .toSorted((a, b) => Number(isAbout(b)) - Number(isAbout(a)));
  return {
    catalogue,
    category,
    own,
    measures: all.filter(({ role }) => role === 'measure').slice(0, MOST_MEASURES),
    groups: all.filter(isGrouping).slice(0, MOST_GROUPINGS),
    isWanted: (...columns) => field === undefined || columns.some(isAbout),
    ask: createAsk(engine, signal),
  };
}

function isGrouping({ role, field }: Column): boolean {
  return (role === 'group' || role === 'reference') && field.distinct <= MOST_GROUPS;
}

/** Relations that lead from one record to one other. */
function relationsOf(catalogue: Catalogue, { id, fields }: Category): readonly Relation[] {
  return catalogue.relations.filter(
    ({ from, field, cardinality }) =>
      from === id &&
      cardinality === 'one' &&
      fields.some(({ name, type }) => name === field && type !== 'list' && type !== 'json'),
  );
}

function foreignColumns(
  catalogue: Catalogue,
  { fields }: Category,
  via: Relation,
): readonly Column[] {
  const target = catalogue.categories.find(({ id }) => id === via.to);
  if (!target) return [];
  const columns = target.fields.map(
    (field): Column => ({
      name: `${via.name}.${field.name}`,
      role: roleOf(target, catalogue.relations, field),
      field,
      via,
    }),
  );
  const label = columns.find(({ field }) => field.name === target.labels[0]);
  const led = fields.find(({ name }) => name === via.field)?.distinct ?? 0;
  return [
    // The name of what the reference leads to stands for the reference itself.
    ...(label ? [named(label, led)] : []),
    ...columns
      .filter((column) => column !== label && ['group', 'measure'].includes(column.role))
      .slice(0, MOST_FOREIGN),
  ];
}

/** There may be many names of which few are led to. */
function named(label: Column, led: number): Column {
  const field = { ...label.field, distinct: Math.min(label.field.distinct, led) };
  return { ...label, field, role: 'reference' };
}
