/** A part of a text, by offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans that do not overlap, in order, asked for places in order. */
export class OrderedSpans<Kind extends Span> {
  readonly #spans: readonly Kind[];
  #next = 0;

  constructor(spans: readonly Kind[]) {
    this.#spans = spans;
  }

  /** The first that ends behind an offset, which is never before the one asked for last. */
  endingAfter(offset: number): Kind | undefined {
    while ((this.#spans[this.#next]?.end ?? Number.POSITIVE_INFINITY) <= offset) this.#next += 1;
    return this.#spans[this.#next];
  }
}

/** The same places as spans that do not overlap, in order. */
export function mergedSpans(spans: readonly Span[]): readonly Span[] {
  const merged: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last && span.start <= last.end) {
      merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end) };
    } else merged.push(span);
  }
  return merged;
}
