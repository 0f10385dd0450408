import { EngineError } from '../engine/engine.ts';

/** So many rows are read by one statement, or by one that is about one thing alone. */
const MOST_ROWS = 1_000_000;
const MOST_ITEMS = 1000;

interface Counted {
  /** Rows that have to be read for it. */
  readonly rows: number;
}

/**
 * Asks about many things in few statements. What does not fit into memory is asked in smaller
 * parts, and what does not fit alone is left out: whoever asks takes it as unknown.
 */
export async function inBatches<Item extends Counted, Answer>(
  items: readonly Item[],
  ask: (some: readonly Item[]) => Promise<readonly Answer[]>,
): Promise<Answer[]> {
  const waiting = batchesOf(items);
  const answers: Answer[] = [];
  for (let some = waiting.shift(); some; some = waiting.shift()) {
    try {
      answers.push(...(await ask(some)));
    } catch (error) {
      if (!(error instanceof EngineError && error.failure === 'memory')) throw error;
      const half = Math.ceil(some.length / 2);
      if (some.length > 1) waiting.unshift(some.slice(0, half), some.slice(half));
    }
  }
  return answers;
}

function batchesOf<Item extends Counted>(items: readonly Item[]): Item[][] {
  const batches: Item[][] = [];
  let room = 0;
  for (const item of items) {
    const last = batches.at(-1);
    room -= item.rows;
    if (last && room >= 0 && last.length < MOST_ITEMS) last.push(item);
    else {
      batches.push([item]);
      room = MOST_ROWS - item.rows;
    }
  }
  return batches;
}
