import type { Source } from './folders/source.ts';
import type { FoundPiece } from './library.ts';
import { KINDS, type Kind } from './reading/piece.ts';

interface Count {
  readonly pieces: number;
  readonly tokens: number;
}

/** What there is, counted. */
export interface Stats extends Count {
  readonly kinds: readonly (Count & { readonly kind: Kind })[];
  readonly sources: readonly (Count & { readonly name: string; readonly path: string })[];
  /** Of the pieces' sizes in tokens. */
  readonly median: number;
  readonly largest: number;
}

export function countStats(
  pieces: readonly FoundPiece[],
  sources: readonly { readonly source: Source; readonly root?: string | undefined }[],
): Stats {
  const sizes = pieces.map(({ tokens }) => tokens).sort((a, b) => a - b);
  return {
    ...count(pieces),
    kinds: KINDS.map((kind) => ({ kind, ...count(pieces.filter((piece) => piece.kind === kind)) })),
    sources: sources.map(({ source: { name, path }, root }) => ({
      name,
      path,
      ...count(pieces.filter((piece) => piece.root === root)),
    })),
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    largest: sizes.at(-1) ?? 0,
  };
}

function count(pieces: readonly FoundPiece[]): Count {
  return { pieces: pieces.length, tokens: pieces.reduce((sum, { tokens }) => sum + tokens, 0) };
}
