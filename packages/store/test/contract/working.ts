import {
  addWork,
  type Claim,
  type ClaimFilter,
  claimWork,
  completeWork,
  type Failure,
  failWork,
  type Holder,
  type NewWork,
  type Store,
} from '@baton/store';
import { holder } from './holders.ts';

/** Work in the queue `jobs` of the workspace `ws`, unless it says otherwise. */
export function add(
  store: Store,
  ...items: readonly (Partial<NewWork> & { readonly id: string })[]
): Promise<void> {
  const added = items.map((item) => ({ workspace: 'ws', queue: 'jobs', ...item }));
  return store.write('durable', (tx) => addWork(tx, added));
}

export function tryWork(
  store: Store,
  by: Holder = holder('worker'),
  filter: Partial<ClaimFilter> = {},
): Promise<Claim | undefined> {
  return store.write('durable', (tx) => claimWork(tx, by, { queue: 'jobs', ...filter }));
}

export async function work(
  store: Store,
  by?: Holder,
  filter?: Partial<ClaimFilter>,
): Promise<Claim> {
  const claim = await tryWork(store, by, filter);
  if (!claim) throw new Error('there is nothing to claim');
  return claim;
}

export function complete(store: Store, claim: Claim): Promise<void> {
  return store.write('durable', (tx) => completeWork(tx, claim));
}

export function fail(
  store: Store,
  claim: Claim,
  failure: Failure = { detail: 'red' },
): Promise<void> {
  return store.write('durable', (tx) => failWork(tx, claim, failure));
}

/** `a:ready b:waiting …`, by id. */
export async function statesOf(store: Store): Promise<string> {
  const rows = await store.read(({ db }) =>
    db.selectFrom('work').select(['id', 'state']).orderBy('id').execute(),
  );
  return rows.map(({ id, state }) => `${id}:${state}`).join(' ');
}

/** The ids of all that can be claimed now, in order; each is completed before the next. */
export async function drain(store: Store, filter: Partial<ClaimFilter> = {}): Promise<string[]> {
  const ids: string[] = [];
  for (;;) {
    const claim = await tryWork(store, holder('worker'), filter);
    if (!claim) return ids;
    ids.push(claim.work.id);
    await complete(store, claim);
  }
}
