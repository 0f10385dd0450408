import { BatonError, lazily } from '@baton/core';
import type { SearchAnswer } from './answer.ts';
import { cursorAfter, placeOf } from './cursor.ts';
import type { Library } from './library.ts';
import { type Found, list, textOf } from './listing.ts';
import type { Collection } from './matching/collection.ts';
import { type Hit, type Matched, match } from './matching/matcher.ts';
import { AnswerCost } from './packing/answer-cost.ts';
import type { SearchRequest } from './request.ts';
import type { Thesaurus } from './thesaurus/thesaurus.ts';

export interface SearchOptions {
  /** How the answer will be shown, if not as the result of a tool. */
  readonly renders?: readonly ((answer: object) => string)[];
}

export interface SearchPorts {
  readonly library: Library;
  readonly thesaurus: Thesaurus;
  countTokens(text: string): number;
  now(): number;
}

const SOURCE = "knowledge files, in their authors' words";
/** What is less relevant than this share of the best is noise. */
const LEAST_SHARE = 0.35;
const LEAST_SHARE_IN_DOUBT = 0.6;
const DOUBT = 'Little of the request is in these: they may not be what you mean.';
/** What the smallest budget has room for. */
const SHORT_KEY = /^[\w./-]{1,60}$/;
const TOO_LITTLE = 'maxTokens is too small for the next piece: repeat this with more.';

/** Finds pieces and tells of them as much as was asked for, within the budget. */
export async function search(
  request: SearchRequest,
  ports: SearchPorts,
  { renders }: SearchOptions = {},
): Promise<SearchAnswer> {
  const { cursor, maxTokens, ...asked } = request;
  const place = placeOf(cursor, asked);
  const { library } = ports;
  const collection = await library.current();
  const matched = match(request.query, collection, ports.thesaurus, allowedBy(request, collection));
  const named = library.entryNamed(request.query.trim());
  const hits = withNamed(named, fitting(matched, request), matched);
  const found = hits.slice(place).map((hit) => lazyFound(hit, ports));
  const cost = new AnswerCost(ports.countTokens, renders);
  const listing = { mode: request.mode, most: request.maxResults, matched, cost };
  const cursorTo = (next: number) => ({ cursor: cursorAfter(next, asked) });
  const envelope = { pieces: [], tokens: maxTokens, ...cursorTo(place + 1), ...said(hits) };
  // Tokens reach over the parts of an answer: only the whole can be counted, and it may cost more.
  for (let budget = maxTokens - cost.of(envelope); ; ) {
    const { pieces, end } = list(found.values(), budget, listing);
    const isAll = end === found.length;
    const answer: SearchAnswer = {
      pieces,
      tokens: maxTokens,
      ...(pieces.length > 0 && !isAll ? cursorTo(place + end) : {}),
      ...(pieces.length > 0
        ? said(hits)
        : { next: isAll ? whyNothing(hits, matched, library) : TOO_LITTLE }),
    };
    const counted = cost.of(answer);
    if (counted <= maxTokens || pieces.length === 0) return priced(answer, counted, cost);
    budget -= counted - maxTokens;
  }
}

/** A hit with its piece and text, which are read once, and only if they are needed. */
function lazyFound(hit: Hit, { library, now }: SearchPorts): Found {
  const piece = lazily(() => library.piece(hit.entry));
  const text = lazily(() => textOf(piece(), now));
  return {
    hit,
    text,
    get piece() {
      return piece();
    },
  };
}

/** With what it costs, which is a part of it. */
function priced(answer: SearchAnswer, counted: number, cost: AnswerCost): SearchAnswer {
  const again = { ...answer, tokens: counted };
  const tokens = cost.of(again);
  return tokens === counted ? again : priced(again, tokens, cost);
}

/** What is told besides the pieces. */
function said([best]: readonly Hit[]): Pick<SearchAnswer, 'source' | 'next'> {
  return { source: SOURCE, ...(best?.fit === 'doubtful' && { next: DOUBT }) };
}

function allowedBy({ kinds, tags }: SearchRequest, collection: Collection): Uint8Array | undefined {
  return collection.withMarks([
    ...(kinds?.length ? [kinds.map((kind) => `@${kind}`)] : []),
    ...(tags ?? []).map((tag) => [`#${tag.trim().toLowerCase()}`]),
  ]);
}

/** Hits that answer the request, without what is far less relevant than the best. */
function fitting({ hits: [best, ...rest] }: Matched, { minScore = 0 }: SearchRequest): Hit[] {
  if (!best) return [];
  // What may not be meant at all is not worth a long list.
  const least = best.score * (best.fit === 'sure' ? LEAST_SHARE : LEAST_SHARE_IN_DOUBT);
  return [best, ...rest].filter(
    ({ score, fit }) => fit !== 'none' && score >= least && Math.round(score * 100) >= minScore,
  );
}

/** Whoever asks by the name of a piece gets it first. */
function withNamed(named: number | undefined, hits: readonly Hit[], { hits: all }: Matched): Hit[] {
  const hit = all.find(({ entry }) => entry === named);
  if (!hit) return [...hits];
  return [{ ...hit, score: 1, fit: 'sure' }, ...hits.filter(({ entry }) => entry !== named)];
}

function whyNothing(hits: readonly Hit[], { hits: [nearest] }: Matched, library: Library): string {
  if (library.isEmpty) {
    return 'There is no knowledge yet: put Markdown files into .baton/knowledge of the workspace.';
  }
  if (hits.length > 0) return 'Nothing more: the pages before this have all of it.';
  const key = nearest && library.piece(nearest.entry).key;
  const near = key && SHORT_KEY.test(key) ? ` The nearest is ${key}, which covers too little.` : '';
  return `Nothing here fits this request.${near} Ask in other words, with fewer filters, or go on without.`;
}

/** A request for nothing finds nothing: say so instead. */
export function assertAsked(query: string): void {
  if (/[\p{L}\p{N}]/u.test(query)) return;
  throw new BatonError(
    'query_empty',
    'The query has no word in it.',
    'Say in a few words what you are about to do, or what goes wrong.',
  );
}
