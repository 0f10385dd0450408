import { lstatSync, readdirSync } from 'node:fs';
import { createKnowledgeFeature, type Source } from '@baton/knowledge';
import { cpuTime } from '../store/protocol.ts';
import type { StartOptions, StartTimes } from './starting.ts';

/*
 * A new process that opens a library and asks it once. Code is loaded before the clock starts; what
 * a search needs besides it (thesaurus, tokens, index, a look at all files) is not.
 */
const silent = { isEnabled: () => false, write: () => {}, child: () => silent };
const clock = { now: () => Date.now(), monotonic: () => performance.now() };
const changes = { publish: () => {}, subscribe: () => () => {} };
const trust = { require: async () => {}, isTrusted: async () => true };
const ids = { next: () => crypto.randomUUID() };

const { folder, cacheFolder, query }: StartOptions = JSON.parse(process.argv[2] ?? '');

function openLibrary(sources: readonly Source[]) {
  const feature = createKnowledgeFeature(async () => {
    const { dataFolder, lazyTokenCount, loadThesaurus } = await import('@baton/knowledge/work');
    const thesaurus = loadThesaurus(dataFolder());
    const countTokens = lazyTokenCount();
    return { sources, cacheFolder, thesaurus, countTokens, clock, log: silent, changes };
  });
  const workspace = { path: folder, foundBy: 'folder' } as const;
  return feature.create({ clock, ids, log: silent, changes, trust, workspace });
}

/** What it takes to look at all files, and nothing else. */
function bareLook(root: string): number {
  const started = performance.now();
  lookInto(root);
  return performance.now() - started;
}

// Not by `recursive`: that looks at each file once more.
function lookInto(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const full = `${folder}/${entry.name}`;
    if (entry.isDirectory()) lookInto(full);
    else lstatSync(full);
  }
}

await openLibrary([]);
const used = cpuTime();
const begun = performance.now();
const library = await openLibrary([{ name: 'bench', path: folder }]);
// Nothing has this name, but to say so all folders must have been looked at.
await library.find('-');
const ready = performance.now();
const ask = () => library.search({ query, mode: 'catalog', maxTokens: 3000, maxResults: 15 });
const { pieces } = await ask();
const answered = performance.now();
const cpuMs = cpuTime() - used;
await ask();
const again = performance.now();
const times: StartTimes = {
  readyMs: ready - begun,
  lookMs: bareLook(folder),
  firstMs: answered - begun,
  cpuMs,
  againMs: again - answered,
  found: pieces.length,
};
process.stdout.write(`${JSON.stringify(times)}\n`);
