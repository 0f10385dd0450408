import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { withData } from './data-session.ts';

export const check: Command = {
  name: 'data check',
  summary:
    'say what is wrong with files and records, by schemas, keys and relations; exit code 1 for errors',
  usage: 'baton data check [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print the report as JSON' } },
  examples: ['baton data check'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    return withData(io, parsed, extras, async ({ service, tools: { signal } }) => {
      const report = await service.check(signal);
      const { problems } = report;
      const errors = problems.filter(({ severity }) => severity === 'error').length;
      if (parsed.values.json) await print(io.stdout, JSON.stringify(report, null, 2));
      else {
        const style = styleFor(io);
        const lines = problems.map(({ file, line, severity, message }) => {
          const how = severity === 'error' ? style.red(severity) : style.yellow(severity);
          return `${escapeLine(file)}:${line}: ${how}: ${escapeLine(message)}`;
        });
        const what = `${categories(report.categories)}, ${countOf(report.records, 'record')}`;
        const found = `${countOf(errors, 'error')}, ${countOf(problems.length - errors, 'warning')}`;
        await printDrawn(io.stdout, `${[...lines, `${what}, ${found}.`].join('\n')}\n`);
      }
      return errors > 0 ? 1 : 0;
    });
  },
};

function categories(count: number): string {
  return count === 1 ? '1 category' : `${count} categories`;
}
