import { shortened } from './shortened.ts';

const MOST_ITEMS = 50;
const LONGEST_TEXT = 1000;
const DEEPEST_LIST = 3;

/** A value of front matter as a text of one line; empty if it is none. */
export function textIn(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return '';
  return shortened(value.replace(/\s+/g, ' ').trim(), LONGEST_TEXT);
}

/** A list of words, or words with commas between them. */
export function wordsIn(value: unknown): string[] {
  return listed(typeof value === 'string' ? value.split(',') : value);
}

/** A list of sentences, or one on each line. A sentence has commas of its own. */
export function sentencesIn(value: unknown): string[] {
  if (typeof value !== 'string') return listed(value);
  return listed(value.split('\n').map((line) => line.replace(/^\s*[-*]\s+/, '')));
}

function listed(value: unknown): string[] {
  const items: unknown[] = Array.isArray(value) ? value.flat(DEEPEST_LIST) : [value];
  return items.slice(0, MOST_ITEMS).map(itemText).filter(Boolean);
}

/** `- Slow pages: find out why` is a record to YAML, and a sentence to whoever wrote it. */
function itemText(item: unknown): string {
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return textIn(item);
  const [[name, value] = [], ...more] = Object.entries(item);
  return name === undefined || more.length > 0 ? '' : textIn(`${name}: ${textIn(value)}`);
}
