import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Change } from '@baton/core';
import { createMemoryLog, temporaryFolder } from '@baton/testkit';
import { dataFolder } from '../src/data-folder.ts';
import type { Source } from '../src/folders/source.ts';
import type { SearchRequest } from '../src/request.ts';
import { KnowledgeService } from '../src/service.ts';
import { loadThesaurus } from '../src/thesaurus/load.ts';
import { lazyTokenCount } from '../src/tokens/token-counter.ts';

/** Read once: they are the same for all. */
const thesaurus = loadThesaurus(dataFolder());
const countTokens = lazyTokenCount();

export type Files = Readonly<Record<string, string | Uint8Array>>;

export interface KnowledgeUnderTest extends Disposable {
  readonly service: KnowledgeService;
  /** Of everything; `knowledge` and `prompts` in it are the sources, and `cache` is the index. */
  readonly folder: string;
  /** What was published so far. */
  readonly changes: readonly Change[];
  readonly log: ReturnType<typeof createMemoryLog>;
  /** Paths begin with `knowledge/` or `prompts/`. */
  write(files: Files): void;
  remove(file: string): void;
  /** Another process with the same folders and the same index on disk. */
  another(): KnowledgeService;
}

/** The real service on a folder of its own; paths of `files` are in its `knowledge` folder. */
export function createKnowledge(
  files: Files = {},
  given: { readonly prompts?: Files; readonly sources?: readonly Source[] } = {},
): KnowledgeUnderTest {
  const { path: folder, [Symbol.dispose]: dispose } = temporaryFolder();
  const changes: Change[] = [];
  const log = createMemoryLog();
  const write = (all: Files) => {
    for (const [file, content] of Object.entries(all)) {
      const full = path.join(folder, file);
      mkdirSync(path.dirname(full), { recursive: true });
      writeFileSync(full, content);
    }
  };
  const at = (place: string) => path.join(folder, place);
  const usual: readonly Source[] = [
    { name: 'prompts', path: at('prompts'), kind: 'workflow' },
    { name: 'knowledge', path: at('knowledge') },
  ];
  const open = () =>
    new KnowledgeService({
      sources: given.sources ?? usual,
      cacheFolder: at('cache'),
      thesaurus,
      countTokens,
      log,
      // The real one: what has changed is seen by the times of files.
      clock: { now: () => Date.now(), monotonic: () => performance.now() },
      changes: { publish: (change) => changes.push(change), subscribe: () => () => {} },
    });
  mkdirSync(at('knowledge'));
  write(under('knowledge', files));
  write(under('prompts', given.prompts ?? {}));
  return {
    service: open(),
    ...{ folder, changes, log, write, another: open },
    remove: (file) => rmSync(at(file), { recursive: true }),
    [Symbol.dispose]: dispose,
  };
}

function under(place: string, files: Files): Files {
  return Object.fromEntries(
    Object.entries(files).map(([file, content]) => [`${place}/${file}`, content]),
  );
}

/** A request with what most tests do not care about. */
export function asking(query: string, more: Partial<SearchRequest> = {}): SearchRequest {
  return { query, mode: 'catalog', maxTokens: 3000, maxResults: 15, ...more };
}
