import {
  type Bound,
  type ChangeFeed,
  describeError,
  type Log,
  type ResourceTemplate,
  truncate,
} from '@baton/core';
import { type Coalesced, coalesce, type Schedule } from './coalesce.ts';
import { matchTemplates, type TemplateMatch } from './resource-templates.ts';

/** A resource can change hundreds of times in a second; nobody reads it as often. */
const ANNOUNCE_EVERY_MS = 100;

export interface ResourceWatchesOptions {
  readonly templates: readonly Bound<ResourceTemplate>[];
  readonly changes: ChangeFeed;
  readonly log: Log;
  readonly schedule?: Schedule;
}

/** Watches resources as long as any client is subscribed to them: all of them share one watch. */
export class ResourceWatches {
  readonly #options: ResourceWatchesOptions;
  readonly #shared = new Map<string, SharedWatch>();

  constructor(options: ResourceWatchesOptions) {
    this.#options = options;
  }

  /** Has changes published until the returned function is called. */
  watch(uri: string): () => void {
    const shared = this.#shared.get(uri) ?? this.#create(uri);
    if (!shared) return () => {};
    shared.join();
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      if (shared.leave() === 0) this.#shared.delete(uri);
    };
  }

  #create(uri: string): SharedWatch | undefined {
    const match = matchTemplates(this.#options.templates, uri);
    if (!match?.template.item.watch) return undefined;
    const shared = new SharedWatch(uri, match, this.#options);
    this.#shared.set(uri, shared);
    return shared;
  }
}

/** The watch of one resource, from its first subscriber to its last. */
class SharedWatch {
  readonly #uri: string;
  readonly #match: TemplateMatch;
  readonly #log: Log;
  readonly #announcement: Coalesced;
  #subscribers = 0;
  #started: Promise<() => void> | undefined;

  constructor(uri: string, match: TemplateMatch, options: ResourceWatchesOptions) {
    const { changes, log, schedule } = options;
    this.#uri = uri;
    this.#match = match;
    this.#log = log;
    const announce = () => changes.publish({ kind: 'resource', uri });
    this.#announcement = coalesce(announce, ANNOUNCE_EVERY_MS, schedule);
  }

  join(): void {
    this.#subscribers += 1;
    this.#started ??= this.#start().catch((error: unknown) => {
      this.#warn('cannot be watched', error);
      this.#started = undefined; // What failed now may work for the next subscriber.
      return () => {};
    });
  }

  /** Returns how many are left. */
  leave(): number {
    this.#subscribers -= 1;
    if (this.#subscribers === 0) this.#end();
    return this.#subscribers;
  }

  async #start(): Promise<() => void> {
    const { template, variables } = this.#match;
    const { item } = template;
    const changed = () => this.#announcement.request();
    const end = await item.watch?.(await template.service(), variables, changed);
    // It may have changed after a subscriber has read it, and before there was a watch.
    changed();
    return end ?? (() => {});
  }

  #end(): void {
    this.#announcement.stop();
    this.#started
      ?.then((end) => end())
      .catch((error: unknown) => this.#warn('is watched for nobody', error));
  }

  #warn(what: string, error: unknown): void {
    this.#log.write('warn', `${truncate(this.#uri, 200)} ${what}: ${describeError(error)}`);
  }
}
