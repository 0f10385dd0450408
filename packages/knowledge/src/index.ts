// What every process knows of knowledge. What only those need who use it is in work.ts.
export type { SearchAnswer } from './answer.ts';
export { createKnowledgeFeature } from './feature.ts';
export type { Source } from './folders/source.ts';
export type { KnowledgePorts } from './ports.ts';
export type { KnowledgeService } from './service.ts';
export { knowledgeTools } from './tools/index.ts';
