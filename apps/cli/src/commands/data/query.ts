import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { csvLines } from '../../csv-lines.ts';
import { givenText } from '../../given-text.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { UsageError } from '../../usage-error.ts';
import { formatOf, limitOf, type QueryAnswer, withData } from './data-session.ts';
import { ROOM } from './gather.ts';
import { leftOutText } from './record-lines.ts';
import { valueTable } from './value-table.ts';

/** Of a file that is written at once. */
const MOST_ROWS = 1_000_000;

export const query: Command = {
  name: 'data query',
  summary: 'run one SELECT over the records, as agents do with data_query',
  usage: 'baton data query <sql> [--limit <n>] [--json|--csv] [flags]',
  flags: {
    limit: {
      type: 'string',
      value: 'n',
      summary: 'at most so many rows (default: 100, with --csv all)',
    },
    json: { type: 'boolean', summary: 'print the answer as JSON' },
    csv: { type: 'boolean', summary: 'print the rows as CSV' },
  },
  examples: [
    "baton data query 'SELECT title, count(*) AS people FROM people GROUP BY ALL ORDER BY people DESC'",
    'baton data query - --csv < salaries.sql',
  ],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [typed = ''] = parsed.positionals;
    const format = formatOf(parsed);
    const rows = limitOf(parsed);
    if (typed.trim() === '')
      throw new UsageError(
        'Which statement?',
        '`baton data describe` tells the names of categories and fields; - reads the statement from the input.',
      );
    const sql = await givenText(io, typed);
    return withData(io, parsed, extras, async ({ service, tools: { signal } }) => {
      const most = rows ?? (format === 'csv' ? MOST_ROWS : undefined);
      const room = { characters: ROOM, signal };
      const answer = await service.query({ sql, ...room, ...(most && { rows: most }) });
      if (format === 'json') await print(io.stdout, JSON.stringify(answer, null, 2));
      else if (format === 'csv') await printCsv(io, answer);
      else await printDrawn(io.stdout, `${linesOf(io, answer).join('\n')}\n`);
      return 0;
    });
  },
};

async function printCsv(io: Io, { columns, rows, next }: QueryAnswer): Promise<void> {
  const lines = csvLines(
    columns.map(({ name }) => name),
    rows,
  );
  await printDrawn(io.stdout, `${lines.join('\n')}\n`);
  if (next) await print(io.stderr, `baton: ${escapeLine(next)}`);
}

function linesOf(io: Io, { columns, rows, next }: QueryAnswer): readonly string[] {
  const style = styleFor(io);
  const names = columns.map(({ name }) => name);
  const { lines, leftOut } = valueTable(io, names, rows);
  return [
    ...lines,
    ...(leftOut.length > 0 ? [style.dim(leftOutText(leftOut, 'select fewer columns'))] : []),
    ...(next ? [style.yellow(escapeLine(next))] : []),
    style.dim(countOf(rows.length, 'row')),
  ];
}
