/** Why an agent may not write some settings. Only `HARMLESS_KEYS` says more than such a rule. */
export interface DenyRule {
  /** Public and stable: errors name it. */
  readonly name: string;
  readonly why: string;
  /** Keys, each with everything below it. */
  readonly families?: readonly string[];
  /** Single words in the spelling of a key: `nodePath` has the words `node` and `path`. */
  readonly words?: readonly string[];
  /** Letters anywhere in a key, for what is also written in one word: `gopath`. */
  readonly parts?: readonly string[];
}
