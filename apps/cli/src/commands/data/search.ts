import { BatonError, escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { csvLines } from '../../csv-lines.ts';
import { textsOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { UsageError } from '../../usage-error.ts';
import {
  type DataSession,
  formatOf,
  limitOf,
  type SearchAnswer,
  withData,
} from './data-session.ts';
import { gather, isCut } from './gather.ts';
import { fieldsOf, recordLines, recordPage, rowOf } from './record-lines.ts';
import { conditionsOf } from './search-request.ts';

const USUAL = 20;

export const search: Command = {
  name: 'data search',
  summary: 'find records by conditions, words or id, as agents do with data_search',
  usage:
    'baton data search [category] [words…] [--where <condition>…] [--filter <json>] [--id <id>] [--connections] [--field <name>…] [--sort <field>…] [--limit <n>] [--cursor <cursor>] [--json|--csv] [flags]',
  flags: {
    where: {
      type: 'string',
      value: 'condition',
      summary:
        "'salary>=50000', 'department=Engineering', 'title~developer' (contains), with != < <= > too; 'email?' (there is one), '!email' (there is none)",
      multiple: true,
    },
    filter: { type: 'string', value: 'json', summary: 'a filter as data_search takes it' },
    id: { type: 'string', value: 'id', summary: 'the record with this key or name' },
    connections: { type: 'boolean', summary: 'with --id: what it leads to, and what leads to it' },
    field: {
      type: 'string',
      value: 'name',
      summary: 'show this field, or one of a related record: department.city',
      multiple: true,
    },
    sort: {
      type: 'string',
      value: 'field',
      summary: "sort by it; 'salary desc' has the largest first",
      multiple: true,
    },
    limit: {
      type: 'string',
      value: 'n',
      summary: `at most so many records (default: ${USUAL}, with --csv all)`,
    },
    cursor: { type: 'string', value: 'cursor', summary: 'go on where an answer ended' },
    json: { type: 'boolean', summary: 'print the answer as JSON' },
    csv: { type: 'boolean', summary: 'print the records as CSV' },
  },
  examples: [
    "baton data search people --where department=Engineering --where 'salary>=50000'",
    "baton data search people developer --sort 'salary desc' --field name --field department.city",
    'baton data search remote work',
    'baton data search departments --id dept-eng --connections',
    'baton data search people --csv > people.csv',
  ],
  maxArguments: Number.POSITIVE_INFINITY,
  async run(io, parsed, extras) {
    const conditions = conditionsOf(parsed);
    const format = formatOf(parsed);
    const limit = limitOf(parsed);
    const words = parsed.positionals.join(' ').trim();
    if (words === '' && Object.keys(conditions).length === 0)
      throw new UsageError('What are you looking for?', 'Name a category, or some words.');
    const most = limit ?? (format === 'csv' ? Number.POSITIVE_INFINITY : USUAL);
    return withData(io, parsed, extras, async (session) => {
      const { unknown, ...place } = await placeOf(session, parsed.positionals);
      // What has more than words to look for is not found everywhere.
      if (unknown && Object.keys(conditions).length > 0 && !isNext(conditions)) throw unknown;
      const request = { ...place, ...conditions };
      const found = await gather(session, request, most);
      const answer = withHint(found, unknown);
      const known = await knownFields(session, place.category, parsed);
      if (format === 'json') await print(io.stdout, JSON.stringify(answer, null, 2));
      else if (format === 'csv') await printCsv(io, answer, known);
      else await printDrawn(io.stdout, `${linesOf(io, answer, known, parsed).join('\n')}\n`);
      return answer.records.length > 0 ? 0 : 1;
    });
  },
};

interface Place {
  readonly category?: string;
  readonly text?: string;
  /** Says that the first word is no category. */
  readonly unknown?: BatonError;
}

/** The first word is a category, or one of the words to look for everywhere. */
async function placeOf({ service }: DataSession, words: readonly string[]): Promise<Place> {
  const [first, ...others] = words;
  if (first === undefined) return {};
  const textOf = (some: readonly string[]) => (some.length > 0 ? { text: some.join(' ') } : {});
  try {
    const { id } = await service.describe(first);
    return { category: id, ...textOf(others) };
  } catch (error) {
    const isUnknown = error instanceof BatonError && error.code === 'data_category_unknown';
    if (!isUnknown) throw error;
    return { ...textOf(words), unknown: error };
  }
}

function isNext(conditions: object): boolean {
  return Object.keys(conditions).every((name) => name === 'cursor');
}

/** A misspelt category is searched for as a word, and not found. */
function withHint(answer: SearchAnswer, unknown: BatonError | undefined): SearchAnswer {
  if (!unknown || answer.total > 0) return answer;
  const hints = [answer.next, `${unknown.message} ${unknown.next}`];
  return { ...answer, next: hints.filter(Boolean).join(' ') };
}

/** Records have only the fields that they have values of. */
async function knownFields(
  { service }: DataSession,
  category: string | undefined,
  parsed: Parsed,
): Promise<readonly string[]> {
  if (textsOf(parsed, 'field') || category === undefined) return [];
  return (await service.describe(category)).fields.map(({ name }) => name);
}

function linesOf(
  io: Io,
  answer: SearchAnswer,
  known: readonly string[],
  parsed: Parsed,
): readonly string[] {
  if (answer.records.length === 0) return [escapeLine(answer.next ?? 'There is no such record.')];
  const isOne = parsed.values.id !== undefined && answer.total === 1;
  return isOne ? recordPage(io, answer) : recordLines(io, answer, known);
}

async function printCsv(io: Io, answer: SearchAnswer, known: readonly string[]): Promise<void> {
  const { records, counts, next } = answer;
  const fields = fieldsOf(records, known);
  const isMixed = counts !== undefined;
  const lines = csvLines(
    [...(isMixed ? ['category'] : []), ...fields],
    records.map((record) => [...(isMixed ? [record.category] : []), ...rowOf(record, fields)]),
  );
  await printDrawn(io.stdout, `${lines.join('\n')}\n`);
  const cut = records.filter(isCut).length;
  const hints = [
    next,
    cut > 0 && `Long values are cut in ${countOf(cut, 'record')}: they end in ….`,
  ];
  for (const hint of hints) if (hint) await print(io.stderr, `baton: ${escapeLine(hint)}`);
}
