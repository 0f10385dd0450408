import { loadLibrary, openBare } from './bare-database.ts';
import type { Options, Results } from './protocol.ts';
import { openBenchStore } from './store-subject.ts';

/** To be run in a process of its own: the library is loaded once. */
export async function openTimes({
  name,
  file,
  library,
}: Options): Promise<() => Promise<Results['open']>> {
  const open = name === 'bare' ? () => openAndRead(library, file) : () => openBenchStore(file);
  const time = async () => {
    const begun = performance.now();
    const opened = await open();
    const ms = performance.now() - begun;
    await opened.close();
    return ms;
  };
  return async () => ({ firstMs: await time(), againMs: await time() });
}

/** SQLite itself looks at a file only when something is asked of it. */
async function openAndRead(library: string, file: string) {
  const database = openBare(await loadLibrary(library), file);
  database.prepare('select * from schemas').all();
  return database;
}
