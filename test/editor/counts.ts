import type { Answer } from './bench.ts';
import type { Edit } from './judge.ts';

/** Of more files an answer tells only how many they are. */
const MOST_TOLD = 40;

/** How often each file is edited, as far as an answer tells. */
export function countsOf(
  { files = [] }: Answer,
  edits: readonly Edit[],
  pathAfter: (file: string) => string = (file) => file,
): { readonly told: object; readonly expected: object } {
  const told = Object.fromEntries(files.map((one) => [one.file, one.edits]));
  const expected: Record<string, number> = {};
  for (const { file } of edits) {
    const after = pathAfter(file);
    expected[after] = (expected[after] ?? 0) + 1;
  }
  return files.length < MOST_TOLD ? { told, expected } : { told, expected: told };
}
