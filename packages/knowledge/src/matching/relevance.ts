import { analyse } from '../words/analyse.ts';
import type { Matched } from './matcher.ts';

type Relevance = (text: string) => number;

/** Made once for all pieces of an answer. */
const known = new WeakMap<Matched, Relevance>();

/** How relevant a stretch of text is for a request that was matched. */
export function relevanceOf(matched: Matched): Relevance {
  const made = known.get(matched) ?? makeRelevance(matched);
  known.set(matched, made);
  return made;
}

function makeRelevance({ slots, concepts }: Matched): Relevance {
  const weights = new Map<string, number>();
  const put = (stems: readonly string[], weight: number) => {
    for (const stem of stems) weights.set(stem, Math.max(weights.get(stem) ?? 0, weight));
  };
  for (const { alternatives, weight } of slots) {
    for (const one of alternatives) put(one.stems, (weight * one.weight) / one.stems.length);
  }
  for (const { names, related, strength } of concepts) {
    for (const name of names) put(name, strength / name.length);
    for (const words of related) put(words, (0.4 * strength) / words.length);
  }
  return (text) => {
    const { stems, others } = analyse(text);
    const counts = new Map<string, number>();
    for (const stem of [...stems, ...others]) {
      if (weights.has(stem)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
    }
    let sum = 0;
    for (const [stem, count] of counts) sum += (weights.get(stem) ?? 0) * (count / (count + 1));
    return sum;
  };
}
