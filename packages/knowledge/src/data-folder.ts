import { fileURLToPath } from 'node:url';

/**
 * Where the bundler has put what knowledge is searched with: beside the program. What runs from
 * source takes what was built last.
 */
export function dataFolder(): string {
  const isSource = import.meta.url.endsWith('.ts');
  const place = isSource ? '../../../node_modules/.cache/baton/knowledge' : './knowledge';
  return fileURLToPath(new URL(place, import.meta.url));
}
