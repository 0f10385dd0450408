import type { FoundPiece } from './library.ts';
import type { Hit, Matched } from './matching/matcher.ts';
import { relevanceOf } from './matching/relevance.ts';
import { shortened } from './reading/shortened.ts';
import { analyse } from './words/analyse.ts';

const MOST_WORDS = 5;
const LONGEST_LINE = 120;

/** Why a piece was found, in a few words: which of the request's words it has, or what they mean. */
export function explain(piece: FoundPiece, { coverage }: Hit, matched: Matched): string {
  const { stems, others } = analyse(
    [
      piece.title,
      piece.id,
      piece.description,
      ...piece.tags,
      ...piece.useWhen,
      ...piece.capabilities,
    ].join('\n'),
  );
  const has = new Set([...stems, ...others]);
  const words = matched.slots
    .filter(({ alternatives }) =>
      alternatives.some((one) => one.stems.every((stem) => has.has(stem))),
    )
    .map(({ word }) => word);
  const meant = matched.concepts
    .filter(({ names }) => names.some((name) => name.every((stem) => has.has(stem))))
    .map(({ name }) => name);
  const line = bestLine(piece.useWhen, matched);
  const parts = [
    words.length > 0 && words.slice(0, MOST_WORDS).join(', '),
    meant.length > 0 && `about ${meant.slice(0, 2).join(', ')}`,
    line && `use when: ${shortened(line, LONGEST_LINE)}`,
  ].filter(Boolean);
  return parts.length > 0
    ? parts.join('; ')
    : `${Math.round(coverage * 100)} % of the request is in its text`;
}

function bestLine(lines: readonly string[], matched: Matched): string | undefined {
  const relevance = relevanceOf(matched);
  const [best] = lines
    .map((line) => ({ line, value: relevance(line) }))
    .sort((a, b) => b.value - a.value);
  return best && best.value > 0 ? best.line : undefined;
}
