import type { Store } from '@baton/store';
import { addPair } from './faults/pairs.ts';
import type { SqlitePlace } from './sqlite-place.ts';

/** Others do it: never between two steps that this process takes at once. */
export const aMoment = () => new Promise((resolve) => setImmediate(resolve));

/** Three pairs, of which a backup has the first; nothing is in the database yet. */
export async function fill(place: SqlitePlace): Promise<Store> {
  const store = await place.open();
  await addPair(store, 'a');
  await store.backup(`${place.file}.backup`);
  for (const key of ['b', 'c']) await addPair(store, key);
  await aMoment();
  return store;
}
