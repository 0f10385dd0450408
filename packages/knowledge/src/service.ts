import { BatonError, type Prompt } from '@baton/core';
import { News } from '@baton/folders';
import type { SearchAnswer } from './answer.ts';
import { checkFolders } from './checking.ts';
import { SegmentCache } from './folders/segment-cache.ts';
import { type FoundPiece, Library } from './library.ts';
import { textOf } from './listing.ts';
import { renderResource } from './markdown.ts';
import { listOfKind, overview } from './overview.ts';
import type { KnowledgePorts } from './ports.ts';
import { promptOf } from './prompts/prompts.ts';
import type { Problem } from './reading/piece.ts';
import { requestOf, type SearchRequest } from './request.ts';
import { assertAsked, type SearchOptions, search } from './searching.ts';
import { countStats, type Stats } from './stats.ts';
import type { Wanted } from './uris.ts';

const MOST_COMPLETIONS = 100;

/** Everything that can be done with the team's knowledge. */
export class KnowledgeService {
  readonly #ports: KnowledgePorts;
  readonly #library: Library;
  readonly #promptNews: News;
  /** What clients want to hear of. */
  readonly #news = new Set<News>();

  constructor(ports: KnowledgePorts) {
    this.#ports = ports;
    const { clock, log, thesaurus, sources, countTokens } = ports;
    this.#promptNews = new News(
      async () => JSON.stringify(await this.prompts()),
      () => ports.changes.publish({ kind: 'prompts' }),
    );
    this.#news.add(this.#promptNews);
    this.#library = new Library(
      sources,
      {
        clock,
        countTokens,
        cache: new SegmentCache(ports.cacheFolder, thesaurus.version, clock, log),
        indexer: () => thesaurus.indexer,
      },
      () => {
        for (const news of this.#news) news.somethingChanged();
      },
    );
  }

  search(request: SearchRequest, options?: SearchOptions): Promise<SearchAnswer> {
    assertAsked(request.query);
    const { thesaurus, countTokens, clock } = this.#ports;
    return search(
      request,
      { library: this.#library, thesaurus, countTokens, now: clock.now },
      options,
    );
  }

  /** By `kind/id`, or by an id that only one piece has. */
  find(name: string): Promise<FoundPiece | undefined> {
    return this.#library.find(name);
  }

  /** The text of a piece, without front matter, as its file is now. */
  textOf(piece: FoundPiece): string {
    const text = textOf(piece, this.#ports.clock.now);
    if (text !== undefined) return text;
    throw new BatonError(
      'knowledge_gone',
      `The file of ${piece.key} has just gone.`,
      'Search again: its text may be in another file now.',
    );
  }

  /** `kind/id` of every piece, in order. */
  keys(): Promise<readonly string[]> {
    return this.#library.keys();
  }

  /** Ids that continue what has been typed. */
  async idsBeginningWith(typed: string): Promise<string[]> {
    const ids = (await this.keys()).map((key) => key.slice(key.indexOf('/') + 1));
    return [...new Set(ids.filter((id) => id.startsWith(typed)))].slice(0, MOST_COMPLETIONS);
  }

  /** What a URI asks for, as Markdown; `undefined` if there is no such piece. */
  async read(wanted: Wanted): Promise<string | undefined> {
    switch (wanted.type) {
      case 'overview':
        return overview(await this.stats());
      case 'kind':
        return listOfKind(wanted.kind, await this.keys());
      case 'piece': {
        const piece = await this.find(`${wanted.kind}/${wanted.id}`);
        return piece && this.textOf(piece);
      }
      case 'match':
        return renderResource(await this.search(requestOf(wanted), { renders: [renderResource] }));
    }
  }

  /** Calls back when what a URI asks for has changed, until it is ended. */
  async watch(wanted: Wanted, changed: () => void): Promise<() => void> {
    const news = new News(() => this.read(wanted), changed);
    news.told(await this.read(wanted));
    this.#news.add(news);
    return () => this.#news.delete(news);
  }

  /** Every workflow, as a prompt. */
  async prompts(): Promise<readonly Prompt<KnowledgeService>[]> {
    const pieces = await this.#library.ofKind('workflow');
    const prompts = new Map<string, Prompt<KnowledgeService>>();
    for (const piece of pieces) {
      const prompt = promptOf(piece);
      if (!prompts.has(prompt.name)) prompts.set(prompt.name, prompt);
    }
    const list = [...prompts.values()];
    this.#promptNews.told(JSON.stringify(list));
    return list;
  }

  /** What is wrong with files, with their lines. */
  async check(): Promise<readonly Problem[]> {
    const known = await this.#library.problems();
    const keys = new Set(await this.keys());
    return checkFolders(this.#library.shelves(), known, keys, this.#ports.clock.now);
  }

  async stats(): Promise<Stats> {
    return countStats(await this.#library.all(), this.#library.shelves());
  }
}
