const PART_OF_WORD = /[\p{ID_Continue}$]/u;

/** Where a name stands by itself, not as a part of a longer one. */
export function* placesOfWord(text: string, word: string): Generator<number> {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
    const before = text.slice(Math.max(0, at - 2), at);
    const after = text.slice(at + word.length, at + word.length + 2);
    if (!isPart([...before].at(-1)) && !isPart([...after][0])) yield at;
  }
}

export function countWord(text: string, word: string): number {
  let count = 0;
  for (const _ of placesOfWord(text, word)) count += 1;
  return count;
}

function isPart(character: string | undefined): boolean {
  return character !== undefined && PART_OF_WORD.test(character);
}
