import type { Cell, FieldType } from '../search-under-test.ts';

/**
 * Filters as filter.ts describes them, record by record. Written from that description, not from
 * the statements that the real search makes.
 */
export interface NaiveTable {
  readonly fields: { readonly [name: string]: FieldType | 'texts' | 'numbers' };
  readonly relations: { readonly [name: string]: NaiveRelation };
  /** Fields that mean a record of this table. */
  readonly names: readonly string[];
}

interface NaiveRelation {
  readonly to: NaiveTable;
  /** Records of `to` that a record leads to. */
  readonly find: (record: NaiveRecord) => readonly NaiveRecord[];
  /** Whether this is a field's own name, which means its value and not the records there. */
  readonly isField?: true;
}

export type NaiveRecord = { readonly [field: string]: Cell };

interface Value {
  readonly type: FieldType;
  readonly value: Cell;
}

/** What a name leads to. */
interface Reached {
  readonly values: readonly Value[];
  readonly isThere: boolean;
  /** What an inner filter is about. */
  readonly inner: readonly ((filter: object) => boolean)[];
}

export function holds(table: NaiveTable, record: NaiveRecord, filter: object): boolean {
  return all(filter, (name) => reach(table, record, name.split('.')));
}

function all(filter: object, reached: (name: string) => Reached): boolean {
  return Object.entries(filter).every(([name, value]) => {
    if (name === '$and') return (value as object[]).every((one) => all(one, reached));
    if (name === '$or') return (value as object[]).some((one) => all(one, reached));
    if (name === '$not') return !all(value, reached);
    return holdsFor(reached(name), value);
  });
}

const OPERATOR = /^\$(?:eq|ne|gte?|lte?|n?in|contains|regex|exists|not)$/;

function holdsFor(reached: Reached, asked: unknown): boolean {
  if (Array.isArray(asked)) return operator(reached, '$in', asked);
  if (typeof asked !== 'object' || asked === null) return operator(reached, '$eq', asked);
  const entries = Object.entries(asked);
  if (entries.length > 0 && entries.every(([key]) => OPERATOR.test(key))) {
    return entries.every(([key, value]) => operator(reached, key, value));
  }
  return reached.inner.some((fulfils) => fulfils(asked));
}

function operator(reached: Reached, name: string, operand: unknown): boolean {
  switch (name) {
    case '$not':
      return !holdsFor(reached, operand);
    case '$ne':
      return !operator(reached, '$eq', operand);
    case '$nin':
      return !operator(reached, '$in', operand);
    case '$in':
      return (operand as unknown[]).some((one) => operator(reached, '$eq', one));
    case '$exists':
      return reached.isThere === operand;
    default:
      if (operand === null) return !reached.isThere;
      return reached.values.some((value) => passes(value, name, operand as Operand));
  }
}

function reach(table: NaiveTable, record: NaiveRecord, path: readonly string[]): Reached {
  const [name = '', ...rest] = path;
  const relation = table.relations[name];
  const type = table.fields[name];
  if (rest.length > 0 && type !== 'json' && relation) {
    const ends = relation.find(record).map((one) => reach(relation.to, one, rest));
    return {
      values: ends.flatMap(({ values }) => values),
      isThere: ends.some(({ isThere }) => isThere),
      inner: ends.flatMap(({ inner }) => inner),
    };
  }
  const value = record[name] ?? null;
  if (type === 'json') return reachJson(value, rest);
  const targets = relation?.find(record) ?? [];
  const named = relation ? targets.flatMap((one) => namesOf(relation, one)) : [];
  const own = type === undefined ? [] : valuesOf(type, value);
  return {
    values: [...own, ...named],
    isThere: type === undefined ? targets.length > 0 : value !== null,
    inner: targets.map(
      (one) => (filter) => relation !== undefined && holds(relation.to, one, filter),
    ),
  };
}

function namesOf({ to, isField }: NaiveRelation, record: NaiveRecord): Value[] {
  if (isField) return [];
  return to.names.flatMap((name) => valuesOf(to.fields[name] ?? 'text', record[name] ?? null));
}

function valuesOf(type: FieldType | 'texts' | 'numbers', value: Cell): Value[] {
  if (type !== 'texts' && type !== 'numbers') return value === null ? [] : [{ type, value }];
  const items = (value ?? []) as readonly Cell[];
  const of = type === 'texts' ? 'text' : 'integer';
  return items.filter((item) => item !== null).map((item) => ({ type: of, value: item }));
}

function reachJson(root: Cell, keys: readonly string[]): Reached {
  const at = (path: readonly string[]) =>
    path.reduce((things, key) => things.flatMap((thing) => items(under(thing, key))), items(root));
  const last = keys.at(-1);
  const things = at(keys);
  return {
    values: things.map((value) => ({ type: 'json', value })),
    isThere:
      last === undefined
        ? root !== null
        : at(keys.slice(0, -1)).some((thing) => under(thing, last) !== null),
    inner: things.map(
      (thing) => (filter) => all(filter, (name) => reachJson(thing, name.split('.'))),
    ),
  };
}

function items(thing: Cell): readonly Cell[] {
  const list = Array.isArray(thing) ? (thing as readonly Cell[]) : [thing];
  return list.filter((item) => item !== null);
}

function under(thing: Cell, key: string): Cell {
  if (typeof thing !== 'object' || thing === null || Array.isArray(thing)) return null;
  return Object.hasOwn(thing, key) ? ((thing as NaiveRecord)[key] ?? null) : null;
}

type Operand = string | number | boolean;

function passes({ type, value }: Value, name: string, operand: Operand): boolean {
  if (name === '$contains') {
    return textsOf(value, type).some((text) => foldText(text).includes(foldText(String(operand))));
  }
  if (name === '$regex') {
    const pattern = String(operand);
    const regex = new RegExp(pattern.replace('(?i)', ''), pattern.startsWith('(?i)') ? 'iu' : 'u');
    return typeof value !== 'object' && regex.test(textOf(value, type));
  }
  if (type === 'date' || type === 'timestamp') {
    return comparesTime(momentOf(String(value)), name, String(operand));
  }
  const order = compareAs(type, value, operand);
  return order !== undefined && isInOrder(name, order);
}

function isInOrder(name: string, order: number): boolean {
  switch (name) {
    case '$eq':
      return order === 0;
    case '$gt':
      return order > 0;
    case '$gte':
      return order >= 0;
    case '$lt':
      return order < 0;
    default:
      return order <= 0;
  }
}

/** Nothing if they cannot be compared. */
function compareAs(type: FieldType, value: Cell, operand: Operand): number | undefined {
  if (type === 'json' && typeof value !== typeof operand) return undefined;
  const kind = type === 'json' ? typeof value : type;
  if (kind === 'text' || kind === 'string') return compareText(String(value), String(operand));
  if (kind === 'boolean') {
    if (!['true', 'false'].includes(String(operand))) return undefined;
    return Number(value) - Number(String(operand) === 'true');
  }
  if (kind === 'object') return undefined;
  const isNumber = /^-?\d+(?:\.\d+)?$/.test(String(operand));
  return isNumber ? Number(value) - Number(operand) : undefined;
}

/** By code points; JavaScript compares by halves of them. */
export function compareText(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = (character.codePointAt(0) ?? 0) - (other.codePointAt(0) ?? 0);
    if (difference !== 0) return difference;
  }
  return left.length - right.length;
}

/** A day, month or year is the beginning of all moments within it. */
function comparesTime(moment: string, name: string, operand: string): boolean {
  const isWithin = !operand.includes('T') && moment.startsWith(operand);
  const edge = operand.includes('T') ? momentOf(operand) : operand;
  if (isWithin) return name === '$eq' || name === '$gte' || name === '$lte';
  return isInOrder(name, compareText(moment, edge));
}

function momentOf(text: string): string {
  const [day = '', time = ''] = text.split('T');
  return `${day}T${time}${'00:00:00.000000'.slice(time.length)}`;
}

function textsOf(value: Cell, type: FieldType): readonly string[] {
  if (value === null) return [];
  if (typeof value !== 'object') return [textOf(value, type)];
  return Object.values(value).flatMap((one: Cell) => textsOf(one, type));
}

function textOf(value: Cell, type: FieldType): string {
  const text = String(value);
  // Without zeros at the end of the fraction.
  return type === 'timestamp' ? text.replace(/(\.\d*?)0+$/, '$1') : text;
}

function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Whether each word is in some field of a record. */
export function hasWords(
  { fields }: NaiveTable,
  record: NaiveRecord,
  words: readonly string[],
): boolean {
  const texts = Object.entries(fields)
    .filter(([, type]) => type !== 'boolean' && type !== 'binary')
    .flatMap(([name, type]) =>
      textsOf(record[name] ?? null, type === 'texts' || type === 'numbers' ? 'text' : type),
    )
    .map(foldText);
  return words.every((word) => texts.some((text) => text.includes(foldText(word))));
}
