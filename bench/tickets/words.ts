const CONSONANTS = ['b', 'd', 'f', 'g', 'k', 'l', 'm', 'n', 'p', 'r', 's', 't', 'v', 'z'];
const VOWELS = ['a', 'e', 'i', 'o', 'u'];
const SYLLABLES = CONSONANTS.flatMap((consonant) => VOWELS.map((vowel) => consonant + vowel));
const WORDS = 5_000;

/** The same numbers in every run, so that runs can be compared. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The word of a rank: the first is the most common one. */
export function wordOf(rank: number): string {
  const syllable = (index: number) => SYLLABLES[index % SYLLABLES.length] ?? '';
  // Scattered, so that words that are equally common do not begin alike.
  const place = (rank * 2_741) % (SYLLABLES.length * SYLLABLES.length);
  return syllable(place) + syllable(Math.floor(place / SYLLABLES.length)) + syllable(rank * 13);
}

/** As in any language: the second word is half as common as the first, the third a third. */
function randomWord(random: () => number): string {
  return wordOf(Math.floor(WORDS ** random()));
}

export function randomText(random: () => number, length: number): string {
  let text = randomWord(random);
  while (text.length < length) text += ` ${randomWord(random)}`;
  return text;
}
