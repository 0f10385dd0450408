// The parts that the build and benchmarks put together by themselves.
export { buildSegment } from './index/build-segment.ts';
export { decodeSegment } from './index/segment-file.ts';
export { Collection } from './matching/collection.ts';
export { match } from './matching/matcher.ts';
export { WEIGHTS, type Weights } from './matching/weights.ts';
export { entryOf } from './reading/entry-of.ts';
export { outline } from './reading/outline.ts';
export type { Piece } from './reading/piece.ts';
export { readPiece } from './reading/read-piece.ts';
export { compileThesaurus } from './thesaurus/compile.ts';
export { Thesaurus, type WordSets } from './thesaurus/thesaurus.ts';
