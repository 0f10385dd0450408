import { nearest } from '@baton/core';

const MOST_NEAR = 3;
const MOST_LISTED = 20;

/** The names that come nearest to a word, the nearest first. */
export function nearNames(word: string, names: Iterable<string>): readonly string[] {
  const left = new Set(names);
  const found: string[] = [];
  while (found.length < MOST_NEAR) {
    const name = nearest(word, left);
    if (name === undefined) break;
    found.push(name);
    left.delete(name);
  }
  return found;
}

/** `a, b, c and 17 more` */
export function listed(names: readonly string[]): string {
  const more = names.length - MOST_LISTED;
  const shown = names.slice(0, MOST_LISTED).join(', ');
  return more > 0 ? `${shown} and ${more} more` : shown;
}

/** A name from outside, short enough to be repeated in a message. */
export function shownName(name: string): string {
  return `"${name.length > 80 ? `${name.slice(0, 79)}…` : name}"`;
}
