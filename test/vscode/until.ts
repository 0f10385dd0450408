import { setTimeout as pause } from 'node:timers/promises';

export interface Patience {
  /** Milliseconds between two looks. */
  readonly every?: number;
  /** Milliseconds until it is given up. */
  readonly limit?: number;
}

/** Looks again and again until there is something to see. */
export async function until<Seen>(
  what: string,
  look: () => Seen | Promise<Seen>,
  { every = 100, limit = 60_000 }: Patience = {},
): Promise<NonNullable<Seen>> {
  const end = Date.now() + limit;
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (Date.now() > end) {
      throw new Error(`${what}: not within ${limit} ms; last seen ${JSON.stringify(seen)}`);
    }
    await pause(every);
  }
}
