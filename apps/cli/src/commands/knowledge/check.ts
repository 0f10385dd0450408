import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { countOf } from '../../count-of.ts';
import { print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { withKnowledge } from './knowledge-session.ts';

export const check: Command = {
  name: 'knowledge check',
  summary: 'say what is wrong with knowledge files; exit code 1 if a file is left out for it',
  usage: 'baton knowledge check [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print problems as JSON' } },
  examples: ['baton knowledge check'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    return withKnowledge(io, parsed, extras, async ({ service }) => {
      const problems = await service.check();
      const errors = problems.filter(({ severity }) => severity === 'error');
      const style = styleFor(io);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(problems, null, 2));
      else {
        const lines = problems.map(({ file, line, column, severity, message }) => {
          const how = severity === 'error' ? style.red(severity) : style.yellow(severity);
          return `${escapeLine(file)}:${line}:${column}: ${how}: ${escapeLine(message)}`;
        });
        const { pieces } = await service.stats();
        const found = `${countOf(errors.length, 'error')}, ${countOf(problems.length - errors.length, 'warning')}`;
        await printDrawn(
          io.stdout,
          `${[...lines, `${countOf(pieces, 'piece')}, ${found}.`].join('\n')}\n`,
        );
      }
      return errors.length > 0 ? 1 : 0;
    });
  },
};
