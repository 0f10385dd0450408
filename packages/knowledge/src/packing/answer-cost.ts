import { renderMarkdown } from '../markdown.ts';

/** What an answer costs whoever reads it, in tokens. */
export class AnswerCost {
  readonly #count: (text: string) => number;
  readonly #renders: readonly ((data: object) => string)[];
  /** A piece may be long, and is asked about more than once. */
  readonly #ofPieces = new WeakMap<object, number>();
  #ofNone: readonly number[] | undefined;
  #ofNoText: readonly number[] | undefined;

  /** Some clients show a tool's data to the model and others its text: the dearer of both counts. */
  constructor(
    count: (text: string) => number,
    renders: readonly ((data: object) => string)[] = [JSON.stringify, renderMarkdown],
  ) {
    this.#count = count;
    this.#renders = renders;
  }

  of(answer: object): number {
    return Math.max(...this.#each(answer));
  }

  /** What a piece adds to an answer: nearly, because tokens reach over what is put together. */
  ofPiece(piece: object): number {
    const known = this.#ofPieces.get(piece);
    if (known !== undefined) return known;
    this.#ofNone ??= this.#each({ pieces: [] });
    const price = this.#above(this.#ofNone, { pieces: [piece] });
    this.#ofPieces.set(piece, price);
    return price;
  }

  /** What a text adds to its piece, nearly. */
  ofText(text: string): number {
    this.#ofNoText ??= this.#each({ pieces: [{ text: '' }] });
    return this.#above(this.#ofNoText, { pieces: [{ text }] });
  }

  #above(before: readonly number[], answer: object): number {
    return Math.max(...this.#each(answer).map((price, index) => price - (before[index] ?? 0)));
  }

  #each(answer: object): readonly number[] {
    return this.#renders.map((render) => this.#count(render(answer)));
  }
}
