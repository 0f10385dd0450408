const STEPS = 256;

/** The entries with the highest values, the highest first. */
export function topOf(entries: Uint32Array, values: Float32Array, most: number): number[] {
  const byValue = (a: number, b: number) => (values[b] ?? 0) - (values[a] ?? 0) || a - b;
  // Most entries of a large collection are nowhere near: they need not be sorted.
  const near = entries.length <= most ? entries : atLeast(bound(entries, values, most));
  return [...near].sort(byValue).slice(0, most);

  function atLeast(least: number): number[] {
    const found: number[] = [];
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at] ?? 0;
      if ((values[entry] ?? 0) >= least) found.push(entry);
    }
    return found;
  }
}

/** A value that at least so many entries have, and not many more. */
function bound(entries: Uint32Array, values: Float32Array, most: number): number {
  let highest = 0;
  for (let at = 0; at < entries.length; at++) {
    highest = Math.max(highest, values[entries[at] ?? 0] ?? 0);
  }
  const counts = new Uint32Array(STEPS + 1);
  const scale = STEPS / highest;
  for (let at = 0; at < entries.length; at++) {
    const step = Math.floor((values[entries[at] ?? 0] ?? 0) * scale);
    counts[step] = (counts[step] ?? 0) + 1;
  }
  let step = STEPS;
  for (let found = counts[step] ?? 0; found < most && step > 0; found += counts[step] ?? 0) step--;
  return step / scale;
}
