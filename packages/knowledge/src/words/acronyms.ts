import { splitWords } from './split.ts';

const FEWEST_WORDS = 3;
const MOST_WORDS = 5;

/** What people make of names: `cwv` of `Core Web Vitals`. */
export function acronymsOf(names: readonly string[]): string[] {
  const found = names.flatMap((name) => {
    const words = splitWords(name).filter(({ isStopWord }) => !isStopWord);
    if (words.length < FEWEST_WORDS || words.length > MOST_WORDS) return [];
    return words.map(({ text }) => text.charAt(0)).join('');
  });
  return [...new Set(found)];
}
