export interface Random {
  /** An integer from 0 to `below` - 1. */
  integer(below: number): number;
  pick<Item>(items: readonly Item[]): Item;
}

/** Mulberry32: small, fast, and the same sequence for the same seed everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const integer = (below: number) => Math.floor(next() * below);
  return { integer, pick: (items) => items[integer(items.length)] as (typeof items)[number] };
}
