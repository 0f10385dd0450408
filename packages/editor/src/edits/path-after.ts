import type { Move } from './changing.ts';

/** Where a file is when something has been moved. */
export function pathAfter(moves: readonly Move[], file: string): string {
  const move = moves.find(({ from }) => file === from || file.startsWith(`${from}/`));
  return move ? move.to + file.slice(move.from.length) : file;
}
