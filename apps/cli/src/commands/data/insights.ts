import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { textOf, wholeNumberOf } from '../../flag-values.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { UsageError } from '../../usage-error.ts';
import { given, type Insights, withData } from './data-session.ts';

export const insights: Command = {
  name: 'data insights',
  summary: 'say what stands out in a category: each finding with its numbers, the strongest first',
  usage: 'baton data insights <category> [--field <name>] [--limit <n>] [--json] [flags]',
  flags: {
    field: { type: 'string', value: 'name', summary: 'only what concerns this field' },
    limit: { type: 'string', value: 'n', summary: 'at most so many findings (default: 10)' },
    json: { type: 'boolean', summary: 'print them as JSON' },
  },
  examples: ['baton data insights people', 'baton data insights people --field salary'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [category] = parsed.positionals;
    if (!category) throw new UsageError('Which category?', '`baton data describe` lists them.');
    const optional = { field: textOf(parsed, 'field'), limit: wholeNumberOf(parsed, 'limit') };
    return withData(io, parsed, extras, async ({ tools }) => {
      const request = { category, ...given(optional) };
      const answer = await tools.call<Insights>('data_insights', request);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(answer, null, 2));
      else await printDrawn(io.stdout, `${linesOf(io, answer).join('\n')}\n`);
      return 0;
    });
  },
};

function linesOf(io: Io, { category, rows, findings, next }: Insights): readonly string[] {
  const style = styleFor(io);
  const width = Math.max(...findings.map(({ kind }) => kind.length), 0);
  const lines = findings.flatMap(({ kind, what, how }) => [
    `${style.cyan(kind.padEnd(width))}  ${escapeLine(what)}`,
    `${' '.repeat(width)}  ${style.dim(escapeLine(how))}`,
  ]);
  return [
    ...(lines.length > 0 ? lines : ['Nothing stands out.']),
    ...(next ? [style.yellow(escapeLine(next))] : []),
    style.dim(`${countOf(rows, 'record')} of ${escapeLine(category)}`),
  ];
}
