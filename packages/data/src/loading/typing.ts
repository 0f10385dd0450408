import { type Engine, quoteName } from '../engine/engine.ts';
import type { FieldType } from '../model.ts';
import { fold, wordsOf } from '../names.ts';
import { jsonColumn, kindsOf } from './json-kinds.ts';
import { nativeColumn } from './native-types.ts';
import {
  AMBIGUOUS,
  COMPACT_DATE,
  DATE_READINGS,
  NOTHING,
  type Reading,
  TEXT_READINGS,
} from './readings.ts';
import type { RawColumn, Staged } from './staged.ts';

/** A column with its type, and how its values are made from what was read. */
export interface TypedColumn {
  readonly name: string;
  readonly type: FieldType;
  /** SQL over the staged columns. */
  readonly value: string;
  readonly notes: readonly string[];
}

/** A column of texts that may be numbers, dates or just texts. */
export interface TextColumn {
  readonly name: string;
  /** SQL: the text. */
  readonly text: string;
  readonly readings: readonly Reading[];
  /** What it is if no reading fits. */
  readonly otherwise: { readonly type: FieldType; readonly value: string };
  readonly declared: FieldType | undefined;
}

const SAMPLE_ROWS = 500;
/** Of a value that may be something else than a text. */
const LONGEST_VALUE = 60;
/** Columns whose values are looked at in one statement. */
const AT_ONCE = 20;
/** A column with so many numbers among its texts is told about. */
const MOSTLY = 0.5;
const DATE_WORDS = new Set(['date', 'day', 'on', 'at', 'datum', 'dt', 'birthday', 'dob']);

/** Gives every column a type, by looking at all of its values. */
export async function chooseTypes(
  engine: Engine,
  staged: Staged,
  declared: ReadonlyMap<string, FieldType>,
): Promise<TypedColumn[]> {
  const kinds = await kindsOf(engine, staged);
  const columns = staged.columns.map((column) => {
    if (column.kind === 'typed') return nativeColumn(column);
    const wanted = declared.get(fold(column.name));
    return column.kind === 'json'
      ? jsonColumn(column, kinds.get(column.name), wanted)
      : textColumn(column, wanted);
  });
  const texts = columns.filter((column): column is TextColumn => 'readings' in column);
  const typed = new Map<string, TypedColumn>();
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    const some = texts.slice(at, at + AT_ONCE);
    for (const column of await typeTexts(engine, staged.from, some)) typed.set(column.name, column);
  }
  return columns.map((column) =>
    'readings' in column ? (typed.get(column.name) as TypedColumn) : column,
  );
}

function textColumn({ name }: RawColumn, declared: FieldType | undefined): TextColumn {
  const isDate = wordsOf(name).some((word) => DATE_WORDS.has(word));
  const all = [...(isDate ? [COMPACT_DATE] : []), ...TEXT_READINGS, ...DATE_READINGS];
  return {
    name,
    text: quoteName(name),
    readings: declared ? all.filter(({ type }) => type === declared) : all,
    otherwise: { type: 'text', value: quoteName(name) },
    declared,
  };
}

interface Counted {
  readonly given: number;
  readonly nothing: number;
  readonly fitting: ReadonlyMap<Reading, number>;
  readonly evident: ReadonlySet<Reading>;
}

/** A column whose type is looked for. */
interface Sought {
  readonly column: TextColumn;
  /** What has not been counted yet. */
  left: readonly Reading[];
  counts: Counted;
  reading?: Reading | undefined;
}

const UNCOUNTED: Counted = { given: 0, nothing: 0, fitting: new Map(), evident: new Set() };

async function typeTexts(
  engine: Engine,
  from: string,
  columns: readonly TextColumn[],
): Promise<TypedColumn[]> {
  const sought = (await likely(engine, from, columns)).map(
    (column): Sought => ({ column, left: column.readings, counts: UNCOUNTED }),
  );
  // What fits is mostly what comes first: the others are counted only where it does not.
  for (;;) {
    const open = sought.filter(({ left, reading }) => !reading && left.length > 0);
    if (open.length === 0) break;
    await countNext(engine, from, open);
  }
  const scales = await scalesOf(engine, from, sought);
  return sought.map(({ column, counts, reading }) =>
    typedText(column, counts, reading, scales.get(column.name)),
  );
}

/** Without the readings that do not look like the first values: they cannot fit all of them. */
async function likely(
  engine: Engine,
  from: string,
  columns: readonly TextColumn[],
): Promise<TextColumn[]> {
  const texts = columns.map(({ text }) => `left(trim(${text}), ${LONGEST_VALUE})`);
  const { rows } = await engine.run(`SELECT ${texts.join(', ')} FROM ${from} LIMIT ${SAMPLE_ROWS}`);
  return columns.map((column, at) => {
    if (column.declared) return column;
    const values = rows
      .map((row) => row[at])
      .filter((value) => typeof value === 'string' && value !== '') as string[];
    const given = values.filter((value) => !NOTHING.includes(value.toLowerCase()));
    const isLikely = ({ shape }: Reading) =>
      given.filter((value) => shape.test(value)).length >= given.length * MOSTLY;
    return { ...column, readings: column.readings.filter(isLikely) };
  });
}

async function countNext(engine: Engine, from: string, sought: readonly Sought[]): Promise<void> {
  const next = sought.map(({ column, left }) => {
    // Whoever has declared a type gets what reads most of it; pairs are told apart by both.
    const [first] = left;
    const pair = AMBIGUOUS.find((ids) => ids.includes(first?.id ?? ''));
    const isNow = (one: Reading) => one === first || pair?.includes(one.id) === true;
    return { ...column, readings: column.declared ? left : left.filter(isNow) };
  });
  const counted = await count(engine, from, next);
  for (const [at, one] of sought.entries()) {
    const { given, nothing, fitting, evident } = counted[at] as Counted;
    one.counts = {
      given,
      nothing,
      fitting: new Map([...one.counts.fitting, ...fitting]),
      evident: new Set([...one.counts.evident, ...evident]),
    };
    one.left = one.left.filter((reading) => !fitting.has(reading));
    one.reading = choose(one.column, one.counts);
    // All are nothing: there is no more to learn.
    if (given === nothing) one.left = [];
  }
}

function withText(sql: string, text: string): string {
  return sql.replace(/\bx\b/g, () => `trim(${text})`);
}

function isNothing(text: string): string {
  const words = NOTHING.map((word) => `'${word}'`).join(', ');
  return withText(`lower(x) IN (${words})`, text);
}

async function count(
  engine: Engine,
  from: string,
  columns: readonly TextColumn[],
): Promise<Counted[]> {
  const wanted = columns.flatMap(({ text, readings }) => [
    `count(${text}) FILTER (trim(${text}) <> '')`,
    `count(*) FILTER (${isNothing(text)})`,
    ...readings.map(({ fits }) => `count(*) FILTER (${withText(fits, text)})`),
    ...readings.map(({ evidence }) =>
      evidence ? `coalesce(bool_or(${withText(evidence, text)}), false)` : 'true',
    ),
  ]);
  const { rows } = await engine.run(`SELECT ${wanted.join(', ')} FROM ${from}`);
  const values = rows[0] ?? [];
  let at = 0;
  return columns.map(({ readings }) => {
    const [given, nothing] = [Number(values[at]), Number(values[at + 1])];
    at += 2;
    const fitting = new Map(
      readings.map((reading, place) => [reading, Number(values[at + place])]),
    );
    at += readings.length;
    const evident = new Set(readings.filter((_, place) => values[at + place] === true));
    at += readings.length;
    return { given, nothing, fitting, evident };
  });
}

function choose(column: TextColumn, counts: Counted): Reading | undefined {
  const { given, nothing, fitting, evident } = counts;
  const usable = column.readings.filter((reading) => fitting.has(reading) && evident.has(reading));
  if (given - nothing === 0) return undefined;
  const fitsAll = (reading: Reading) => fitting.get(reading) === given - nothing;
  const whole = usable.filter(fitsAll);
  const [first] = whole.filter((reading) => !isAmbiguous(reading, whole));
  if (first || !column.declared) return first;
  // Somebody has said what it is: what reads most of it is taken.
  return [...usable].sort((a, b) => (fitting.get(b) ?? 0) - (fitting.get(a) ?? 0))[0];
}

function isAmbiguous({ id }: Reading, possible: readonly Reading[]): boolean {
  const ids = new Set(possible.map((reading) => reading.id));
  return AMBIGUOUS.some((pair) => pair.includes(id) && pair.every((one) => ids.has(one)));
}

/** Numbers are kept exactly if they fit into 18 digits. */
async function scalesOf(
  engine: Engine,
  from: string,
  chosen: readonly Sought[],
): Promise<ReadonlyMap<string, string>> {
  const decimals = chosen.filter(({ reading }) => isDecimal(reading));
  if (decimals.length === 0) return new Map();
  const wanted = decimals.flatMap(({ column: { text }, reading }) => {
    const value = withText(reading?.value ?? '', text);
    const fits = withText(reading?.fits ?? '', text);
    return [
      `max(length(split_part(ltrim(${value}, '-'), '.', 1))) FILTER (${fits})`,
      `max(length(split_part(${value}, '.', 2))) FILTER (${fits})`,
    ];
  });
  const { rows } = await engine.run(`SELECT ${wanted.join(', ')} FROM ${from}`);
  return new Map(
    decimals.map(({ column }, at) => {
      const [digits, scale] = [Number(rows[0]?.[at * 2]), Number(rows[0]?.[at * 2 + 1])];
      return [column.name, digits + scale <= 18 ? `DECIMAL(18, ${scale})` : 'DOUBLE'];
    }),
  );
}

function isDecimal(reading: Reading | undefined): boolean {
  return ['decimal', 'decimal-comma', 'grouped'].includes(reading?.id ?? '');
}

function typedText(
  column: TextColumn,
  counts: Counted,
  reading: Reading | undefined,
  scale: string | undefined,
): TypedColumn {
  const { name, text, otherwise, declared } = column;
  if (!reading) return { name, ...otherwise, notes: notesOnText(column, counts) };
  const read = withText(reading.value, text);
  const value = scale ? `CAST(${read} AS ${scale})` : read;
  const lost = counts.given - counts.nothing - (counts.fitting.get(reading) ?? 0);
  return {
    name,
    type: declared ?? reading.type,
    value: `CASE WHEN ${withText(reading.fits, text)} THEN ${value} END`,
    notes: [
      ...(reading.note ? [`written with ${reading.note}`] : []),
      ...(counts.nothing > 0 ? [`${counts.nothing} × NULL, n/a or the like read as missing`] : []),
      ...(lost > 0 ? [`${lost} values are no ${reading.type} and read as missing`] : []),
    ],
  };
}

function notesOnText({ readings }: TextColumn, counts: Counted): string[] {
  const { given, nothing, fitting, evident } = counts;
  const all = given - nothing;
  if (all === 0) return [];
  const whole = readings.filter((one) => fitting.get(one) === all && evident.has(one));
  if (whole.some((one) => isAmbiguous(one, whole))) {
    return ['dates whose day and month cannot be told apart: kept as text'];
  }
  const mostly = readings.find(
    (one) => (fitting.get(one) ?? 0) >= all * MOSTLY && evident.has(one),
  );
  const fits = mostly && (fitting.get(mostly) ?? 0);
  return mostly && fits && fits < all
    ? [
        `${fits} of ${given} values are ${mostly.type === 'integer' ? 'integers' : `${mostly.type}s`}, the others are not: kept as text`,
      ]
    : [];
}
