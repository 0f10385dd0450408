const last = new Map<string, Promise<unknown>>();

/** One after the other for each key: git's own locks fail whoever comes second. */
export async function inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
  const before = last.get(key);
  const run = (async () => {
    await before?.catch(() => undefined);
    return work();
  })();
  last.set(key, run);
  try {
    return await run;
  } finally {
    if (last.get(key) === run) last.delete(key);
  }
}
