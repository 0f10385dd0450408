import path from 'node:path';
import { isPath } from './places.ts';

/** Longer ones are no paths. */
const LONGEST = 300;

/**
 * Whether a string in a file is a relative path to something else than what a word stands for:
 * there is a `'./money.ts'` in other folders, too. A word stands for the words that end with it.
 */
export function leadsElsewhere(
  string: string,
  file: string,
  word: string,
  words: readonly string[],
): boolean {
  if (!isPath(word) || string.length > LONGEST || !/^\.\.?\/\S*$/.test(string)) return false;
  const targets = targetsOf(word, words);
  if (targets.length === 0) return false;
  const [relative = ''] = string.split(/[?#]/, 1);
  // Programs also name files from where they are started.
  return ![path.posix.join(path.posix.dirname(file), relative), path.posix.join(relative)].some(
    (led) => targets.some((to) => (to.endsWith('/') ? led.startsWith(to) : led === to)),
  );
}

/** The paths from the workspace's folder that a shorter word stands for. */
function targetsOf(word: string, words: readonly string[]): readonly string[] {
  const tail = `/${word.replace(/^[./]*\//, '')}`;
  return words.filter((other) => !/^\.{0,2}\//.test(other) && other.endsWith(tail));
}
