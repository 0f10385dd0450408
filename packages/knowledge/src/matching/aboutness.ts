import type { Concept } from '../thesaurus/thesaurus.ts';

/** What a text is about: a concept by its number, and how much, from 0 to 1. */
export interface About {
  readonly concept: number;
  readonly weight: number;
}

/** The words of a text, as they are weighed for the index. */
export interface WeighedText {
  /** What each term weighs. */
  readonly terms: ReadonlyMap<string, number>;
  readonly numbers: ReadonlyMap<string, number>;
  /** Which terms stand one after the other anywhere, by their numbers; see `pairOf`. */
  readonly pairs: ReadonlySet<number>;
}

/** Two terms that stand one after the other. */
export function pairOf(first: number, second: number): number {
  return first * 2 ** 20 + second;
}

interface Phrase {
  readonly concept: number;
  readonly stems: readonly string[];
  readonly isName: boolean;
}

const LEAST_WEIGHT = 0.12;
const MOST_CONCEPTS = 40;
/** How much it says that something is mentioned that belongs to a concept. */
const RELATED = 0.4;
/** Words of a name that do not stand together say less. */
const APART = 0.4;

/** Finds out which concepts a text is about, by their names and by what belongs to them. */
export class ConceptFinder {
  /** Each by that of its stems which the fewest others have: few texts have to be looked at for it. */
  readonly #phrases: ReadonlyMap<string, readonly Phrase[]>;
  readonly #relatedCounts: readonly number[];

  constructor(concepts: readonly Concept[]) {
    const phrases = concepts.flatMap(({ names, related }, concept): Phrase[] => [
      ...names.map((stems) => ({ concept, stems, isName: true })),
      ...related.map((stems) => ({ concept, stems, isName: false })),
    ]);
    this.#phrases = byRarestStem(phrases);
    this.#relatedCounts = concepts.map(({ related }) => Math.max(1, related.length));
  }

  about(text: WeighedText): About[] {
    const names = new Map<number, number>();
    const hints = new Map<number, number>();
    for (const stem of text.terms.keys()) {
      for (const phrase of this.#phrases.get(stem) ?? []) {
        const value = presence(phrase.stems, text);
        if (value === 0) continue;
        const { concept, isName } = phrase;
        if (isName) names.set(concept, Math.max(names.get(concept) ?? 0, value));
        else {
          const each = RELATED / Math.sqrt(this.#relatedCounts[concept] ?? 1);
          hints.set(concept, 1 - (1 - (hints.get(concept) ?? 0)) * (1 - each * value));
        }
      }
    }
    return [...new Set([...names.keys(), ...hints.keys()])]
      .map((concept) => {
        const [name, hint] = [names.get(concept) ?? 0, hints.get(concept) ?? 0];
        return { concept, weight: 1 - (1 - name) * (1 - hint) };
      })
      .filter(({ weight }) => weight >= LEAST_WEIGHT)
      .sort((a, b) => b.weight - a.weight)
      .slice(0, MOST_CONCEPTS);
  }
}

function byRarestStem(phrases: readonly Phrase[]): Map<string, Phrase[]> {
  const counts = new Map<string, number>();
  for (const { stems } of phrases) {
    for (const stem of stems) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  const found = new Map<string, Phrase[]>();
  for (const phrase of phrases) {
    const [rarest] = phrase.stems.toSorted((a, b) => (counts.get(a) ?? 0) - (counts.get(b) ?? 0));
    if (rarest === undefined) continue;
    const others = found.get(rarest);
    if (others) others.push(phrase);
    else found.set(rarest, [phrase]);
  }
  return found;
}

/** How much a text says all of the words, best one after another. */
function presence(stems: readonly string[], { terms, numbers, pairs }: WeighedText): number {
  let sum = 0;
  let together = 0;
  let before = -1;
  for (const stem of stems) {
    const weight = terms.get(stem);
    if (weight === undefined) return 0;
    sum += weight;
    const number = numbers.get(stem) ?? -1;
    if (before >= 0 && pairs.has(pairOf(before, number))) together += 1;
    before = number;
  }
  const most = stems.length - 1;
  const closeness = most === 0 ? 1 : APART + ((1 - APART) * together) / most;
  return (closeness * sum) / stems.length;
}

/** The mark of a concept in the index. */
export function conceptMark(concept: number): string {
  return `=${concept}`;
}
