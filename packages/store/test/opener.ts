import { once } from 'node:events';
import { addWork, type BindingName, openStore } from '@baton/store';
import { createFakeIds, createMemoryLog } from '@baton/testkit';

const [, , file = '', id = '', binding = ''] = process.argv;

process.stdout.write('ready\n');
await once(process.stdin, 'data');
const store = await openStore({
  file,
  clock: { now: Date.now, monotonic: () => performance.now() },
  ids: createFakeIds(),
  log: createMemoryLog(),
  ...(binding && { binding: binding as BindingName }),
});
await store.write('durable', (tx) => addWork(tx, [{ id, workspace: 'ws', queue: 'jobs' }]));
await store.close();
process.stdin.destroy();
