import { expect, test, vi } from 'vitest';
import { testStore } from './contract/test-store.ts';
import { createSqlitePlace } from './sqlite-place.ts';

testStore('SQLite on a file', createSqlitePlace);

test('what this process has committed is told at once, without a look at the file', async () => {
  await using place = createSqlitePlace();
  const store = await place.open();
  const heard = vi.fn();
  const end = await store.changes.subscribe({ topic: 'plan' }, heard);
  await store.write('relaxed', async (tx) => tx.emit('ws', 'plan'));
  await new Promise(setImmediate); // Timers of the poll are far longer.
  expect(heard).toHaveBeenCalledOnce();
  end();
});
