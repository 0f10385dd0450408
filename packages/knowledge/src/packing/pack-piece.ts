import { blankLinesBefore } from '../reading/outline.ts';
import type { AnswerCost } from './answer-cost.ts';
import { cutText } from './cut.ts';

/** A piece that could be part of an answer. */
export interface Candidate<Head> {
  /** What is told of it besides its text; `tokens` are those of the text. */
  readonly head: Head & { readonly tokens: number };
  readonly text: string;
  /** How relevant a stretch of its text is. */
  relevance(text: string): number;
}

export type Packed<Head> = Head & {
  readonly text: string;
  /** Whether parts of the text were left out. */
  readonly isPart?: true;
};

/**
 * A piece in a budget of tokens: whole if it fits, else in its most relevant parts. `undefined` if
 * there is no room for a part that is worth reading.
 */
export function packPiece<Head extends object>(
  { head, text, relevance }: Candidate<Head>,
  budget: number,
  cost: AnswerCost,
): Packed<Head> | undefined {
  const whole = { ...head, text: text.slice(blankLinesBefore(text)).trimEnd() };
  // What is known to be too long need not be counted.
  if (head.tokens <= budget && cost.ofPiece(whole) <= budget) return whole;
  const inPart = (part: string): Packed<Head> => ({ ...head, isPart: true, text: part });
  const tried = new Map<string, Packed<Head>>();
  const excess = (part: string) => {
    const packed = inPart(part);
    tried.set(part, packed);
    return cost.ofPiece(packed) - budget;
  };
  const left = budget - cost.ofPiece(inPart(''));
  const part = cutText(text, left, { cost, relevance, excess });
  // The same object: what it costs is known.
  return part === undefined ? undefined : tried.get(part);
}
