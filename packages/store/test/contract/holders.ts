import type { Holder } from '@baton/store';

let count = 0;

/** Somebody new who claims, bound to no process unless one is given. */
export function holder(label: string, facts: Partial<Holder> = {}): Holder {
  count += 1;
  return { owner: `owner-${count}`, label, schemas: 'store:1', silenceMs: 30_000, ...facts };
}
