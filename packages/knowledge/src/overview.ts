import { escapeLine } from '@baton/core';
import type { Kind } from './reading/piece.ts';
import type { Stats } from './stats.ts';

/** However large a collection is, this stays readable. */
const MOST_LISTED = 200;

/** What there is, and how to get at it. */
export function overview({ pieces, tokens, kinds, sources }: Stats): string {
  const lines = [
    '# Knowledge',
    '',
    `${pieces} pieces, ${tokens} tokens in all. Ask \`knowledge_search\` in your own words, or read \`baton://knowledge/{kind}/{id}\`.`,
    '',
    ...kinds.filter((one) => one.pieces > 0).map((one) => `- ${one.kind}: ${one.pieces}`),
    '',
    ...sources.map(({ name, pieces: count }) => `- from ${escapeLine(name)}: ${count}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function listOfKind(kind: Kind, all: readonly string[]): string {
  const keys = all.filter((key) => key.startsWith(`${kind}/`));
  const lines = keys
    .slice(0, MOST_LISTED)
    .map((key) => `- ${encodeURI(`baton://knowledge/${key}`)}`);
  const more = keys.length - lines.length;
  const rest = more > 0 ? [`- and ${more} more: search for them`] : [];
  return `# ${keys.length} of kind ${kind}\n\n${[...lines, ...rest].join('\n')}\n`;
}
