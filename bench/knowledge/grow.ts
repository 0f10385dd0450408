import { outline, readPiece } from '@baton/knowledge/search';
import type { Document } from './material.ts';

/** Always the same numbers. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 0) / 2 ** 32;
  };
}

/**
 * More documents of the same kind: each with a head of one document and sections of others, so
 * that words are as frequent as in the real ones. They say nothing about quality.
 */
export async function grow(documents: readonly Document[], count: number): Promise<Document[]> {
  const random = randomNumbers(7);
  const pick = <One>(list: readonly One[]) => list[Math.floor(random() * list.length)] as One;
  const sections = documents.flatMap(({ piece }) =>
    outline(piece.body).map(({ start, end }) => piece.body.slice(start, end)),
  );
  const grown = [...documents];
  while (grown.length < count) {
    const { piece } = pick(documents);
    const number = grown.length;
    const words = pick(documents).piece.title.split(' ');
    const title = `${piece.title} ${pick(words)} ${pick(words)}`;
    const body = Array.from({ length: 4 }, () => pick(sections)).join('\n\n');
    const head = {
      id: `${piece.id}-${number}`,
      category: piece.kind,
      title,
      tags: piece.tags,
      useWhen: [...piece.useWhen.slice(0, 2), ...pick(documents).piece.useWhen.slice(0, 1)],
    };
    const text = `---\n${JSON.stringify(head)}\n---\n\n# ${title}\n\n${body}`;
    const file = `${piece.kind}s/${piece.id}-${number}.md`;
    grown.push({ file, text, piece: (await readPiece(file, text)).piece });
  }
  return grown;
}
