import path from 'node:path';
import { lazily } from '@baton/core';
import { dataFolder } from '../data-folder.ts';
import { END_MARK } from './characters.ts';
import { KnownPieces } from './known-pieces.ts';
import { Merging } from './merging.ts';
import { pieceRank } from './order-mark.ts';
import { pieceEnd } from './pieces.ts';
import { readTokenData } from './token-data.ts';
import { NONE, Vocabulary } from './vocabulary.ts';

/** The tokens beside the program. */
export function tokenFile(): string {
  return path.join(dataFolder(), 'o200k.bin');
}

/** Counts tokens of o200k_base. The names of special tokens are text like any other. */
export class TokenCounter {
  readonly #vocabulary: Vocabulary;
  readonly #merging: Merging;
  readonly #known = new KnownPieces();

  private constructor(vocabulary: Vocabulary) {
    this.#vocabulary = vocabulary;
    this.#merging = new Merging(vocabulary);
  }

  static load(file: string): TokenCounter {
    return new TokenCounter(new Vocabulary(readTokenData(file)));
  }

  count(text: string): number {
    const length = Buffer.byteLength(text);
    const bytes = Buffer.allocUnsafe(length + 1);
    bytes.write(text);
    bytes[length] = END_MARK;
    let count = 0;
    for (let start = 0; start < length; ) {
      const end = pieceEnd(bytes, start);
      count += this.#countPiece(bytes, start, end);
      start = end;
    }
    return count;
  }

  #countPiece(bytes: Uint8Array, start: number, end: number): number {
    if (pieceRank(this.#vocabulary, bytes, start, end) !== NONE) return 1;
    const known = this.#known.countOf(bytes, start, end);
    if (known !== 0) return known;
    const count = this.#merging.count(bytes, start, end);
    this.#known.remember(bytes, start, end, count);
    return count;
  }
}

/** Loaded when something is counted for the first time. */
export function lazyTokenCount(): (text: string) => number {
  const counter = lazily(() => TokenCounter.load(tokenFile()));
  return (text) => counter().count(text);
}
