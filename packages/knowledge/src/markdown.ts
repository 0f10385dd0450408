import type { AnsweredPiece, SearchAnswer } from './answer.ts';
import { closingOf } from './packing/units.ts';

/** An answer as a Markdown text: contents one after another, or a list. */
export function renderMarkdown({
  pieces = [],
  source,
  next,
  cursor,
}: Partial<SearchAnswer>): string {
  const isFull = pieces.some(({ text }) => text !== undefined);
  // Whose words follow: a reader must not take them for the user's. Contents say it one by one.
  const origin = source && !isFull ? [`<!-- ${source} -->`] : [];
  const parts = pieces.map(isFull ? renderPiece : renderItem);
  const told = [...origin, ...parts].join(isFull ? '\n\n' : '\n');
  const more = cursor && `<!-- more with the cursor ${cursor} -->`;
  return [told, next, more].filter(Boolean).join('\n\n');
}

/** A URI has no next page. */
export function renderResource({ cursor: _, ...answer }: Partial<SearchAnswer>): string {
  return renderMarkdown(answer);
}

function renderPiece({ id, score, tokens, from, isPart, text = '' }: AnsweredPiece): string {
  const whole = isPart ? `parts of ${tokens} tokens` : `${tokens} tokens`;
  const file = from && `from ${from.replace(/-{2,}/g, '-')}`;
  const origin = [id, `score ${score}`, whole, file].filter(Boolean).join(', ');
  return `<!-- ${origin} -->\n${text}${closingOf(text)}`;
}

function renderItem({ id, title, tokens, score, description, why, from }: AnsweredPiece): string {
  const head = `- ${id}: ${title} (${tokens} tokens, score ${score})`;
  return [head, description, why && `why: ${why}`, from && `from: ${from}`]
    .filter(Boolean)
    .join('\n  ');
}
