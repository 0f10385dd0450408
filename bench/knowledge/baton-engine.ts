import { fileURLToPath } from 'node:url';
import {
  buildSegment,
  Collection,
  compileThesaurus,
  decodeSegment,
  entryOf,
  match,
  Thesaurus,
  WEIGHTS,
  type Weights,
  type WordSets,
} from '@baton/knowledge/search';
import type { Document } from './material.ts';
import type { Engine } from './peers.ts';

const MOST = 10;

let thesaurus: Thesaurus | undefined;

function theThesaurus(): Thesaurus {
  thesaurus ??= readThesaurus();
  return thesaurus;
}

function readThesaurus(): Thesaurus {
  const folder = new URL('../../packages/knowledge/thesaurus', import.meta.url);
  const { concepts, wordSets } = compileThesaurus(fileURLToPath(folder));
  const segment = decodeSegment(concepts);
  if (!segment) throw new Error('The thesaurus was not compiled');
  return new Thesaurus(segment, JSON.parse(wordSets) as WordSets);
}

/** Baton's own matching over documents in memory. */
export function batonEngine(
  documents: readonly Document[],
  weights: () => Weights = () => WEIGHTS,
): Engine {
  const { indexer } = theThesaurus();
  const segment = buildSegment(
    documents.map(({ file, piece }) => {
      const stamp = { path: file, size: 0, changed: 0 };
      return indexer.index(entryOf(piece, stamp, { tokens: 0, hash: '' }));
    }),
  );
  const collection = new Collection([{ segment, hidden: new Uint8Array(segment.count) }]);
  return {
    search(request) {
      const { hits } = match(request, collection, theThesaurus(), undefined, weights());
      return hits.slice(0, MOST).map(({ entry }) => segment.paths[entry] ?? '');
    },
    indexBytes: () =>
      Object.values(segment.arrays).reduce((sum, { byteLength }) => sum + byteLength, 0),
  };
}
