import { BatonError, escapeControls, escapeLine, nearest } from '@baton/core';
import type { Command } from '../../command.ts';
import { print, printDrawn } from '../../io.ts';
import { styleFor } from '../../style.ts';
import { UsageError } from '../../usage-error.ts';
import { withKnowledge } from './knowledge-session.ts';

export const show: Command = {
  name: 'knowledge show',
  summary: 'show all of a piece, with what its file says about it',
  usage: 'baton knowledge show <kind/id> [--json] [flags]',
  flags: { json: { type: 'boolean', summary: 'print it as JSON' } },
  examples: ['baton knowledge show skill/lock-contention', 'baton knowledge show lock-contention'],
  maxArguments: 1,
  async run(io, parsed, extras) {
    const [name] = parsed.positionals;
    if (!name) throw new UsageError('Which piece?', '`baton knowledge search` finds them.');
    return withKnowledge(io, parsed, extras, async ({ service }) => {
      const piece = await service.find(name);
      if (!piece) throw unknownPiece(name, await service.keys());
      const { key, from, title, description, tags, tokens, useWhen, capabilities } = piece;
      const text = service.textOf(piece);
      if (parsed.values.json) {
        const shown = {
          id: key,
          from,
          title,
          description,
          tags,
          capabilities,
          useWhen,
          tokens,
          text,
        };
        await print(io.stdout, JSON.stringify(shown, null, 2));
        return 0;
      }
      const style = styleFor(io);
      const head = [
        `${style.bold(escapeLine(key))}  ${escapeLine(title)}`,
        style.dim(`${escapeLine(from)}, ${tokens} tokens`),
        ...(tags.length > 0 ? [style.dim(`tags: ${escapeLine(tags.join(', '))}`)] : []),
      ];
      await printDrawn(io.stdout, `${head.join('\n')}\n\n${escapeControls(text).trimEnd()}\n`);
      return 0;
    });
  },
};

function unknownPiece(name: string, keys: readonly string[]): BatonError {
  const hint = hintFor(name, keys);
  return new BatonError(
    'knowledge_unknown',
    `There is no piece ${JSON.stringify(name.slice(0, 100))}.${hint}`,
    '`baton knowledge search` finds pieces by words.',
  );
}

/** An id may be that of several pieces, or stand with another kind, or be misspelt. */
function hintFor(name: string, keys: readonly string[]): string {
  const idOf = (key: string) => key.slice(key.indexOf('/') + 1);
  const near = nearest(name, [...keys, ...keys.map(idOf)]) ?? name;
  const meant = keys.filter((key) => key === near || [near, idOf(near)].includes(idOf(key)));
  return meant.length > 0 ? ` Did you mean ${meant.slice(0, 3).join(' or ')}?` : '';
}
