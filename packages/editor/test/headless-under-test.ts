export { byFile } from '../src/headless/by-file.ts';
