import { escapeControls, escapeLine } from '@baton/core';
import type { AnsweredPiece } from './answer.ts';
import { readMarkdown } from './folders/markdown-files.ts';
import type { FoundPiece } from './library.ts';
import type { Hit, Matched } from './matching/matcher.ts';
import { relevanceOf } from './matching/relevance.ts';
import type { AnswerCost } from './packing/answer-cost.ts';
import { packPiece } from './packing/pack-piece.ts';
import { bodyOf } from './reading/front-matter.ts';
import { shortened } from './reading/shortened.ts';
import type { Mode } from './request.ts';
import { explain } from './why.ts';

export interface Found {
  readonly hit: Hit;
  readonly piece: FoundPiece;
  /** Read when it is first needed; `undefined` if its file has gone. */
  text(): string | undefined;
}

export interface Listing {
  readonly mode: Mode;
  /** At most so many pieces. */
  readonly most: number;
  readonly matched: Matched;
  readonly cost: AnswerCost;
}

/** What a hit may cost in an index. */
const INDEX_TOKENS = 25;
/** With less than this left, nothing sensible of another piece fits. */
const LEAST_TOKENS = 60;
/** Few words have more: hardly any is left out that could stay. */
const TOKENS_OF_A_WORD = 4;
const LONGEST_TITLE = 120;
const LONGEST_DESCRIPTION = 300;

/**
 * Tells of pieces, the best first, until the budget is used up. `end` is how many of them that has
 * dealt with: the next page begins there.
 */
export function list(
  found: Iterable<Found>,
  budget: number,
  listing: Listing,
): { readonly pieces: readonly AnsweredPiece[]; readonly end: number } {
  const pieces: AnsweredPiece[] = [];
  let end = 0;
  let left = budget;
  for (const one of found) {
    if (pieces.length === listing.most) break;
    const isGone = listing.mode === 'full' && one.text() === undefined;
    if (!isGone) {
      const piece = told(one, left, listing) ?? (pieces.length === 0 && inFew(one, left, listing));
      if (!piece) break;
      pieces.push(piece);
      left -= listing.cost.ofPiece(piece);
    }
    end += 1;
  }
  return { pieces, end };
}

/** A piece as the mode has it, if there is room for it. */
function told(found: Found, room: number, listing: Listing): AnsweredPiece | undefined {
  if (listing.mode === 'full') return inFull(found, room, listing);
  const { mode, cost, matched } = listing;
  const piece = mode === 'index' ? indexed(found, cost) : catalogued(found, matched);
  return cost.ofPiece(piece) <= room ? piece : undefined;
}

/** The first of a page must be told of somehow, or there would be no next page. */
function inFew(
  found: Found,
  room: number,
  { cost, ...listing }: Listing,
): AnsweredPiece | undefined {
  const plain = indexed(found, cost);
  const inPart = listing.mode === 'full' && packed(found, plain, room, { cost, ...listing });
  if (inPart) return inPart;
  return cost.ofPiece(plain) <= room ? plain : undefined;
}

function inFull(found: Found, room: number, listing: Listing): AnsweredPiece | undefined {
  if (room < LEAST_TOKENS) return undefined;
  const head = headOf(found);
  return (
    packed(found, { ...head, from: escapeLine(found.piece.from) }, room, listing) ??
    packed(found, head, room, listing)
  );
}

function packed(
  found: Found,
  head: AnsweredPiece,
  room: number,
  { matched, cost }: Listing,
): AnsweredPiece | undefined {
  const text = found.text() ?? '';
  return packPiece({ head, text, relevance: relevanceOf(matched) }, room, cost);
}

function headOf({ hit, piece }: Found) {
  const { key: id, tokens } = piece;
  const title = shortened(escapeLine(piece.title), LONGEST_TITLE);
  return { id, title, tokens, score: Math.round(hit.score * 100) };
}

/** With a title that is short enough. */
function indexed(found: Found, cost: AnswerCost): AnsweredPiece {
  const head = headOf(found);
  const words = head.title.split(' ');
  let piece = head;
  for (let most = words.length; most > 0; ) {
    const excess = cost.ofPiece(piece) - INDEX_TOKENS;
    if (excess <= 0) return piece;
    most -= Math.ceil(excess / TOKENS_OF_A_WORD);
    piece = { ...head, title: most > 0 ? `${words.slice(0, most).join(' ')}…` : '' };
  }
  return piece;
}

function catalogued(found: Found, matched: Matched): AnsweredPiece {
  const { piece, hit } = found;
  const description = shortened(escapeLine(piece.description), LONGEST_DESCRIPTION);
  return {
    ...headOf(found),
    ...(description && { description }),
    why: escapeLine(explain(piece, hit, matched)),
    from: escapeLine(piece.from),
  };
}

/** The text of a piece as its file is now, safe to show; `undefined` if it has gone. */
export function textOf({ root, file }: FoundPiece, now: () => number): string | undefined {
  const read = readMarkdown(root, file, now);
  return 'text' in read ? escapeControls(bodyOf(read.text)) : undefined;
}
