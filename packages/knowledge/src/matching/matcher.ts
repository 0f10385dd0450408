import type { Thesaurus } from '../thesaurus/thesaurus.ts';
import type { Collection } from './collection.ts';
import { type MeantConcept, matchConcepts, meantConcepts } from './concepts.ts';
import { type LineMatch, LineMatcher } from './lines.ts';
import { type Counters, matchSlot } from './scoring.ts';
import { type Slot, slotsOf } from './slots.ts';
import { topOf } from './top.ts';
import { WEIGHTS, type Weights } from './weights.ts';

export interface Hit {
  /** Number of the entry in the collection. */
  readonly entry: number;
  /** From 0 to 1: how well it answers the request. */
  readonly score: number;
  /** Share of the request, by weight, that is in it or meant by it. */
  readonly coverage: number;
  /** Whether it answers the request at all: by what it covers, not by its score. */
  readonly fit: 'none' | 'doubtful' | 'sure';
}

export interface Matched {
  readonly slots: readonly Slot[];
  readonly concepts: readonly MeantConcept[];
  /** The best first. */
  readonly hits: readonly Hit[];
}

/** So many are looked at closely. */
const CANDIDATES = 50;
const NO_LINES: LineMatch = { keyCoverage: 0, best: 0, inBest: [], pairs: 0 };

/** Ranks the entries of a collection by a request. */
export function match(
  request: string,
  collection: Collection,
  thesaurus: Thesaurus,
  allowed?: Uint8Array,
  weights: Weights = WEIGHTS,
): Matched {
  const slots = slotsOf(request, collection, thesaurus, weights);
  const concepts = meantConcepts(slots, thesaurus, weights);
  const hits = collection.withCounters((counters) => {
    const { sums, meaning } = counters;
    matchConcepts(counters, concepts, collection, weights);
    countWords(counters, slots, concepts, collection, weights);
    sums.addAll(meaning, weights.meaning);
    const entries = allowed ? sums.entries.filter((entry) => allowed[entry]) : sums.entries;
    const candidates = topOf(entries, sums.values, CANDIDATES);
    const unknown = unknownShare(slots, collection);
    return rank(candidates, { collection, slots, counters, unknown, weights });
  });
  return { slots, concepts, hits };
}

/** Counts of each entry which share of the request is in it: by how much, and whether at all. */
function countWords(
  { sums, word, covered }: Counters,
  slots: readonly Slot[],
  concepts: readonly MeantConcept[],
  collection: Collection,
  weights: Weights,
): void {
  const total = slots.reduce((sum, { weight }) => sum + weight, 0) || 1;
  /** Entries about what explains a word count as if they had it. */
  const explaining = (number: number) =>
    concepts
      .filter(({ explains }) => explains.includes(number))
      .map(({ mark, strength }) => ({ stems: [mark], weight: weights.concept * strength }));
  for (const [number, slot] of slots.entries()) {
    matchSlot(word, { alternatives: [...slot.alternatives, ...explaining(number)] }, collection);
    const share = slot.weight / total;
    const { entries, values } = word;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0;
      const value = Math.min(1, (values[entry] ?? 0) / weights.present);
      covered[entry] = (covered[entry] ?? 0) + share * value;
    }
    sums.addAll(word, share);
    word.clear();
  }
}

interface Ranking {
  readonly collection: Collection;
  readonly slots: readonly Slot[];
  readonly counters: Counters;
  /** Share of the request that no entry of the collection has. */
  readonly unknown: number;
  readonly weights: Weights;
}

function rank(candidates: readonly number[], ranking: Ranking): Hit[] {
  const { collection, slots, counters, weights } = ranking;
  const { covered } = counters;
  const matchers = new Map(collection.parts.map((part) => [part, new LineMatcher(part, slots)]));
  const { coverage, keyCoverage, bestLine, pairs, meaning } = weights;
  const most = 1 + meaning + coverage + keyCoverage + bestLine + pairs;
  const hits = candidates.map((entry): Hit => {
    const { part, local } = collection.place(entry);
    const lines = matchers.get(part)?.match(local) ?? NO_LINES;
    const share = covered[entry] ?? 0;
    const score =
      ((counters.sums.values[entry] ?? 0) +
        coverage * share +
        keyCoverage * lines.keyCoverage +
        bestLine * lines.best +
        pairs * lines.pairs) /
      most;
    return { entry, score, coverage: share, fit: fitOf(entry, share, lines.best, ranking) };
  });
  return hits.sort((a, b) => b.score - a.score || a.entry - b.entry);
}

function fitOf(
  entry: number,
  coverage: number,
  line: number,
  { counters: { certainty }, unknown, weights: { fit } }: Ranking,
): Hit['fit'] {
  const value =
    fit.coverage * coverage +
    fit.line * line +
    fit.about * (certainty[entry] ?? 0) -
    fit.unknown * unknown;
  if (value < fit.least) return 'none';
  return value < fit.sure ? 'doubtful' : 'sure';
}

function unknownShare(slots: readonly Slot[], collection: Collection): number {
  let [unknown, total] = [0, 0];
  for (const { alternatives, weight } of slots) {
    const isThere = alternatives.some(({ stems }) =>
      stems.every((stem) => collection.frequency(stem) > 0),
    );
    total += weight;
    if (!isThere) unknown += weight;
  }
  return total > 0 ? unknown / total : 1;
}
