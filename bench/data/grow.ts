import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';

export const FORMATS = ['csv', 'ndjson'] as const;
export type Format = (typeof FORMATS)[number];

const SEED = 20_240_501;
const ROWS_AT_ONCE = 10_000;
const STATUSES = ['open', 'paid', 'shipped', 'returned', 'cancelled'];
const CHANNELS = ['web', 'shop', 'phone', 'partner'];
const PRODUCTS = ['kettle', 'lamp', 'desk', 'chair', 'shelf', 'rug', 'clock', 'vase', 'stool'];
const CITIES = ['Lisbon', 'Ghent', 'Turin', 'Malmö', 'Gdańsk', 'Graz', 'Cork', 'Lyon', 'Brno'];
const SEGMENTS = ['business', 'private', 'public'];
const MINUTES = 3 * 365 * 24 * 60;

type Values = Readonly<Record<string, string | number | boolean>>;

/** The same numbers in every run. */
class Dice {
  #state = SEED;

  /** Less than `sides`. */
  roll(sides: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  }

  oneOf(words: readonly string[]): string {
    return words[this.roll(words.length)] ?? '';
  }
}

export interface Sizes {
  readonly sales: number;
  readonly customers: number;
}

/** Sales as `sales.csv` and as `sales.ndjson`, and who bought, in a folder for each of both. */
export function growSales(
  folders: Readonly<Record<Format, string>>,
  { sales, customers }: Sizes,
): void {
  const dice = new Dice();
  const buyers = Array.from({ length: customers }, (_, at) => customerOf(dice, at + 1));
  const files = FORMATS.map((format) => {
    mkdirSync(folders[format], { recursive: true });
    writeFileSync(path.join(folders[format], 'customers.csv'), csvOf(buyers));
    return { format, opened: openSync(path.join(folders[format], `sales.${format}`), 'w') };
  });
  for (let done = 0; done < sales; done += ROWS_AT_ONCE) {
    const count = Math.min(ROWS_AT_ONCE, sales - done);
    const rows = Array.from({ length: count }, (_, at) => saleOf(dice, done + at + 1, customers));
    for (const { format, opened } of files) {
      writeSync(opened, format === 'csv' ? csvOf(rows, done === 0) : ndjsonOf(rows));
    }
  }
  for (const { opened } of files) closeSync(opened);
}

function customerOf(dice: Dice, id: number): Values {
  return {
    id,
    name: `Customer ${id}`,
    city: dice.oneOf(CITIES),
    segment: dice.oneOf(SEGMENTS),
    since: dayOf(dice.roll(4000)),
  };
}

function saleOf(dice: Dice, id: number, customers: number): Values {
  const minutes = dice.roll(MINUTES);
  const time = new Date(Date.UTC(2022, 0, 1) + minutes * 60_000).toISOString();
  return {
    id,
    customer_id: dice.roll(customers) + 1,
    product: dice.oneOf(PRODUCTS),
    channel: dice.oneOf(CHANNELS),
    status: dice.oneOf(STATUSES),
    quantity: dice.roll(20) + 1,
    amount: (dice.roll(100_000) + 100) / 100,
    ordered_at: time.slice(0, 19),
    // A number would lose the zeros at its beginning.
    code: String(dice.roll(3000)).padStart(6, '0'),
    is_gift: dice.roll(8) === 0,
  };
}

const THINGS = ['account', 'invoice', 'ticket', 'device', 'order', 'visit', 'task', 'report'];
const AREAS = ['billing', 'sales', 'support', 'fleet', 'lab', 'clinic', 'school', 'museum'];
const AREAS_MORE = [
  'harbor',
  'garden',
  'kitchen',
  'studio',
  'library',
  'market',
  'station',
  'farm',
];
const AREAS_LAST = ['archive', 'factory', 'theatre', 'airport', 'hotel', 'bakery', 'court', 'bank'];
const TABLE_ROWS = 50;

/** Many small tables; each but the first leads to one before it. */
export function growTables(folder: string, count: number): void {
  const dice = new Dice();
  mkdirSync(folder, { recursive: true });
  const areas = [...AREAS, ...AREAS_MORE, ...AREAS_LAST, 'mill'];
  const names = areas.flatMap((area) => THINGS.map((thing) => `${area}_${thing}`)).slice(0, count);
  if (names.length < count) throw new Error(`there are names for ${names.length} tables only`);
  for (const [at, name] of names.entries()) {
    const parent = names[dice.roll(at)];
    const rows = Array.from({ length: TABLE_ROWS }, (_, row) => ({
      id: idOf(name, row),
      name: `${name.replace('_', ' ')} ${row + 1}`,
      ...(at > 0 && parent && { [`${parent}_id`]: idOf(parent, dice.roll(TABLE_ROWS)) }),
      status: dice.oneOf(STATUSES),
      amount: dice.roll(100_000) / 100,
      opened_on: dayOf(dice.roll(1000)),
    }));
    writeFileSync(path.join(folder, `${name}s.csv`), csvOf(rows));
  }
}

function idOf(table: string, row: number): string {
  return `${table.slice(0, 3).toUpperCase()}-${table.length}${String(row).padStart(4, '0')}`;
}

function dayOf(day: number): string {
  return new Date(Date.UTC(2015, 0, 1 + day)).toISOString().slice(0, 10);
}

function csvOf(rows: readonly Values[], hasHeader = true): string {
  const header = hasHeader ? `${Object.keys(rows[0] ?? {}).join(',')}\n` : '';
  return `${header}${rows.map((row) => `${Object.values(row).join(',')}\n`).join('')}`;
}

function ndjsonOf(rows: readonly Values[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join('');
}
