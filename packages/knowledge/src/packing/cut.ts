import type { AnswerCost } from './answer-cost.ts';
import { longestWithin } from './longest-within.ts';
import { assemble, blockEnds, lineEnds, sectionsOf, type Unit, wordEnd } from './units.ts';

export interface Cutting {
  readonly cost: AnswerCost;
  /** How relevant a stretch of text is. */
  relevance(text: string): number;
  /** By how many tokens a text that was put together is above the budget. */
  excess(text: string): number;
}

/** Marks of what was left out. */
const GAPS_TOKENS = 8;
/** A unit beside others costs more than alone: line breaks between them. */
const JOINT_TOKENS = 2;
/** Less of a text says nothing. */
const LEAST_TOKENS = 8;
/** So much of the budget is enough; a cut at the end of a paragraph is worth the rest. */
const WELL_USED = 0.9;
/** Prices of units are near enough that two or three are needed. */
const MOST_TRIES = 12;

/**
 * The parts of a text that fit into a budget: its most relevant sections, and the beginning of the
 * first of them that does not fit. `undefined` if nothing worth reading does.
 */
export function cutText(text: string, budget: number, cutting: Cutting): string | undefined {
  const sections = new PricedSections(text, cutting);
  let best: string | undefined;
  let limit = budget - GAPS_TOKENS;
  // Tokens reach over the units that a text is put together from: only the whole can be counted.
  for (let tries = 0; tries < MOST_TRIES && limit >= LEAST_TOKENS; tries++) {
    const units = sections.within(limit);
    if (units.length === 0) break;
    const assembled = assemble(text, units);
    const excess = cutting.excess(assembled);
    if (excess <= 0) best = assembled;
    else if (best !== undefined) break;
    if (excess <= 0 && -excess < budget * (1 - WELL_USED)) break;
    limit -= excess;
  }
  return best;
}

class PricedSections {
  readonly #text: string;
  readonly #price: (text: string) => number;
  /** The most relevant first. */
  readonly #units: readonly Unit[];

  constructor(text: string, { cost, relevance }: Cutting) {
    this.#text = text;
    this.#price = (part) => cost.ofText(part) + JOINT_TOKENS;
    this.#units = sectionsOf(text)
      .map((unit) => ({ unit, value: relevance(text.slice(unit.start, unit.end)) }))
      .sort((a, b) => b.value - a.value || a.unit.start - b.unit.start)
      .map(({ unit }) => unit);
  }

  within(limit: number): readonly Unit[] {
    const chosen: Unit[] = [];
    let left = limit;
    for (const unit of this.#units) {
      if (left < LEAST_TOKENS || left < limit * (1 - WELL_USED)) break;
      const text = this.#text.slice(unit.start, unit.end);
      const { length, price } = longestWithin(text, left, this.#price);
      const isWhole = length === text.length;
      const spare = limit * (1 - WELL_USED);
      const kept = isWhole ? length : niceEnd(text, length, 1 - spare / left);
      if (text.slice(0, kept).trim() !== '') {
        chosen.push({ start: unit.start, end: unit.start + kept });
      }
      if (!isWhole) break;
      left -= price;
    }
    return chosen;
  }
}

/** Where to cut a text of which so many characters fit: behind a paragraph, a line or a word. */
function niceEnd(text: string, most: number, leastShare: number): number {
  const nice = [blockEnds(text), lineEnds(text)]
    .map((ends) => ends.findLast((end) => end <= most) ?? 0)
    .find((end) => end > 0 && end >= most * leastShare);
  return nice ?? wordEnd(text, most);
}
