import { type ConceptFinder, conceptMark, pairOf } from '../matching/aboutness.ts';
import { analyse } from '../words/analyse.ts';
import { FIELD_COUNT, FIELDS, type Field } from './fields.ts';
import { ImpactOf, type WordWeights } from './impact.ts';

/** What is put into an index: texts to find it by, and a record of what it is. */
export interface Entry {
  readonly key: string;
  readonly path: string;
  /** Exact marks to filter by, such as `#react`. */
  readonly marks: readonly string[];
  /** Each text of a field is a line. */
  readonly texts: Readonly<Record<Field, readonly string[]>>;
  readonly record: unknown;
  readonly size: number;
  readonly changed: number;
}

/** An entry as it stands in a segment. */
export interface IndexedEntry extends Pick<Entry, 'key' | 'path' | 'size' | 'changed'> {
  readonly record: string;
  /** How much it is about each term, from 0 to 1. */
  readonly terms: ReadonlyMap<string, number>;
  readonly lines: readonly Line[];
  readonly words: readonly string[];
}

/** The stems of a line. */
type Line = readonly string[];

/** Of a line longer than this, only the beginning is compared with a request as a whole. */
const LONGEST_LINE = 60;
const MOST_LINES = 80;
/** Different ones in a piece; no text that somebody has written has more. */
const MOST_WORDS = 20_000;
const PLAIN_WORD = /^\p{L}{4,32}$/u;

/** Makes entries for an index. */
export class Indexer {
  readonly #impact: ImpactOf;
  readonly #finder: ConceptFinder | undefined;

  /** `finder` tells which concepts an entry is about. */
  constructor(weights: WordWeights, finder?: ConceptFinder) {
    this.#impact = new ImpactOf(weights);
    this.#finder = finder;
  }

  index({ key, path, size, changed, texts, marks, record }: Entry): IndexedEntry {
    const counted = new CountedTexts();
    // The text itself last: if there are too many words, it is its words that are left out.
    for (const [field, name] of [...FIELDS.entries()].reverse()) {
      counted.addField(field, texts[name]);
    }
    const { lines, words, numbers, pairs } = counted;
    const terms = counted.weigh(this.#impact);
    const about = this.#finder?.about({ terms, numbers, pairs }) ?? [];
    for (const { concept, weight } of about) terms.set(conceptMark(concept), weight);
    for (const mark of marks) terms.set(mark, 1);
    return {
      ...{ key, path, size, changed, lines, terms },
      record: JSON.stringify(record),
      words: [...words].filter((word) => PLAIN_WORD.test(word)),
    };
  }
}

/** The words of all fields of an entry. */
class CountedTexts {
  readonly lines: Line[] = [];
  readonly words = new Set<string>();
  /** Stems that stand one after the other anywhere; see `pairOf`. */
  readonly pairs = new Set<number>();
  /** Stems are numbered as they come. */
  readonly numbers = new Map<string, number>();
  /** Of each stem, how often it is in each field. */
  readonly #counts: number[] = [];
  readonly #lengths = new Array<number>(FIELD_COUNT).fill(0);

  addField(field: number, texts: readonly string[]): void {
    for (const text of texts) {
      for (const stretch of stretchesOf(text)) this.#addText(field, stretch);
    }
  }

  weigh(impact: ImpactOf): Map<string, number> {
    const terms = new Map<string, number>();
    const counts = new Array<number>(FIELD_COUNT);
    for (const [stem, number] of this.numbers) {
      for (let field = 0; field < FIELD_COUNT; field++) {
        counts[field] = this.#counts[number * FIELD_COUNT + field] ?? 0;
      }
      terms.set(stem, impact.word(counts, this.#lengths));
    }
    return terms;
  }

  #addText(field: number, text: string): void {
    const { stems, others, words } = analyse(text);
    this.#lengths[field] = (this.#lengths[field] ?? 0) + stems.length;
    let before = -1;
    for (const stem of stems) {
      const number = this.#count(stem, field);
      if (before >= 0 && number >= 0) this.pairs.add(pairOf(before, number));
      before = number;
    }
    for (const stem of others) this.#count(stem, field);
    if (field > 0 && stems.length > 0 && this.lines.length < MOST_LINES) {
      this.lines.push(stems.slice(0, LONGEST_LINE));
    }
    for (const word of words) if (this.words.size < MOST_WORDS) this.words.add(word);
  }

  /** Returns the number of the stem, or -1 if there is no room for it. */
  #count(stem: string, field: number): number {
    let number = this.numbers.get(stem);
    if (number === undefined) {
      if (this.numbers.size >= MOST_WORDS) return -1;
      number = this.numbers.size;
      this.numbers.set(stem, number);
      for (let each = 0; each < FIELD_COUNT; each++) this.#counts.push(0);
    }
    const at = number * FIELD_COUNT + field;
    this.#counts[at] = (this.#counts[at] ?? 0) + 1;
    return number;
  }
}

/** So much of a text at once: what is made of each of its words is gone before the next. */
const STRETCH = 16_384;

/** A long text in parts, cut between words. */
function* stretchesOf(text: string): Generator<string> {
  let start = 0;
  while (text.length - start > STRETCH) {
    const blank = text.lastIndexOf(' ', start + STRETCH);
    const end = blank > start ? blank : start + STRETCH;
    yield text.slice(start, end);
    start = end;
  }
  yield text.slice(start);
}
