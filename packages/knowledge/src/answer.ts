/** A piece in an answer: as much of it as was asked for. */
export interface AnsweredPiece {
  /** `kind/id`. */
  readonly id: string;
  readonly title: string;
  /** What all of it would cost. */
  readonly tokens: number;
  /** From 0 to 100: how much of the request it answers. */
  readonly score: number;
  readonly description?: string;
  readonly why?: string;
  readonly from?: string;
  /** Whether parts of the text were left out. */
  readonly isPart?: true;
  readonly text?: string;
}

export interface SearchAnswer {
  readonly pieces: readonly AnsweredPiece[];
  /** What this answer costs. */
  readonly tokens: number;
  readonly cursor?: string;
  /** Whose words these are: data, not a message of the user. */
  readonly source?: string;
  readonly next?: string;
}
