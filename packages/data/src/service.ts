import { availableParallelism } from 'node:os';
import { BatonError, escapeControls } from '@baton/core';
import { News } from '@baton/folders';
import { DataLibrary, type Snapshot } from './catalogue/library.ts';
import { RecordsCache } from './catalogue/records-cache.ts';
import { type CheckReport, checkRecords } from './checking.ts';
import { findFields } from './describe/find-fields.ts';
import { type DescribedCategory, describeCategory } from './describe/one-category.ts';
import { type Overview, overview } from './describe/overview.ts';
import { renderDescription } from './describe/render.ts';
import { ChildEngine } from './engine/child-engine.ts';
import { EngineError } from './engine/engine.ts';
import { hasDuckDb } from './engine/load-duckdb.ts';
import { type Insights, type InsightsRequest, insights } from './insights/insights.ts';
import type { DataPorts } from './ports.ts';
import { type QueryAnswer, type QueryRequest, query } from './query/query.ts';
import { findCategory } from './search/find-category.ts';
import type { SearchAnswer, SearchRequest } from './search/request.ts';
import { type SearchOptions, search } from './search/search.ts';
import { engineMissing, troubleOf } from './trouble.ts';

const MEMORY_MEGABYTES = 512;
const PROCESS_MEGABYTES = 1536;
const MOST_THREADS = 4;
const MOST_COMPLETIONS = 100;

/** Everything that can be done with the team's records. */
export class DataService {
  readonly #ports: DataPorts;
  readonly #library: DataLibrary;
  /** What clients want to hear of. */
  readonly #news = new Set<News>();
  #isInstalled = false;

  constructor(ports: DataPorts) {
    this.#ports = ports;
    const { clock, log, cacheFolder, program, packagesOf } = ports;
    const engine = new ChildEngine(program, {
      folder: cacheFolder,
      memoryMegabytes: MEMORY_MEGABYTES,
      processMegabytes: PROCESS_MEGABYTES,
      threads: Math.min(MOST_THREADS, availableParallelism()),
      packagesOf,
    });
    const cache = new RecordsCache(cacheFolder, clock, log);
    this.#library = new DataLibrary(ports.sources, { cache, engine, clock }, () => {
      for (const news of this.#news) news.somethingChanged();
    });
  }

  overview(text?: string): Promise<Overview> {
    return this.#with(({ catalogue }) => overview(catalogue, text));
  }

  describe(name: string, fields?: readonly string[]): Promise<DescribedCategory> {
    return this.#with(({ catalogue }) => {
      const category = findCategory(catalogue, name);
      return describeCategory(catalogue, category, fields && findFields(category, fields));
    });
  }

  search(request: SearchRequest, options: SearchOptions = {}): Promise<SearchAnswer> {
    return this.#with((snapshot) => search(snapshot, request, options));
  }

  query(request: QueryRequest): Promise<QueryAnswer> {
    return this.#with(({ catalogue, engine }) => query(catalogue, engine, request));
  }

  insights(request: InsightsRequest, signal?: AbortSignal): Promise<Insights> {
    return this.#with(({ catalogue, engine }) =>
      insights(catalogue, engine, { ...request, ...(signal && { signal }) }),
    );
  }

  /** What is wrong with files, and with records by their schemas and relations. */
  check(signal?: AbortSignal): Promise<CheckReport> {
    return this.#with((snapshot) => checkRecords(snapshot, signal));
  }

  /** Ids of categories that continue what has been typed. */
  idsBeginningWith(typed: string): Promise<string[]> {
    return this.#with(({ catalogue: { categories } }) =>
      categories
        .map(({ id }) => id)
        // What has to be escaped would not be found by what is shown.
        .filter((id) => id.startsWith(typed) && escapeControls(id) === id)
        .slice(0, MOST_COMPLETIONS),
    );
  }

  /** The catalogue, or a category, as Markdown. */
  async read(name: string | undefined): Promise<string> {
    if (name === undefined) return renderDescription(await this.overview());
    const { version, source, next, ...category } = await this.describe(name);
    return renderDescription({ category, version, source, next });
  }

  /** Calls back when the description of a category has changed, until it is ended. */
  async watch(name: string, changed: () => void): Promise<() => void> {
    const news = new News(() => this.read(name), changed);
    news.told(await this.read(name));
    this.#news.add(news);
    return () => this.#news.delete(news);
  }

  /** Works with the data as it is now, in one piece. */
  async #with<Result>(work: (snapshot: Snapshot) => Result | Promise<Result>): Promise<Result> {
    const { installInto, packagesOf } = this.#ports;
    // What is stored could be told without the engine, and the next call would fail.
    this.#isInstalled ||= hasDuckDb(packagesOf);
    if (!this.#isInstalled) throw engineMissing(installInto);
    try {
      return await this.#once(work);
    } catch (error) {
      const lost = lostRecords(error, this.#ports.cacheFolder);
      if (lost === undefined) throw troubleOf(error, installInto);
      this.#library.forget(lost);
    }
    return this.#once(work).catch((error: unknown) => {
      throw troubleOf(error, installInto);
    });
  }

  async #once<Result>(work: (snapshot: Snapshot) => Result | Promise<Result>): Promise<Result> {
    return work(await this.#library.current());
  }
}

/**
 * What the engine says if somebody has tidied up the state directory while this runs, or if a
 * file there is damaged.
 */
function lostRecords(error: unknown, cacheFolder: string): string | undefined {
  const said = error instanceof BatonError ? error.cause : error;
  if (!(said instanceof EngineError)) return undefined;
  const { message } = said;
  return /^IO Error: /.test(message) || message.includes(cacheFolder) ? message : undefined;
}
