// What only those need who use knowledge: it is not read at every start.
export { dataFolder } from './data-folder.ts';
export { loadThesaurus } from './thesaurus/load.ts';
export { lazyTokenCount } from './tokens/token-counter.ts';
