import type { Cell } from '../../model.ts';
import { count, type Found, quoted, rounded } from '../finding.ts';
import { isCodeName } from '../roles.ts';
import { source } from '../source.ts';
import type { Column, Subject } from '../subject.ts';

const MOST_FIELDS = 12;
/** Texts of fields with more different ones are not compared. */
const MOST_DISTINCT = 50_000;
const MOST_EXAMPLES = 3;
const LEAST_NUMBERS = 0.9;
const LEAST_VALUES = 10;

const AROUND = `'^[\\s\\x{00A0}]|[\\s\\x{00A0}]$'`;
const PLAIN_NUMBER = `'[+-]?\\d+(\\.\\d+)?'`;
const NUMBER = `'[+-]?(\\d{1,3}([., '']\\d{3})+|\\d+)([.,]\\d+)?\\s?[€$£%]?'`;

/** Texts that are written in several ways, and texts that are numbers. */
export async function uncleanTexts(subject: Subject): Promise<readonly Found[]> {
  const columns = subject.own
    .filter(
      (column) =>
        column.field.type === 'text' &&
        column.field.distinct > 1 &&
        column.field.distinct <= MOST_DISTINCT &&
        subject.isWanted(column),
    )
    .slice(0, MOST_FIELDS);
  const found = await Promise.all(
    columns.map(async (column) => [
      ...(await spellings(subject, column)),
      ...(await numbersAsText(subject, column)),
    ]),
  );
  return found.flat();
}

function valuesOf(subject: Subject, column: Column): string {
  return `SELECT c0 AS v, count(*) AS n FROM (${source(subject, [column])}) WHERE c0 IS NOT NULL GROUP BY 1`;
}

interface Spelling {
  readonly v: string;
  readonly n: number;
}

async function spellings(subject: Subject, column: Column): Promise<Found[]> {
  const same = `lower(trim(regexp_replace(v, '[\\s\\x{00A0}]+', ' ', 'g')))`;
  const [found] = await subject.ask(
    `WITH v AS (${valuesOf(subject, column)}),
       g AS (SELECT list({'v': v, 'n': n} ORDER BY n DESC, v) AS spellings, sum(n) AS n,
           sum(n) - max(n) AS fewer FROM v GROUP BY ${same} HAVING count(*) > 1)
     SELECT (SELECT sum(n) FROM v WHERE regexp_matches(v, ${AROUND})), count(*), sum(fewer),
       list(spellings ORDER BY n DESC, spellings)[:${MOST_EXAMPLES}] FROM g`,
  );
  const blanks = Number(found?.[0] ?? 0);
  const values = Number(found?.[1] ?? 0);
  if (blanks === 0 && values === 0) return [];
  const examples = ((found?.[3] ?? []) as unknown as readonly (readonly Spelling[])[]).map((one) =>
    one.slice(0, MOST_EXAMPLES),
  );
  return [
    {
      finding: {
        kind: 'quality',
        fields: [column.name],
        what: spellingsSentence(column.name, values, blanks, examples[0] ?? []),
        numbers: {
          valuesWithSpellings: values,
          recordsToCorrect: Number(found?.[2] ?? 0),
          recordsWithBlanks: blanks,
          examples: examples.map((one) => one.map(({ v, n }): Cell => ({ value: v, records: n }))),
        },
        how: 'compared without case and blanks',
      },
      strength: values > 0 ? 0.75 : 0.6,
    },
  ];
}

function spellingsSentence(
  name: string,
  values: number,
  blanks: number,
  example: readonly Spelling[],
): string {
  const around = `${count(blanks, 'record')} ${blanks === 1 ? 'has' : 'have'} blanks around it`;
  if (values === 0) return `Of ${name}, ${around}.`;
  const ways = example.map(({ v, n }) => `${quoted(v)} (${n})`).join(', ');
  const several = `${count(values, 'value')} ${values === 1 ? 'is' : 'are'} written in several ways, such as ${ways}`;
  return `Of ${name}, ${several}${blanks > 0 ? `; ${around}` : ''}.`;
}

async function numbersAsText(subject: Subject, column: Column): Promise<Found[]> {
  const { name, role } = column;
  if (role === 'id' || role === 'reference' || isCodeName(name)) return [];
  const [found] = await subject.ask(
    `WITH v AS (${valuesOf(subject, column)})
     SELECT sum(n), sum(n) FILTER (WHERE regexp_full_match(v, ${NUMBER})),
       sum(n) FILTER (WHERE regexp_full_match(v, ${PLAIN_NUMBER})),
       count(*) FILTER (WHERE regexp_matches(v, '^[+-]?0\\d')),
       list(v ORDER BY n DESC, v) FILTER (WHERE NOT regexp_full_match(v, ${NUMBER}))[:${MOST_EXAMPLES}]
     FROM v`,
  );
  const [all = 0, numbers = 0, plain = 0, padded = 0] = (found ?? []).slice(0, 4).map(Number);
  if (all < LEAST_VALUES || numbers < all * LEAST_NUMBERS || plain === all || padded > 0) return [];
  const others = (found?.[4] ?? []) as readonly Cell[];
  return [
    {
      finding: {
        kind: 'quality',
        fields: [name],
        what:
          others.length > 0
            ? `${name} is text, but ${numbers} of its ${all} values are numbers; others are ${others.map(quoted).join(', ')}.`
            : `${name} is text, but all of its ${all} values are numbers with separators or units.`,
        numbers: { values: all, numbers, share: rounded(numbers / all), others },
        how: 'values that read as numbers',
      },
      strength: 0.65,
    },
  ];
}
