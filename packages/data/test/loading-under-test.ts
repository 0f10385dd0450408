export { copyIn } from '../src/loading/copy-in.ts';
export { formatOf } from '../src/loading/formats.ts';
export { load, type ReadingRules } from '../src/loading/load.ts';
