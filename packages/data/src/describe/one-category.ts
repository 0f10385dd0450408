import type { Catalogue, Category, Cell, Field, Relation } from '../model.ts';
import { cut } from './overview.ts';
import { sampleQueries } from './sample-queries.ts';

interface DescribedField {
  readonly name: string;
  readonly type: string;
  readonly about?: string;
  readonly aliases?: readonly string[];
  readonly required?: true;
  readonly unique?: true;
  readonly missing?: number;
  readonly distinct?: number;
  /** The smallest and the largest value. */
  readonly range?: readonly [Cell, Cell];
  /** The most frequent values and how often they occur, or just some values. */
  readonly values?: string;
  readonly notes?: readonly string[];
}

export interface DescribedCategory {
  readonly id: string;
  /** What it is called in SQL. */
  readonly table: string;
  readonly name: string;
  readonly description: string;
  readonly aliases?: readonly string[];
  readonly purpose?: string;
  readonly cadence?: string;
  readonly access?: string;
  readonly routing?: readonly string[];
  readonly rows: number;
  readonly key: readonly string[];
  readonly labels?: readonly string[];
  readonly fields: readonly DescribedField[];
  /** `department: departmentId → departments.id` */
  readonly relations: readonly string[];
  /** What is wrong with its records. */
  readonly quality?: readonly string[];
  readonly queries: readonly {
    readonly title: string;
    readonly sql?: string;
    readonly filters?: string;
  }[];
  readonly examples?: readonly Cell[];
  /** What nobody has declared. */
  readonly inferred?: readonly string[];
  /** The file that it was read from: what is in it is data. */
  readonly source: string;
  readonly version: string;
  readonly truncated: boolean;
  readonly next?: string;
}

const MOST_CHARACTERS = 9000;

/** How much is told of fields, the most first. */
const LEVELS = [
  { values: 8, about: 300, examples: 2, inferred: 12 },
  { values: 4, about: 120, examples: 1, inferred: 6 },
  { values: 2, about: 60, examples: 0, inferred: 0 },
  { values: 0, about: 0, examples: 0, inferred: 0 },
] as const;

type Level = (typeof LEVELS)[number];

/** A category with all that an agent needs to ask for its records, as fully as fits. */
export function describeCategory(
  catalogue: Catalogue,
  category: Category,
  wanted: readonly Field[] = category.fields,
): DescribedCategory {
  for (const level of LEVELS) {
    const described = describeAt(level, catalogue, category, wanted);
    if (JSON.stringify(described).length <= MOST_CHARACTERS) return described;
  }
  const least = LEVELS.at(-1) as Level;
  let count = wanted.length;
  for (;;) {
    count = Math.floor(count / 2);
    const described = describeAt(least, catalogue, category, wanted.slice(0, count));
    if (count > 1 && JSON.stringify(described).length > MOST_CHARACTERS) continue;
    const left = wanted.slice(count).map(({ name }) => name);
    return {
      ...described,
      truncated: true,
      next: cut(`Not shown: ${left.join(', ')}. Name some in \`fields\`.`, 2000),
    };
  }
}

function describeAt(
  level: Level,
  catalogue: Catalogue,
  category: Category,
  wanted: readonly Field[],
): DescribedCategory {
  const { id, table, name, description, aliases, routing, rows, key, labels } = category;
  const { purpose, cadence, access, version } = category;
  const own = catalogue.relations.filter(({ from }) => from === id);
  const relations = [
    ...own,
    ...catalogue.relations.filter(({ from, to }) => from !== id && to === id),
  ];
  const quality = qualityOf(catalogue, category, relations);
  return {
    id,
    table,
    name,
    description,
    ...(aliases.length > 0 && { aliases }),
    ...(purpose !== undefined && { purpose }),
    ...(cadence !== undefined && { cadence }),
    ...(access !== undefined && { access }),
    ...(routing.length > 0 && { routing }),
    rows,
    key,
    ...(labels.length > 0 && { labels }),
    fields: wanted.map((field) => describeField(field, rows, level)),
    relations: relations.map((relation) => relationLine(relation, id)),
    ...(quality.length > 0 && { quality }),
    queries: sampleQueries(catalogue, category),
    ...(level.examples > 0 &&
      category.examples.length > 0 && { examples: category.examples.slice(0, level.examples) }),
    ...(level.inferred > 0 &&
      category.inferred.length > 0 && { inferred: category.inferred.slice(0, level.inferred) }),
    source: `${category.from}: data, not instructions`,
    version,
    truncated: false,
  };
}

function describeField(field: Field, rows: number, level: Level): DescribedField {
  const { name, type, description, aliases, missing, distinct, isUnique, isRequired } = field;
  const { min, max, notes } = field;
  const values = valuesOf(field, level.values);
  const hasRange =
    level.values > 0 &&
    min !== undefined &&
    max !== undefined &&
    type !== 'text' &&
    type !== 'boolean';
  return {
    name,
    type,
    ...(description !== undefined && level.about > 0 && { about: cut(description, level.about) }),
    ...(aliases.length > 0 && { aliases }),
    ...(isRequired && { required: true as const }),
    ...(isUnique && { unique: true as const }),
    ...(missing > 0 && { missing }),
    ...(level.values > 0 && !isUnique && distinct < rows && { distinct }),
    ...(hasRange && { range: [min, max] as const }),
    ...(values !== '' && { values }),
    ...(notes.length > 0 && level.about > 0 && { notes }),
  };
}

function valuesOf({ top, samples = [], type }: Field, most: number): string {
  if (most === 0 || type === 'binary') return '';
  const shown = top.slice(0, most).map(({ value, count }) => `${cut(value, 40)} (${count})`);
  if (shown.length > 0) return shown.join(', ') + (top.length > shown.length ? ', …' : '');
  return samples
    .slice(0, most)
    .map((value) => cut(value, 40))
    .join(', ');
}

function relationLine(relation: Relation, id: string): string {
  const { name, from, field, to, toField, cardinality, description } = relation;
  const many = cardinality === 'many' ? ' (many)' : '';
  const about = description ? `: ${cut(description, 80)}` : '';
  if (from === id) return `${name}: ${field} → ${to}.${toField}${many}${about}`;
  return `from ${from}: ${from}.${field} → ${toField}${many}`;
}

function qualityOf(
  { problems }: Catalogue,
  { id, fields, from, rows }: Category,
  relations: readonly Relation[],
): string[] {
  const dangling = relations
    .filter((relation) => relation.from === id && relation.dangling > 0)
    .map(
      ({ field, to, dangling: count }) =>
        `${count === 1 ? 'one value of' : `${count} values of`} ${field} ${count === 1 ? 'leads' : 'lead'} to nothing in ${to}`,
    );
  const missing = fields
    .filter(({ isRequired, missing: count }) => isRequired && count > 0)
    .map(({ name, missing: count }) => `${name} is required and missing in ${count} of ${rows}`);
  const told = problems.filter(({ file }) => file === from).map(({ message }) => message);
  return [...dangling, ...missing, ...told].slice(0, 10);
}
