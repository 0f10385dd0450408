import type { Edit } from './judge.ts';

function ordered(edits: readonly Edit[]): Edit[] {
  return edits.toSorted((a, b) => a.start - b.start);
}

/** Whether no edit touches a place of another. */
export function isApart(all: readonly Edit[], more: readonly Edit[]): boolean {
  const taken = new Map<string, Edit[]>();
  for (const edit of all) taken.set(edit.file, [...(taken.get(edit.file) ?? []), edit]);
  return !more.some(({ file, start, length }) =>
    taken.get(file)?.some((one) => start <= one.start + one.length && one.start <= start + length),
  );
}

export function withEdits(text: string, edits: readonly Edit[]): string {
  let made = text;
  for (const { start, length, newText } of ordered(edits).reverse())
    made = made.slice(0, start) + newText + made.slice(start + length);
  return made;
}

/** Whether a text is another one but for these places, in which there may be any path. */
export function fitsAround(before: string, edits: readonly Edit[], now: string): boolean {
  let at = 0;
  let reached = 0;
  for (const { start, length } of ordered(edits)) {
    const kept = before.slice(reached, start);
    if (!now.startsWith(kept, at)) return false;
    at += kept.length;
    const [path] = /^[^'"`\r\n]*/.exec(now.slice(at)) ?? [''];
    at += path.length;
    reached = start + length;
  }
  return now.slice(at) === before.slice(reached);
}
