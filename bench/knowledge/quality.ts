import type { Figures } from '../figures.ts';
import type { ToolClient } from '../tool-client.ts';
import { ENGINES, engines } from './engines.ts';
import { type CollectionName, folderOf, type Material, type Request } from './material.ts';
import { average, measure } from './measures.ts';
import { ASKED, type Asked, MEASURE_NAMES, type Name, type RowId, VERDICTS } from './rows.ts';

interface Answer {
  readonly pieces: readonly { readonly from?: string }[];
  readonly next?: string;
}

const TOP = 10;
const MOST_TOKENS = 100_000;

/** How well each engine ranks the pieces of a collection. */
export function rankings(
  figures: Figures<RowId, Name>,
  collection: CollectionName,
  { documents, requests }: Material,
): void {
  for (const name of ENGINES) {
    const engine = engines[name](documents);
    const ranked = new Map(requests.map((one) => [one, engine.search(one.request)]));
    for (const asked of ASKED) {
      const of = answerable(requests, asked);
      const reached = average(of.map((one) => measure(ranked.get(one) ?? [], one)));
      for (const each of MEASURE_NAMES) {
        figures.add(`${collection} ${asked} ${each}`, name, reached[each]);
      }
    }
    if (name === 'baton') continue; // It can say that nothing fits: see `answers`.
    const isNothing = (one: Request) => ranked.get(one)?.length === 0;
    figures.add(`${collection} none refused`, name, percent(unanswerable(requests), isNothing));
    figures.add(`${collection} all refused`, name, percent(answerable(requests), isNothing));
  }
}

/** What an agent is told: by the server itself, with what it leaves out and what it doubts. */
export async function answers(
  figures: Figures<RowId, Name>,
  collection: CollectionName,
  { requests }: Material,
  client: ToolClient,
): Promise<void> {
  const told = new Map<Request, Answer>();
  for (const one of requests) {
    const args = { query: one.request, maxResults: TOP, maxTokens: MOST_TOKENS };
    told.set(one, await client.call<Answer>('knowledge_search', args));
  }
  const start = `${folderOf(collection)}/`.length;
  const filesFor = (one: Request) =>
    (told.get(one)?.pieces ?? []).map(({ from = '' }) => from.slice(start));
  const of = answerable(requests);
  const { ndcg } = average(of.map((one) => measure(filesFor(one), one)));
  figures.add(`${collection} answered ndcg`, 'baton', ndcg);
  const isRefused = (one: Request) => filesFor(one).length === 0;
  // Beside pieces, the only word on what to do next is that they may not be meant.
  const isDoubted = (one: Request) => told.get(one)?.next !== undefined;
  const isSaid = { refused: isRefused, doubted: isDoubted };
  const others = unanswerable(requests);
  for (const verdict of VERDICTS) {
    figures.add(`${collection} none ${verdict}`, 'baton', percent(others, isSaid[verdict]));
    figures.add(`${collection} all ${verdict}`, 'baton', percent(of, isSaid[verdict]));
  }
}

function answerable(requests: readonly Request[], asked: Asked = 'all'): Request[] {
  return requests.filter((one) => one.class === asked || (asked === 'all' && one.class !== 'none'));
}

function unanswerable(requests: readonly Request[]): Request[] {
  return requests.filter((one) => one.class === 'none');
}

function percent<One>(all: readonly One[], is: (one: One) => boolean): number {
  return (100 * all.filter(is).length) / Math.max(1, all.length);
}
