import type { FieldType } from '../model.ts';

/** A way to read texts as values of a type. `x` stands for the text, without blanks around it. */
export interface Reading {
  readonly id: string;
  readonly type: FieldType;
  /** SQL: whether a text can be read so. */
  readonly fits: string;
  /** SQL: what must be true of at least one text, so that nothing else is meant. */
  readonly evidence?: string;
  /** SQL: the value. */
  readonly value: string;
  /** How the texts are written, for people, unless it is the usual way. */
  readonly note?: string;
}

const like = (pattern: string) => `regexp_full_match(x, '${pattern}')`;
const parsed = (formats: readonly string[]) =>
  `try_strptime(x, [${formats.map((format) => `'${format}'`).join(', ')}])`;

const DATES = [
  '%Y-%m-%d',
  '%d.%m.%Y',
  '%Y/%m/%d',
  '%Y.%m.%d',
  '%d %b %Y',
  '%d %B %Y',
  '%d-%b-%Y',
  '%b %d, %Y',
  '%B %d, %Y',
];
const DATE_SHAPE = like(
  '[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}[/.][0-9]{1,2}[/.][0-9]{1,2}|[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}|[0-9]{1,2}[ -][A-Za-z]{3,9}[ -][0-9]{4}|[A-Za-z]{3,9} [0-9]{1,2}, [0-9]{4}',
);
const SLASHED = like('[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4}');
const DAY_FIRST = ['%d/%m/%Y', '%d-%m-%Y'];
const MONTH_FIRST = ['%m/%d/%Y', '%m-%d-%Y'];
const withTime = (formats: readonly string[]) =>
  formats.flatMap((format) => [`${format} %H:%M`, `${format} %H:%M:%S`]);
const SLASHED_TIME = like('[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?');
const DOTTED_TIME = like('[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4} [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?');
const ISO_TIME = like(
  '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?)?',
);

const toDate = (formats: readonly string[]) => `CAST(${parsed(formats)} AS DATE)`;
const dates = (id: string, shape: string, formats: readonly string[]): Reading => ({
  id,
  type: 'date',
  fits: `${shape} AND ${parsed(formats)} IS NOT NULL`,
  value: toDate(formats),
});
const times = (id: string, shape: string, formats: readonly string[]): Reading => ({
  id,
  type: 'timestamp',
  fits: `${shape} AND ${parsed(formats)} IS NOT NULL`,
  value: parsed(formats),
});

// The engine wants seconds before an offset, and no blank.
const ZONED = `regexp_replace(regexp_replace(replace(x, ',', '.'), ' ?(Z|[+-][0-9:]+)$', '\\1'), '([T ][0-9]{2}:[0-9]{2})(Z|[+-][0-9:]+)$', '\\1:00\\2')`;
const ISO_VALUE = `CASE WHEN regexp_matches(x, ':[0-9.,]+ ?(Z|[+-][0-9:]+)$')
  THEN TRY_CAST(${ZONED} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'
  ELSE TRY_CAST(replace(x, ',', '.') AS TIMESTAMP) END`;

const INTEGER = '-?(0|[1-9][0-9]{0,17})';
// Zeros in front are part of a code, and so is a plus.
const DECIMAL = '-?((0|[1-9][0-9]{0,14})?[.][0-9]{1,6}|(0|[1-9][0-9]{0,14}))';
const FLOAT =
  '-?((0|[1-9][0-9]{0,14})?[.][0-9]+([eE][+-]?[0-9]{1,3})?|(0|[1-9][0-9]{0,14})([eE][+-][0-9]{1,3})?)';
const COMMA = '-?((0|[1-9][0-9]{0,2}([.][0-9]{3})+|[1-9][0-9]*)(,[0-9]{1,6})?)';
const GROUPED = '-?([1-9][0-9]{0,2}(,[0-9]{3})+|0|[1-9][0-9]{0,2})([.][0-9]{1,6})?';

/** Of texts of separated values. Of those that fit all values the first is taken. */
export const TEXT_READINGS: readonly Reading[] = [
  {
    id: 'boolean',
    type: 'boolean',
    fits: `lower(x) IN ('true', 'false')`,
    value: `lower(x) = 'true'`,
  },
  {
    id: 'yes-no',
    type: 'boolean',
    fits: `lower(x) IN ('yes', 'no')`,
    value: `lower(x) = 'yes'`,
    note: 'yes and no',
  },
  { id: 'integer', type: 'integer', fits: like(INTEGER), value: 'CAST(x AS BIGINT)' },
  { id: 'decimal', type: 'number', fits: like(DECIMAL), value: 'x' },
  { id: 'float', type: 'number', fits: like(FLOAT), value: 'CAST(x AS DOUBLE)' },
  {
    id: 'decimal-comma',
    type: 'number',
    fits: like(COMMA),
    evidence: `regexp_matches(x, ',([0-9]{1,2}|[0-9]{4,})$|[.].*,')`,
    value: `replace(replace(x, '.', ''), ',', '.')`,
    note: 'decimal commas',
  },
  {
    id: 'grouped',
    type: 'number',
    fits: like(GROUPED),
    evidence: `regexp_matches(x, ',.*[.,]')`,
    value: `replace(x, ',', '')`,
    note: 'commas between thousands',
  },
];

/** Of texts of separated values, and of texts in JSON: JSON has no dates of its own. */
export const DATE_READINGS: readonly Reading[] = [
  dates('date', DATE_SHAPE, DATES),
  dates('day-first', SLASHED, DAY_FIRST),
  dates('month-first', SLASHED, MONTH_FIRST),
  {
    id: 'iso-time',
    type: 'timestamp',
    fits: `${ISO_TIME} AND ${ISO_VALUE} IS NOT NULL`,
    value: ISO_VALUE,
  },
  times('dotted-time', DOTTED_TIME, withTime(['%d.%m.%Y'])),
  times('day-first-time', SLASHED_TIME, withTime(DAY_FIRST)),
  times('month-first-time', SLASHED_TIME, withTime(MONTH_FIRST)),
];

/** Pairs that are both possible tell nothing. */
export const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ['day-first', 'month-first'],
  ['day-first-time', 'month-first-time'],
];

/** Eight digits are a date only if the field's name says so. */
export const COMPACT_DATE: Reading = {
  id: 'compact-date',
  type: 'date',
  fits: `${like('(19|20)[0-9]{6}')} AND ${parsed(['%Y%m%d'])} IS NOT NULL`,
  value: toDate(['%Y%m%d']),
};

/** What stands for nothing among numbers and dates. In texts it stands for itself. */
export const NOTHING = ['null', 'n/a', 'na', '#n/a', 'none', 'nil', 'nan', '-', '--', '?'];
