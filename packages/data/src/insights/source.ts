import { quoteName } from '../engine/engine.ts';
import type { Catalogue, Category, Field, Relation } from '../model.ts';
import type { Role } from './roles.ts';
import type { Column, Subject } from './subject.ts';

/** Ranks and medians are computed from about so many records. */
const SAMPLE = 20_000;

interface SourceOptions {
  /** Not all records, if there are many. */
  readonly isSampled?: boolean;
  /** With a column `record`: the key of the record, or its number in the file. */
  readonly hasRecord?: boolean;
}

/** SQL for the records with these columns, as `c0`, `c1` … */
export function source(
  { catalogue, category }: Subject,
  columns: readonly Column[],
  { isSampled = false, hasRecord = false }: SourceOptions = {},
): string {
  const base = new Aliases('b');
  const joins = new Map<Relation, Aliases>();
  const values = columns.map(({ field, via, role }, at) => {
    const joined = via ? (joins.get(via) ?? new Aliases(`j${joins.size}`)) : base;
    if (via) joins.set(via, joined);
    return `${valueOfType(joined.read(field.name), role, field)} AS c${at}`;
  });
  if (hasRecord) values.push(`${recordOf(category, base)} AS record`);
  const joined = [...joins].map(([relation, aliases]) =>
    joinOf(catalogue, relation, aliases, base.read(relation.field)),
  );
  const isPart = isSampled && category.rows > SAMPLE;
  const isNumbered = isPart || (hasRecord && category.key.length === 0);
  const picked = [...base.picked(), ...(isNumbered ? ['row_number() OVER () AS rn'] : [])];
  const from = `(SELECT ${picked.join(', ')} FROM ${quoteName(category.table)}) b`;
  const share = Math.round((SAMPLE / category.rows) * 1_000_000);
  const where = isPart ? ` WHERE hash(b.rn, 42) % 1000000 < ${share}` : '';
  return `SELECT ${values.join(', ')} FROM ${from} ${joined.join(' ')}${where}`;
}

/** Fields of a table under names that no field can have by accident. */
class Aliases {
  readonly table: string;
  readonly #names = new Map<string, string>();

  constructor(table: string) {
    this.table = table;
  }

  read(field: string): string {
    const name = this.#names.get(field) ?? `f${this.#names.size}`;
    this.#names.set(field, name);
    return `${this.table}.${name}`;
  }

  picked(pick: (name: string) => string = (name) => name): string[] {
    return [...this.#names].map(([field, name]) => `${pick(quoteName(field))} AS ${name}`);
  }
}

function valueOfType(sql: string, role: Role, { sqlType }: Field): string {
  if (role === 'measure') {
    const number = `${sql}::DOUBLE`;
    return sqlType === 'DOUBLE' ? `CASE WHEN isfinite(${number}) THEN ${number} END` : number;
  }
  return role === 'date' || role === 'other' ? sql : `${sql}::VARCHAR`;
}

function recordOf({ key }: Category, base: Aliases): string {
  if (key.length === 0) return 'b.rn';
  if (key.length === 1) return base.read(key[0] ?? '');
  return `concat_ws('/', ${key.map((name) => base.read(name)).join(', ')})`;
}

function joinOf(
  catalogue: Catalogue,
  { to, toField, from, field }: Relation,
  aliases: Aliases,
  key: string,
): string {
  const find = (id: string) => catalogue.categories.find((one) => one.id === id);
  const typeIn = (id: string, of: string) =>
    find(id)?.fields.find((one) => one.name === of)?.sqlType;
  const cast = typeIn(to, toField) === typeIn(from, field) ? '' : '::VARCHAR';
  const picked = aliases.picked((name) => `any_value(${name})`).join(', ');
  const table = quoteName(find(to)?.table ?? to);
  return `LEFT JOIN (SELECT ${quoteName(toField)}${cast} AS k, ${picked} FROM ${table} GROUP BY 1) ${aliases.table} ON ${aliases.table}.k = ${key}${cast}`;
}

/** What `how` adds when not all records were looked at. */
export function sampleNote({ category }: Subject, looked: number): string {
  return category.rows > SAMPLE ? `; ${looked} records sampled with a fixed seed` : '';
}
