import type { WordWeights } from '../index/impact.ts';

/** How words of a piece are weighed. What is changed here changes what is kept: see `FORMAT`. */
export const PIECE_WORDS: WordWeights = {
  fields: {
    body: { weight: 1.2, length: 0.6, usual: 220 },
    title: { weight: 6, length: 0.4, usual: 8 },
    tags: { weight: 4, length: 0.4, usual: 7 },
    useWhen: { weight: 4, length: 0.4, usual: 20 },
    capabilities: { weight: 3, length: 0.4, usual: 20 },
    description: { weight: 3, length: 0.4, usual: 12 },
    headings: { weight: 2, length: 0.4, usual: 10 },
  },
  saturation: 1.7,
};

const UNUSED = { weight: 0, length: 0, usual: 1 };

/** The same for concepts: their names, how people ask for them, and what belongs to them. */
export const CONCEPT_WORDS: WordWeights = {
  fields: {
    body: UNUSED,
    title: { weight: 2, length: 0.3, usual: 6 },
    tags: UNUSED,
    useWhen: { weight: 2, length: 0.3, usual: 70 },
    capabilities: UNUSED,
    description: { weight: 0.5, length: 0.3, usual: 12 },
    headings: UNUSED,
  },
  saturation: 1.7,
};

/** Every number that ranking depends on. Found by `bench/knowledge/tune.ts` on the tuning set. */
export interface Weights {
  readonly equivalent: number;
  readonly everyday: number;
  readonly otherForm: number;
  /** For a part of a name alone, such as `Loop` of `CrashLoopBackOff`. */
  readonly namePart: number;
  /** For one wrong letter, and for two. */
  readonly typos: readonly [number, number];
  readonly weakWord: number;
  /** How far a concept stands for the words of a request that it explains. */
  readonly concept: number;
  readonly mostConcepts: number;
  /** Share of the best phrase in how likely a concept is; the rest is all of its words. */
  readonly conceptLine: number;
  /** How much more the likeliest concepts count than the others. */
  readonly conceptFocus: number;
  /** Shares of the final score, beside words and their rarity. */
  readonly meaning: number;
  readonly coverage: number;
  readonly keyCoverage: number;
  readonly bestLine: number;
  readonly pairs: number;
  /** From how much on a word counts as there. */
  readonly present: number;
  /** What speaks for and against it that an entry answers the request at all. */
  readonly fit: {
    readonly coverage: number;
    readonly line: number;
    readonly about: number;
    readonly unknown: number;
    /** Below this it does not, and below that it is doubtful. */
    readonly least: number;
    readonly sure: number;
  };
}

export const WEIGHTS: Weights = {
  equivalent: 1,
  everyday: 0.3,
  otherForm: 0.6,
  namePart: 0.2,
  typos: [0.7, 0.6],
  weakWord: 0.2,
  concept: 1.2,
  mostConcepts: 8,
  conceptLine: 0.35,
  conceptFocus: 2,
  meaning: 1.4,
  coverage: 0.4,
  keyCoverage: 0.3,
  bestLine: 0.7,
  pairs: 0.15,
  present: 0.4,
  fit: { coverage: 1.8, line: 3.1, about: 3.9, unknown: 4.3, least: -0.3, sure: 1 },
};
