/** What a piece of knowledge is for. */
export const KINDS = ['agent', 'example', 'guide', 'pattern', 'skill', 'workflow'] as const;

export type Kind = (typeof KINDS)[number];

/** A piece of knowledge as its file describes it. */
export interface Piece {
  readonly kind: Kind;
  /** Unique among the pieces of its kind. */
  readonly id: string;
  readonly title: string;
  /** Empty if the file has none. */
  readonly description: string;
  readonly tags: readonly string[];
  readonly capabilities: readonly string[];
  readonly useWhen: readonly string[];
  /** Values that a workflow wants to be given when it is used as a prompt. */
  readonly arguments: readonly PieceArgument[];
  readonly headings: readonly string[];
  /** The text without its front matter. */
  readonly body: string;
}

export interface PieceArgument {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly default?: string;
  /** Values to choose from. */
  readonly values: readonly string[];
}

/** Something wrong with a file; a file with an error is left out, one with a warning is not. */
export interface Problem {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly severity: 'error' | 'warning';
  readonly message: string;
}

/** `agents`, `Agent` and `agent` are the same kind. */
export function kindOf(word: string): Kind | undefined {
  const singular = word.toLowerCase().replace(/s$/, '');
  return KINDS.find((kind) => kind === singular);
}
