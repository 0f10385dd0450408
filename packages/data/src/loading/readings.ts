import type { FieldType } from '../model.ts';

/** A way to read texts as values of a type. In SQL, `x` is the text without blanks around it. */
export interface Reading {
  readonly id: string;
  readonly type: FieldType;
  /** A pattern of what it looks like, for the engine and for JavaScript alike. */
  readonly shape: RegExp;
  /** SQL: whether a text can be read so. */
  readonly fits: string;
  /** SQL: what must be true of at least one text, so that nothing else is meant. */
  readonly evidence?: string;
  /** SQL: the value. */
  readonly value: string;
  /** How the texts are written, for people, unless it is the usual way. */
  readonly note?: string;
}

function reading(
  id: string,
  type: FieldType,
  pattern: string,
  value: string,
  more: { readonly check?: string } & Pick<Reading, 'evidence' | 'note'> = {},
): Reading {
  const { check, ...rest } = more;
  const like = `regexp_full_match(x, '${pattern}')`;
  // Without CASE the engine would parse every text, whatever it looks like.
  const fits = check ? `CASE WHEN ${like} THEN ${check} IS NOT NULL ELSE false END` : like;
  return { id, type, shape: new RegExp(`^(?:${pattern})$`), fits, value, ...rest };
}

const parsed = (formats: readonly string[]) =>
  `try_strptime(x, [${formats.map((format) => `'${format}'`).join(', ')}])`;
const date = (id: string, pattern: string, formats: readonly string[]) =>
  reading(id, 'date', pattern, `CAST(${parsed(formats)} AS DATE)`, { check: parsed(formats) });
const time = (id: string, pattern: string, formats: readonly string[]) => {
  const timed = formats.flatMap((format) => [`${format} %H:%M`, `${format} %H:%M:%S`]);
  return reading(id, 'timestamp', pattern, parsed(timed), { check: parsed(timed) });
};

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
const DATE = [
  '[0-9]{4}-[0-9]{2}-[0-9]{2}',
  '[0-9]{4}[/.][0-9]{1,2}[/.][0-9]{1,2}',
  '[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}',
  '[0-9]{1,2}[ -][A-Za-z]{3,9}[ -][0-9]{4}',
  '[A-Za-z]{3,9} [0-9]{1,2}, [0-9]{4}',
].join('|');
const CLOCK = ' [0-9]{1,2}:[0-9]{2}(:[0-9]{2})?';
const DOTTED = '[0-9]{1,2}[.][0-9]{1,2}[.][0-9]{4}';
const SLASHED = '[0-9]{1,2}[/-][0-9]{1,2}[/-][0-9]{4}';
const DAY_FIRST = ['%d/%m/%Y', '%d-%m-%Y'];
const MONTH_FIRST = ['%m/%d/%Y', '%m-%d-%Y'];
const ISO_TIME =
  '[0-9]{4}-[0-9]{2}-[0-9]{2}([T ][0-9]{2}:[0-9]{2}(:[0-9]{2}([.,][0-9]{1,9})?)?( ?(Z|[+-][0-9]{2}(:?[0-9]{2})?))?)?';
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
  reading('boolean', 'boolean', '[Tt][Rr][Uu][Ee]|[Ff][Aa][Ll][Ss][Ee]', `lower(x) = 'true'`),
  reading('yes-no', 'boolean', '[Yy][Ee][Ss]|[Nn][Oo]', `lower(x) = 'yes'`, {
    note: 'yes and no',
  }),
  reading('integer', 'integer', INTEGER, 'CAST(x AS BIGINT)'),
  reading('decimal', 'number', DECIMAL, 'x'),
  reading('float', 'number', FLOAT, 'CAST(x AS DOUBLE)'),
  reading('decimal-comma', 'number', COMMA, `replace(replace(x, '.', ''), ',', '.')`, {
    evidence: `regexp_matches(x, ',([0-9]{1,2}|[0-9]{4,})$|[.].*,')`,
    note: 'decimal commas',
  }),
  reading('grouped', 'number', GROUPED, `replace(x, ',', '')`, {
    evidence: `regexp_matches(x, ',.*[.,]')`,
    note: 'commas between thousands',
  }),
];

/** Of texts of separated values, and of texts in JSON: JSON has no dates of its own. */
export const DATE_READINGS: readonly Reading[] = [
  date('date', DATE, DATES),
  date('day-first', SLASHED, DAY_FIRST),
  date('month-first', SLASHED, MONTH_FIRST),
  reading('iso-time', 'timestamp', ISO_TIME, ISO_VALUE, { check: ISO_VALUE }),
  time('dotted-time', `${DOTTED}${CLOCK}`, ['%d.%m.%Y']),
  time('day-first-time', `${SLASHED}${CLOCK}`, DAY_FIRST),
  time('month-first-time', `${SLASHED}${CLOCK}`, MONTH_FIRST),
];

/** Pairs that are both possible tell nothing. */
export const AMBIGUOUS: readonly (readonly [string, string])[] = [
  ['day-first', 'month-first'],
  ['day-first-time', 'month-first-time'],
];

/** Eight digits are a date only if the field's name says so. */
export const COMPACT_DATE = date('compact-date', '(19|20)[0-9]{6}', ['%Y%m%d']);

/** What stands for nothing among numbers and dates. In texts it stands for itself. */
export const NOTHING = ['null', 'n/a', 'na', '#n/a', 'none', 'nil', 'nan', '-', '--', '?'];
