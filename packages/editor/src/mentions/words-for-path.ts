const MODULE = /^(.+?)((?:\.d)?\.[cm]?[jt]sx?)$/;
const FILE = /^(.+)\.[a-z]\w*$/i;

/** What imports may call a module whose file ends so. */
const ALSO_ENDS: Readonly<Record<string, readonly string[]>> = {
  '.ts': ['.js'],
  '.tsx': ['.js', '.jsx'],
  '.mts': ['.mjs'],
  '.cts': ['.cjs'],
  '.d.ts': ['.js'],
  '.d.mts': ['.mjs'],
  '.d.cts': ['.cjs'],
};

/** There is one in every other folder: without its folder, the name says nothing. */
const COMMON = new Set(
  'index main mod types package tsconfig readme changelog license __init__'.split(' '),
);

/**
 * How texts speak of a file or folder, by its path in the workspace. A word that ends with a slash
 * or a point stands for all that is in a folder or module.
 */
export function wordsForPath(from: string): string[] {
  const path = from.replace(/^\.\//, '').replace(/\/$/, '');
  const slash = path.lastIndexOf('/');
  const folder = path.slice(0, slash + 1);
  const name = path.slice(slash + 1);
  const parent = `${folder.slice(0, -1).split('/').at(-1) || '.'}/`;
  const words = wordsForModule(folder, parent, name) ?? wordsForOther(folder, parent, name);
  return [...new Set([...words, ...dottedNames(path)])];
}

/** How Python calls what is in a package, in strings and settings: `shop.totals` is in `shop.`. */
export function wordsForPackage(folder: string): string[] {
  const parts = folder.split('/');
  return parts.flatMap((_, index) => {
    const name = parts.slice(index).join('.');
    return name.includes('.') ? [name, `${name}.`] : [`${name}.`];
  });
}

/** How Python calls a module in strings and settings: `shop.totals`, and `shop.totals.` for what is in it. */
function dottedNames(path: string): string[] {
  if (!path.endsWith('.py')) return [];
  const parts = path.replace(/(\/__init__)?\.py$/, '').split('/');
  const names = parts.slice(0, -1).map((_, index) => parts.slice(index).join('.'));
  return names.flatMap((name) => [name, `${name}.`]);
}

function wordsForModule(folder: string, parent: string, name: string): string[] | undefined {
  const [, stem, ending] = MODULE.exec(name) ?? [];
  if (stem === undefined || ending === undefined) return undefined;
  const names = [name, ...(ALSO_ENDS[ending] ?? []).map((other) => stem + other)];
  if (COMMON.has(stem.toLowerCase())) {
    const all = [...names, stem];
    return [...all.map((one) => (folder || parent) + one), ...all.map((one) => parent + one)];
  }
  const paths = folder === '' ? [] : [...names, stem].map((one) => folder + one);
  return [...paths, ...names, `/${stem}`];
}

function wordsForOther(folder: string, parent: string, name: string): string[] {
  const [, stem] = FILE.exec(name) ?? [];
  if (stem === undefined) return wordsForFolder(folder, parent, name);
  const isCommon = COMMON.has(stem.toLowerCase());
  return isCommon ? [(folder || parent) + name, parent + name] : [folder + name, name];
}

/** What has no ending is mostly a folder. */
function wordsForFolder(folder: string, parent: string, name: string): string[] {
  const paths = folder === '' ? [] : [folder + name, parent + name];
  const short = name.startsWith('.') ? [name] : [`./${name}`, `../${name}`];
  const inside = folder === '' ? [`${name}/`] : [];
  return [...inside, ...[...paths, ...short].flatMap((word) => [word, `${word}/`])];
}
