// What words, indexes and matching are made of, for tests that look at it by itself.
export { SegmentCache } from '../src/folders/segment-cache.ts';
export { buildSegment } from '../src/index/build-segment.ts';
export { type Entry, Indexer } from '../src/index/entry.ts';
export { mergeSegments } from '../src/index/merge-segments.ts';
export type { Part, Segment } from '../src/index/segment.ts';
export { decodeSegment, encodeSegment, FORMAT } from '../src/index/segment-file.ts';
export { StringTable } from '../src/index/string-table.ts';
export { distanceWithin } from '../src/matching/spelling.ts';
export { topOf } from '../src/matching/top.ts';
export { PIECE_WORDS } from '../src/matching/weights.ts';
export { entryOf } from '../src/reading/entry-of.ts';
export { readPiece } from '../src/reading/read-piece.ts';
export { compileThesaurus } from '../src/thesaurus/compile.ts';
export { Thesaurus, type WordSets } from '../src/thesaurus/thesaurus.ts';
export { acronymsOf } from '../src/words/acronyms.ts';
export { analyse } from '../src/words/analyse.ts';
export { splitWords } from '../src/words/split.ts';
export { stem } from '../src/words/stem.ts';
