import { knowledgeSearch } from './knowledge-search.ts';

export const knowledgeTools = [knowledgeSearch];
