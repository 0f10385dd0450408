import { escapeControls, escapeLine } from '@baton/core';
import type { KnowledgeAnswer } from '@baton/runtime';
import type { Command } from '../../command.ts';
import { textOf, textsOf, wholeNumberOf } from '../../flag-values.ts';
import type { Parsed } from '../../flags.ts';
import { type Io, print, printDrawn } from '../../io.ts';
import { type Style, styleFor } from '../../style.ts';
import { tableLines } from '../../table-lines.ts';
import { UsageError } from '../../usage-error.ts';
import { withKnowledge } from './knowledge-session.ts';

export const search: Command = {
  name: 'knowledge search',
  summary: 'find pieces of knowledge, as agents do with knowledge_search',
  usage:
    'baton knowledge search <words…> [--mode <mode>] [--kind <kind>…] [--tag <tag>…] [--max-tokens <n>] [--min-score <n>] [--limit <n>] [--cursor <cursor>] [--json] [flags]',
  flags: {
    mode: {
      type: 'string',
      value: 'index|catalog|full',
      summary: 'ids only, with descriptions (default), or contents',
    },
    kind: {
      type: 'string',
      value: 'kind',
      summary: 'only agent, example, guide, pattern, skill or workflow',
      multiple: true,
    },
    tag: { type: 'string', value: 'tag', summary: 'only with this tag', multiple: true },
    'max-tokens': { type: 'string', value: 'n', summary: 'at most so many tokens (default: 3000)' },
    'min-score': { type: 'string', value: 'n', summary: 'only what scores so much, from 0 to 100' },
    limit: { type: 'string', value: 'n', summary: 'at most so many pieces (default: 15)' },
    cursor: { type: 'string', value: 'cursor', summary: 'go on where an answer ended' },
    json: { type: 'boolean', summary: 'print the answer as JSON' },
  },
  examples: [
    'baton knowledge search the page jumps while images load',
    'baton knowledge search slow queries --kind skill --mode full --max-tokens 1500',
  ],
  maxArguments: Number.POSITIVE_INFINITY,
  async run(io, parsed, extras) {
    const request = requestOf(parsed);
    return withKnowledge(io, parsed, extras, async ({ tools }) => {
      const answer = await tools.call<KnowledgeAnswer>('knowledge_search', request);
      if (parsed.values.json) await print(io.stdout, JSON.stringify(answer, null, 2));
      else await printDrawn(io.stdout, `${linesOf(io, answer).join('\n')}\n`);
      return answer.pieces.length > 0 ? 0 : 1;
    });
  },
};

function requestOf(parsed: Parsed): object {
  const query = parsed.positionals.join(' ');
  if (query.trim() === '')
    throw new UsageError('What are you looking for?', 'Name it in a few words.');
  const optional = {
    mode: textOf(parsed, 'mode'),
    kinds: textsOf(parsed, 'kind'),
    tags: textsOf(parsed, 'tag'),
    maxTokens: wholeNumberOf(parsed, 'max-tokens'),
    minScore: wholeNumberOf(parsed, 'min-score'),
    maxResults: wholeNumberOf(parsed, 'limit'),
    cursor: textOf(parsed, 'cursor'),
  };
  const given = Object.entries(optional).filter(([, value]) => value !== undefined);
  return { query, ...Object.fromEntries(given) };
}

function linesOf(io: Io, { pieces, next, cursor, tokens }: KnowledgeAnswer): string[] {
  const style = styleFor(io);
  if (pieces.length === 0) return [next ?? 'Nothing here fits.'];
  const isFull = pieces.some(({ text }) => text !== undefined);
  const lines = isFull ? pieces.flatMap((piece) => whole(piece, style)) : listed(io, pieces, style);
  const more = cursor ? `; more with --cursor ${cursor}` : '';
  return [
    ...lines,
    ...(next ? [style.yellow(next)] : []),
    style.dim(`${tokens} tokens as an agent gets it${more}`),
  ];
}

type Piece = KnowledgeAnswer['pieces'][number];

function whole({ id, from = '', isPart, text = '' }: Piece, style: Style): string[] {
  const head = `${style.bold(escapeLine(id))}  ${style.dim(`${escapeLine(from)}${isPart ? ', in parts' : ''}`)}`;
  return [head, '', ...escapeControls(text).split('\n'), ''];
}

function listed(io: Io, pieces: readonly Piece[], style: Style): string[] {
  const rows = tableLines(
    io,
    pieces.map(({ id, title, tokens, score }) => [
      `${score}`.padStart(3),
      style.bold(escapeLine(id)),
      escapeLine(title),
      style.dim(`${tokens} tokens`),
    ]),
  );
  return pieces.flatMap(({ why, from }, place) => [
    rows[place] ?? '',
    ...(why ? [`     ${style.dim(`${escapeLine(why)}; ${escapeLine(from ?? '')}`)}`] : []),
  ]);
}
