import { loadLibrary, openBare } from '../store/bare-database.ts';

const WRITES = 20;

/** How long a durable write takes by hand, at this moment: each claim waits for one. */
export async function durableWrites(library: string, file: string): Promise<number[]> {
  const database = openBare(await loadLibrary(library), file);
  database.exec('pragma synchronous = full');
  const insert = database.prepare('insert into events (workspace, topic, at) values (?, ?, ?)');
  const times = Array.from({ length: WRITES }, () => {
    const begun = performance.now();
    insert.run('', '', 0);
    return performance.now() - begun;
  });
  database.close();
  return times;
}
