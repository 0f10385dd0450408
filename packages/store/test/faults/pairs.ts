import { addWork, type Store } from '@baton/store';

/** Two rows in one transaction: whoever finds one without the other has found half of it. */
export async function addPair(store: Store, key: string, bytes = 100): Promise<string> {
  await store.write('durable', async (tx) => {
    await addWork(tx, [{ id: key, workspace: 'w'.repeat(bytes), queue: 'jobs' }]);
    await tx.db
      .insertInto('meta')
      .values({ name: pairName(key), value: 'm'.repeat(bytes) })
      .execute();
  });
  return key;
}

/** The keys that were added; fails if there is half a pair, or half a row. */
export function readPairs(store: Store): Promise<string[]> {
  return store.read(async ({ db }) => {
    const work = await db.selectFrom('work').select(['id', 'workspace']).orderBy('id').execute();
    const meta = await db
      .selectFrom('meta')
      .selectAll()
      .where('name', 'like', pairName('%'))
      .orderBy('name')
      .execute();
    const expected = work.map(({ id, workspace }) => `${pairName(id)} ${workspace.length}`);
    const found = meta.map(({ name, value }) => `${name} ${value.length}`);
    if (expected.join() !== found.join()) throw new Error(`Half: ${expected} / ${found}`);
    return work.map(({ id }) => id);
  });
}

function pairName(key: string): string {
  return `pair/${key}`;
}
