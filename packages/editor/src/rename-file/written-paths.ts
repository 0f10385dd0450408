import path from 'node:path';

/** Endings that are left out, in the order in which they are looked for. */
const ENDINGS = ['.ts', '.tsx', '.d.ts', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'];
/** What is imported by the ending that it has once it is compiled. */
const COMPILED: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.d.ts'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts', '.d.mts'],
  '.cjs': ['.cts', '.d.cts'],
};

/** The file that an import means, by the path that is written there. */
export function resolveRelative(
  written: string,
  isFile: (file: string) => boolean,
): string | undefined {
  const ending = path.posix.extname(written);
  const bare = written.slice(0, written.length - ending.length);
  const compiled = (COMPILED[ending] ?? []).map((one) => bare + one);
  const added = ENDINGS.map((one) => written + one);
  const inside = ENDINGS.map((one) => path.posix.join(written, `index${one}`));
  return [written, ...compiled, ...added, ...inside].find(isFile);
}

/** The path of a file that has moved, written as it was before: with its ending, or without. */
export function writtenAfter(written: string, target: string, newTarget: string): string {
  if (newTarget === target) return written;
  if (target === written) return newTarget;
  const bare = newTarget.replace(/(\.d)?\.[cm]?[jt]sx?$|\.json$/, '');
  if (target.startsWith(`${written}/`))
    return path.posix.basename(bare) === 'index' ? path.posix.dirname(bare) : bare;
  if (target.startsWith(`${written}.`)) return bare;
  const [compiled] = Object.entries(COMPILED).find(([, all]) =>
    all.some((ending) => newTarget.endsWith(ending)),
  ) ?? [''];
  return bare + compiled;
}
