import { createHash } from 'node:crypto';
import { Indexer } from '../index/entry.ts';
import type { Segment } from '../index/segment.ts';
import { ConceptFinder } from '../matching/aboutness.ts';
import { Collection } from '../matching/collection.ts';
import { PIECE_WORDS } from '../matching/weights.ts';

/** Something that software work has a name for. */
export interface Concept {
  /** Each as its stems. */
  readonly names: readonly (readonly string[])[];
  readonly related: readonly (readonly string[])[];
}

/** Sets of words that stand for each other; each as its stems with blanks between them. */
export interface WordSets {
  /** They mean the same. */
  readonly equivalents: readonly (readonly string[])[];
  /** People use them for the same thing when they describe what they see. */
  readonly everyday: readonly (readonly string[])[];
}

/** The most words of a phrase that stands for another. */
export const LONGEST_PHRASE = 4;

/** The words of software work: what means the same, and how people ask for what they cannot name. */
export class Thesaurus {
  /** A request finds concepts in it as it finds pieces elsewhere. */
  readonly concepts: Collection;
  readonly #segment: Segment;
  readonly #known: Concept[] = [];
  readonly #equivalents: ReadonlyMap<string, readonly string[]>;
  readonly #everyday: ReadonlyMap<string, readonly string[]>;
  #indexer: Indexer | undefined;

  constructor(concepts: Segment, { equivalents, everyday }: WordSets) {
    this.#segment = concepts;
    this.concepts = new Collection([{ segment: concepts, hidden: new Uint8Array(concepts.count) }]);
    this.#equivalents = othersByPhrase(equivalents);
    this.#everyday = othersByPhrase(everyday);
  }

  /** What means the same as the word at a place, alone or together with its neighbours. */
  equivalentsAt(stems: readonly string[], index: number): readonly (readonly string[])[] {
    const found: (readonly string[])[] = [];
    for (let length = 1; length <= LONGEST_PHRASE; length++) {
      const last = Math.min(index, stems.length - length);
      for (let start = Math.max(0, index - length + 1); start <= last; start++) {
        const phrase = stems.slice(start, start + length).join(' ');
        for (const other of this.#equivalents.get(phrase) ?? []) found.push(other.split(' '));
      }
    }
    return found;
  }

  /** What people may mean by a word when they describe what they see. */
  everyday(stem: string): readonly string[] {
    return this.#everyday.get(stem) ?? [];
  }

  /** Whether it is a word at all, and not a misspelt one. */
  knows(stem: string): boolean {
    return (
      this.#everyday.has(stem) || this.#equivalents.has(stem) || this.concepts.frequency(stem) > 0
    );
  }

  /** Changes with the concepts, whose numbers stand in indexes. */
  get version(): string {
    const { recordBytes } = this.#segment.arrays;
    return createHash('sha256').update(recordBytes).digest('hex').slice(0, 16);
  }

  concept(number: number): Concept {
    const known = this.#known[number] ?? (this.#segment.record(number) as Concept);
    this.#known[number] = known;
    return known;
  }

  /** What indexes pieces, with the concepts that they are about. */
  get indexer(): Indexer {
    this.#indexer ??= new Indexer(
      PIECE_WORDS,
      new ConceptFinder(
        Array.from({ length: this.#segment.count }, (_, number) => this.concept(number)),
      ),
    );
    return this.#indexer;
  }
}

function othersByPhrase(sets: readonly (readonly string[])[]): Map<string, readonly string[]> {
  const others = new Map<string, readonly string[]>();
  for (const set of sets) {
    for (const phrase of set) {
      const rest = set.filter((other) => other !== phrase);
      others.set(phrase, [...(others.get(phrase) ?? []), ...rest]);
    }
  }
  return others;
}
