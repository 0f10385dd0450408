import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { textOf, textsOf } from '../../flag-values.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { tableLines } from '../../table-lines.ts';
import { UsageError } from '../../usage-error.ts';
import { categoryPage } from './category-page.ts';
import { type DescribedCategory, given, type Overview, withData } from './data-session.ts';

/** What data_describe answers: the catalogue, or a category of it. */
type Description = Partial<Overview> & {
  readonly category?: DescribedCategory;
  readonly source?: string;
};

export const describe: Command = {
  name: 'data describe',
  summary: 'list the categories of records, or tell the fields, values and relations of one',
  usage: 'baton data describe [category] [--field <name>…] [--text <words>] [--json] [flags]',
  flags: {
    field: {
      type: 'string',
      value: 'name',
      summary: 'only this field of the category',
      multiple: true,
    },
    text: { type: 'string', value: 'words', summary: 'only categories that are about this' },
    json: { type: 'boolean', summary: 'print it as JSON' },
  },
  examples: [
    'baton data describe',
    "baton data describe --text 'remote work'",
    'baton data describe people --field salary',
  ],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [category] = parsed.positionals;
    const fields = textsOf(parsed, 'field');
    const text = textOf(parsed, 'text');
    if (fields && category === undefined)
      throw new UsageError('--field is one of a category.', 'Name the category as well.');
    if (text !== undefined && category !== undefined)
      throw new UsageError('--text finds categories, and one is named.', 'Leave one of them out.');
    return withData(io, parsed, extras, async ({ tools }) => {
      const request = given({ category, fields, text });
      const answer = await tools.call<Description>('data_describe', request);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(answer, null, 2));
      else await printDrawn(io.stdout, `${linesOf(io, answer).join('\n')}\n`);
      return 0;
    });
  },
};

function linesOf(io: Io, answer: Description): readonly string[] {
  const { category, categories = [], others, next } = answer;
  const style = styleFor(io);
  const lines = category ? categoryPage(io, category) : overviewLines(io, categories);
  return [
    ...lines,
    ...(others ? [escapeLine(others)] : []),
    ...(next ? [style.dim(escapeLine(next))] : []),
  ];
}

function overviewLines(io: Io, categories: Overview['categories']): readonly string[] {
  const style = styleFor(io);
  const digits = Math.max(...categories.map(({ rows }) => `${rows}`.length), 0);
  const rows = categories.flatMap(({ id, rows: count, about, fields, leadsTo }) => {
    const more = fields ?? (leadsTo && `→ ${leadsTo}`);
    const [first = '', ...below] = [
      ...(about ? [escapeLine(about)] : []),
      ...(more ? [style.dim(escapeLine(more))] : []),
    ];
    const number = `${count}`.padStart(digits);
    return [[style.bold(escapeLine(id)), number, first], ...below.map((one) => ['', '', one])];
  });
  return rows.length > 0 ? [...tableLines(io, rows), ''] : [];
}
