/** The disk gathers what waits to be stored; more at a time gains nothing. */
const AT_ONCE = 8;

/** Throws the first error, when nothing is under way any more: so it can be cleaned up. */
export async function atOnce<Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const failures: unknown[] = [];
  let next = 0;
  const takeOver = async () => {
    while (next < items.length && failures.length === 0) {
      const item = items[next++] as Item;
      await work(item).catch((error: unknown) => failures.push(error));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, takeOver));
  if (failures.length > 0) throw failures[0];
}
