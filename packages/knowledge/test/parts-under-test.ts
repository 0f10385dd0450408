// What tests look at by itself, beside the service.
export { list } from '../src/listing.ts';
export { renderMarkdown } from '../src/markdown.ts';
export { AnswerCost } from '../src/packing/answer-cost.ts';
export { cutText } from '../src/packing/cut.ts';
export { longestWithin } from '../src/packing/longest-within.ts';
export { assemble, GAP, sectionsOf, wordEnd } from '../src/packing/units.ts';
export { argumentsOf, substitute, undeclared } from '../src/prompts/substitute.ts';
export { readArguments } from '../src/reading/arguments.ts';
export { outline } from '../src/reading/outline.ts';
export type { PieceArgument } from '../src/reading/piece.ts';
export { readPiece } from '../src/reading/read-piece.ts';
export { requestOf } from '../src/request.ts';
export { knowledgeResources, knowledgeTemplates } from '../src/resources.ts';
export { lazyTokenCount } from '../src/tokens/token-counter.ts';
export { readOldUri, readUri } from '../src/uris.ts';
