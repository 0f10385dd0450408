import type { Thesaurus } from '../thesaurus/thesaurus.ts';
import { splitWords, type Word } from '../words/split.ts';
import { stem } from '../words/stem.ts';
import { WEAK_WORDS } from '../words/stop-words.ts';
import type { Collection } from './collection.ts';
import { spellings } from './spelling.ts';
import type { Weights } from './weights.ts';

/** Stems that stand for a word of a request if all of them are there. */
export interface Alternative {
  readonly stems: readonly string[];
  readonly weight: number;
}

/** A word of a request, and everything that may stand for it in an entry. */
export interface Slot {
  readonly word: string;
  readonly stem: string;
  readonly alternatives: readonly Alternative[];
  /** What the word weighs: rare ones more. */
  readonly weight: number;
  /** One of the words that requests are wrapped in. */
  readonly isWeak: boolean;
}

const MOST_SLOTS = 48;
const LONGEST_REQUEST = 4000;

/** The words of a request that say something. */
export function slotsOf(
  request: string,
  collection: Collection,
  thesaurus: Thesaurus,
  weights: Weights,
): Slot[] {
  const words = splitWords(request.slice(0, LONGEST_REQUEST));
  const strong = words.filter(({ isStopWord }) => !isStopWord);
  const used = strong.length > 0 ? strong : words;
  const stems = used.map((word) => word.stem);
  const slots = new Map<string, Slot>();
  for (const [index, word] of used.entries()) {
    if (slots.has(word.stem)) continue;
    if (slots.size === MOST_SLOTS) break;
    const equivalents = thesaurus.equivalentsAt(stems, index);
    slots.set(word.stem, slotOf(word, equivalents, collection, thesaurus, weights));
  }
  return [...slots.values()];
}

function slotOf(
  { text, stem: own, others, parts }: Word,
  equivalents: readonly (readonly string[])[],
  collection: Collection,
  thesaurus: Thesaurus,
  weights: Weights,
): Slot {
  const written: readonly Alternative[] = [
    { stems: [own], weight: 1 },
    ...others.map((other) => ({ stems: [other], weight: weights.otherForm })),
    ...(parts.length > 1 ? [{ stems: parts, weight: weights.otherForm }] : []),
    ...parts.map((part) => ({ stems: [part], weight: weights.namePart })),
    ...equivalents.map((stems) => ({ stems, weight: weights.equivalent })),
  ];
  const isThere = written.some((one) => frequencyOf(collection, one) > 0);
  const isMisspelt = !isThere && !thesaurus.knows(own);
  const meant = isMisspelt ? spelledRight(text, collection, weights) : [];
  const alternatives = [...written, ...meant];
  // A number that nobody has is one of this case, not of what is asked for.
  const isWeak = WEAK_WORDS.has(text) || (!isThere && /^\p{N}+$/u.test(text));
  // A word that no entry has says no more than one that a single entry has.
  const rarity = collection.rarity(Math.max(1, mostFrequent(collection, alternatives)));
  return {
    word: text,
    stem: own,
    alternatives,
    isWeak,
    weight: rarity * (isWeak ? weights.weakWord : 1),
  };
}

function spelledRight(text: string, collection: Collection, weights: Weights): Alternative[] {
  return spellings(collection, text).map(({ word, distance }) => ({
    stems: [stem(word)],
    weight: weights.typos[distance === 1 ? 0 : 1],
  }));
}

/** In how many entries the word is; if in none, what stands for it. */
function mostFrequent(collection: Collection, [own, ...others]: readonly Alternative[]): number {
  const itself = own ? frequencyOf(collection, own) : 0;
  return itself > 0 ? itself : Math.max(0, ...others.map((one) => frequencyOf(collection, one)));
}

function frequencyOf(collection: Collection, { stems }: Alternative): number {
  return Math.min(...stems.map((one) => collection.frequency(one)));
}
