export { fileInvalid } from './checked-yaml.ts';
export { type FrontMatter, parseFrontMatter } from './front-matter.ts';
export { writeFrontMatter } from './front-matter-writer.ts';
export { parseYamlFile } from './yaml-file.ts';
