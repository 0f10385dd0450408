import { splitWords } from './split.ts';

/** A text as the index sees it. */
export interface Analysed {
  /** Stems in the order of the text, the main form of each word only. */
  readonly stems: readonly string[];
  /** Stems of other forms and of parts of its words. */
  readonly others: readonly string[];
  /** Its words as they are written, in lower case. */
  readonly words: readonly string[];
}

export function analyse(text: string): Analysed {
  const stems: string[] = [];
  const others: string[] = [];
  const words: string[] = [];
  for (const word of splitWords(text)) {
    words.push(word.text);
    if (!word.isStopWord) stems.push(word.stem);
    for (const other of word.others) others.push(other);
    for (const part of word.parts) others.push(part);
  }
  return { stems, others, words };
}
