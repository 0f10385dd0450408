export { configuredPaths } from '../src/rename-file/configured-paths.ts';
export { keepSpecifiers } from '../src/rename-file/kept-specifiers.ts';
