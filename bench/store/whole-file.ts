import { addWork } from '@baton/store';
import { loadLibrary, openBare } from './bare-database.ts';
import type { FileCounts, Options, Results } from './protocol.ts';
import { openBenchStore } from './store-subject.ts';
import { QUEUE, WORKSPACE } from './subject.ts';

/** A store with so many jobs, as a file without a WAL, to be copied. */
export async function prepareFile(options: Options): Promise<() => Promise<Results['prepare']>> {
  const { file, count } = options;
  return async () => {
    const store = await openBenchStore(file);
    const jobs = Array.from({ length: count }, () => ({
      id: crypto.randomUUID(),
      workspace: WORKSPACE,
      queue: QUEUE,
    }));
    await store.write('durable', (tx) => addWork(tx, jobs));
    const { driver, engine } = await store.health();
    await store.close();
    return { library: driver, engine };
  };
}

/** Faster is no use if something was lost or done twice. */
export async function verifyFile({ file, library }: Options): Promise<() => FileCounts> {
  const database = openBare(await loadLibrary(library), file);
  return () => {
    const count = (from: string) =>
      Number(database.prepare(`select count(*) as count from ${from}`).get()?.['count']);
    const [check] = database.prepare('pragma integrity_check').all();
    const counts = {
      isIntact: check?.['integrity_check'] === 'ok',
      notes: count('notes'),
      events: count('events'),
      succeeded: count("work where state = 'succeeded' and attempts = 1"),
      attempts: count('attempts'),
      freeLeases: count('leases where owner is null'),
    };
    database.close();
    return counts;
  };
}
