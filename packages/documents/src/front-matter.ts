// Of its own: what index.ts names is in the program's code, and few processes need this.
export { fileInvalid } from './checked-yaml.ts';
export { parseFrontMatter } from './front-matter-reader.ts';
export { writeFrontMatter } from './front-matter-writer.ts';
export {
  type LooseFrontMatter,
  type PlacedProblem,
  readLooseFrontMatter,
  withoutFrontMatter,
} from './loose-front-matter.ts';
