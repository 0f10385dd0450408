import { escapeLine } from '@baton/core';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { tableLines } from '../../table-lines.ts';
import { withKnowledge } from './knowledge-session.ts';

export const stats: Command = {
  name: 'knowledge stats',
  summary: 'count pieces and tokens, by kind and by folder',
  usage: 'baton knowledge stats [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print them as JSON' } },
  examples: ['baton knowledge stats'],
  maxArguments: 0,
  async run(io, parsed, extras) {
    return withKnowledge(io, parsed, extras, async ({ service }) => {
      const counted = await service.stats();
      if (parsed.values.json) {
        await print(io.stdout, JSON.stringify(counted, null, 2));
        return 0;
      }
      const { kinds, sources, pieces, tokens, median, largest } = counted;
      const row = (name: string, one: { pieces: number; tokens: number }) => [
        name,
        `${one.pieces}`.padStart(6),
        `${one.tokens}`.padStart(9),
      ];
      const lines = tableLines(io, [
        ['', 'pieces', '   tokens'],
        ...kinds.map((one) => row(one.kind, one)),
        row('all', { pieces, tokens }),
        ['', '', ''],
        ...sources.map((one) => [...row(escapeLine(one.name), one), escapeLine(one.path)]),
      ]);
      const sizes = `A piece has ${median} tokens (median), the largest ${largest}.`;
      await printDrawn(io.stdout, `${[...lines, '', sizes].join('\n')}\n`);
      return 0;
    });
  },
};
