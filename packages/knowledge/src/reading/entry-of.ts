import type { Entry } from '../index/entry.ts';
import { acronymsOf } from '../words/acronyms.ts';
import type { Piece } from './piece.ts';

/** What the index keeps of a piece besides its words. */
export interface PieceRecord extends Omit<Piece, 'body' | 'headings'> {
  /** In the file, without the front matter, in o200k. */
  readonly tokens: number;
  /** Of the file's contents. */
  readonly hash: string;
}

/** A sentence of a description can say when to use something, as skills do. */
const SENTENCE = /(?<=[.!?;:])\s+/;

/** A piece as the index takes it. */
export function entryOf(
  piece: Piece,
  file: { readonly path: string; readonly size: number; readonly changed: number },
  { tokens, hash }: Pick<PieceRecord, 'tokens' | 'hash'>,
): Entry {
  const { body, headings, ...described } = piece;
  return {
    ...file,
    key: `${piece.kind}/${piece.id}`,
    marks: [`@${piece.kind}`, ...piece.tags.map((tag) => `#${tag}`)],
    texts: {
      body: [body],
      title: [
        piece.title,
        piece.id,
        acronymsOf([piece.title, ...piece.tags, ...headings]).join(' '),
      ],
      tags: [[...piece.tags, piece.kind].join(', ')],
      useWhen: piece.useWhen,
      capabilities: piece.capabilities,
      description: piece.description.split(SENTENCE),
      headings,
    },
    record: { ...described, tokens, hash } satisfies PieceRecord,
  };
}
