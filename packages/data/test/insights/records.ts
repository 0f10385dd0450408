import { createRandom, type Random } from '@baton/testkit';
import { quoteName, quoteText } from '../engine-under-test.ts';

type Value = string | number | boolean | null;
export type TestRecord = { readonly [field: string]: Value };

/** A SELECT that makes these records, with columns of these types. */
export function recordsSql(
  types: { readonly [field: string]: string },
  records: readonly TestRecord[],
): string {
  const names = Object.keys(types);
  const columns = names.map((name, at) => `v${at}::${types[name]} AS ${quoteName(name)}`);
  const rows = records.map((record) => `(${names.map((name) => literal(record[name])).join(',')})`);
  const empty = `(${names.map(() => 'NULL').join(',')})`;
  return `SELECT ${columns.join(', ')} FROM (VALUES ${rows.join(',') || empty}) v(${names.map((_, at) => `v${at}`)})
    ${records.length === 0 ? 'WHERE false' : ''}`;
}

function literal(value: Value | undefined): string {
  if (value === null || value === undefined) return 'NULL';
  return quoteText(String(value));
}

/** Random numbers of several kinds, the same for the same seed. */
export function createNumbers(seed: number) {
  const random: Random = createRandom(seed);
  const uniform = () => (random.integer(2 ** 30) + 0.5) / 2 ** 30;
  const normal = () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
  return { ...random, uniform, normal };
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}

/** The day so many days after the first of January 2023. */
export function day(number: number): string {
  return new Date(Date.UTC(2023, 0, 1 + number)).toISOString().slice(0, 10);
}
