import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { expect } from 'vitest';
import type { AnyResult, Peer, Way } from '../ways.ts';

export const MODES = ['index', 'catalog', 'full'] as const;

/** The whole result of a search, failed or not. */
export function result(peer: Peer, request: object): Promise<AnyResult> {
  return peer.request('tools/call', { name: 'knowledge_search', arguments: request });
}

/** What a search has found. */
export async function search(peer: Peer, query: string, more: object = {}): Promise<AnyResult> {
  const { isError, structuredContent } = await result(peer, { query, ...more });
  if (isError) throw new Error(`${structuredContent.code}: ${structuredContent.message}`);
  return structuredContent;
}

export async function idsOf(peer: Peer, query: string, more: object = {}): Promise<string[]> {
  const { pieces } = await search(peer, query, { mode: 'index', ...more });
  return pieces.map(({ id }: AnyResult) => id);
}

export interface Page {
  // biome-ignore lint/suspicious/noExplicitAny: pieces of every mode, looked into by tests
  readonly pieces: readonly any[];
  readonly cursor?: string;
}

/** All pages of a search. A cursor that leads in a circle is followed no further than this. */
export async function pagesOf(peer: Peer, query: string, more: object): Promise<Page[]> {
  const pages: Page[] = [await search(peer, query, more)];
  for (let cursor = pages[0]?.cursor; cursor && pages.length < 100; ) {
    const page: Page = await search(peer, query, { ...more, cursor });
    pages.push(page);
    cursor = page.cursor;
  }
  return pages;
}

/** A resource as it is read: the one part of its contents. */
export async function read(peer: Peer, uri: string): Promise<AnyResult> {
  const { contents } = await peer.request('resources/read', { uri });
  if (contents.length !== 1) throw new Error(`${contents.length} parts`);
  return contents[0];
}

export async function complete(
  peer: Peer,
  ref: object,
  name: string,
  value: string,
): Promise<string[]> {
  const argument = { name, value };
  return (await peer.request('completion/complete', { ref, argument })).completion.values;
}

/** The resources that a client was told to have changed, in order. */
export function heard(peer: Peer): string[] {
  return peer.notifications
    .filter(({ method }) => method === 'notifications/resources/updated')
    .map(({ params }) => params.uri);
}

export async function subscribe(peer: Peer, era: Way['era'], uri: string): Promise<void> {
  if (era === 'modern') await peer.listen({ resourceSubscriptions: [uri] });
  else await peer.request('resources/subscribe', { uri });
  // The first one tells that the watch has begun.
  await expect.poll(() => heard(peer), { timeout: 30_000 }).toContain(uri);
}

/** What a model pays for a result: for its text or for its data, whichever its client shows. */
export function tokensOf({ content, structuredContent }: AnyResult): number {
  return Math.max(countTokens(content[0].text), countTokens(JSON.stringify(structuredContent)));
}

export { countTokens };
