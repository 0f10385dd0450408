import type { Concept, Thesaurus } from '../thesaurus/thesaurus.ts';
import { conceptMark } from './aboutness.ts';
import type { Collection } from './collection.ts';
import { LineMatcher } from './lines.ts';
import { type Counters, matchSlot } from './scoring.ts';
import type { Slot } from './slots.ts';
import { topOf } from './top.ts';
import type { Weights } from './weights.ts';

/** A concept that a request seems to be about, perhaps without naming it. */
export interface MeantConcept extends Concept {
  /** What entries that are about it are marked with. */
  readonly mark: string;
  readonly name: string;
  /** From 0 to 1: how much of the request is how people ask for it. */
  readonly strength: number;
  /** Slots of the request that it explains. */
  readonly explains: readonly number[];
}

/** So many are looked at closely. */
const CANDIDATES = 40;
/** What is far less likely than the likeliest says nothing. */
const LEAST_SHARE = 0.6;

/** What a request may be about, the most likely first. */
export function meantConcepts(
  slots: readonly Slot[],
  thesaurus: Thesaurus,
  weights: Weights,
): MeantConcept[] {
  const { concepts } = thesaurus;
  const [part] = concepts.parts;
  if (!part) return [];
  const asked = slots.map((slot) => loosely(slot, thesaurus, weights));
  const total = asked.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const lines = new LineMatcher(part, asked);
  return concepts
    .withCounters(({ sums, word }) => {
      for (const slot of asked) {
        matchSlot(word, slot, concepts);
        sums.addAll(word, slot.weight / total);
        word.clear();
      }
      return topOf(sums.entries, sums.values, CANDIDATES).map((number) => {
        const { best, inBest } = lines.match(number);
        const words = sums.values[number] ?? 0;
        const strength = (1 - weights.conceptLine) * words + weights.conceptLine * best;
        return { number, strength, explains: inBest };
      });
    })
    .sort((a, b) => b.strength - a.strength)
    .slice(0, weights.mostConcepts)
    .filter(({ strength }, _, [best]) => strength >= LEAST_SHARE * (best?.strength ?? 0))
    .map(({ number, strength, explains }) => ({
      ...thesaurus.concept(number),
      ...{ mark: conceptMark(number), strength, explains },
      name: part.segment.keys[number] ?? '',
    }));
}

/** With what people may also mean by the word. */
function loosely(slot: Slot, thesaurus: Thesaurus, weights: Weights): Slot {
  const { concepts } = thesaurus;
  const alternatives = [
    ...slot.alternatives,
    ...thesaurus.everyday(slot.stem).map((other) => ({ stems: [other], weight: weights.everyday })),
  ];
  const weight = slot.isWeak ? slot.weight : concepts.rarity(concepts.frequency(slot.stem));
  return { ...slot, alternatives, weight };
}

/** Only the likeliest concepts count when it is about whether something fits. */
const CERTAIN_FOCUS = 3;

/**
 * Counts how much entries are about what a request means, from 0 to 1, and the same by the likeliest
 * concepts alone. Concepts that many entries are about say less.
 */
export function matchConcepts(
  { meaning, certainty }: Counters,
  concepts: readonly MeantConcept[],
  collection: Collection,
  weights: Weights,
): void {
  const certain = concepts.reduce((sum, { strength }) => sum + strength ** CERTAIN_FOCUS, 0) || 1;
  for (const { mark, strength } of concepts) {
    const sum = collection.sumOf(mark);
    const rarity = Math.log(1 + collection.count / (sum + 0.3)) / Math.log(1 + collection.count);
    const weight = strength ** weights.conceptFocus * rarity;
    const share = strength ** CERTAIN_FOCUS / certain;
    collection.eachPosting(mark, (entry, value) => {
      meaning.add(entry, weight * value);
      certainty[entry] = (certainty[entry] ?? 0) + share * value;
    });
  }
  let most = 1e-9;
  for (const entry of meaning.entries) most = Math.max(most, meaning.values[entry] ?? 0);
  const factor = (concepts[0]?.strength ?? 0) / most;
  for (const entry of meaning.entries) {
    meaning.values[entry] = (meaning.values[entry] ?? 0) * factor;
  }
}
