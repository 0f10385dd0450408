/** Comparisons of characters before we stop being exact: what is unclear is kept apart. */
const BUDGET = 2_000_000;

/** Tells of many pairs of globs whether a path could match both. A folder stands for all in it. */
export class GlobComparison {
  #left = BUDGET;

  overlap(one: string, other: string): boolean {
    return this.#overlap(segmentsOf(one), segmentsOf(other));
  }

  #overlap(one: readonly string[], other: readonly string[]): boolean {
    const known = new Map<number, boolean>();
    const from = (i: number, j: number): boolean => {
      // Where one ends, it is a folder that the other is in.
      if (i === one.length || j === other.length) return true;
      const key = i * (other.length + 1) + j;
      let found = known.get(key);
      if (found === undefined) {
        known.set(key, false);
        found = this.#fits(one, other, i, j, from);
        known.set(key, found);
      }
      return found;
    };
    return from(0, 0);
  }

  #fits(
    one: readonly string[],
    other: readonly string[],
    i: number,
    j: number,
    from: (i: number, j: number) => boolean,
  ): boolean {
    const [a = '', b = ''] = [one[i], other[j]];
    if (a === '**') return from(i + 1, j) || from(i, j + 1);
    if (b === '**') return from(i, j + 1) || from(i + 1, j);
    return this.#segmentsOverlap(a, b) && from(i + 1, j + 1);
  }

  #segmentsOverlap(one: string, other: string): boolean {
    this.#left -= one.length * other.length;
    if (this.#left < 0) return true;
    const width = other.length + 1;
    // From the end: whether the rests of both from here on could be the same text.
    const rests = new Array<boolean>((one.length + 1) * width).fill(false);
    const rest = (i: number, j: number) => rests[i * width + j] === true;
    for (let i = one.length; i >= 0; i -= 1) {
      for (let j = other.length; j >= 0; j -= 1) {
        rests[i * width + j] = restsFit(one[i], other[j], i, j, rest);
      }
    }
    return rest(0, 0);
  }
}

function restsFit(
  a: string | undefined,
  b: string | undefined,
  i: number,
  j: number,
  rest: (i: number, j: number) => boolean,
): boolean {
  if (a === undefined && b === undefined) return true;
  if (a === '*') return rest(i + 1, j) || (b !== undefined && rest(i, j + 1));
  if (b === '*') return rest(i, j + 1) || (a !== undefined && rest(i + 1, j));
  if (a === undefined || b === undefined) return false;
  return (a === b || a === '?' || b === '?') && rest(i + 1, j + 1);
}

/** Sets and alternatives are taken for anything that could stand there. */
function segmentsOf(glob: string): string[] {
  return glob
    .split(/[\\/]/)
    .filter((segment) => segment !== '' && segment !== '.')
    .map((segment) => (/[{(!]/.test(segment) ? '*' : segment.replace(/\[[^\]]*\]/g, '?')));
}
