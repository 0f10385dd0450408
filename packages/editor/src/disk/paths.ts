import path from 'node:path';

/** What Windows takes for something else than a name: drives, streams, devices, other names. */
const NO_NAME_ON_WINDOWS = /[<>:"|?*\\]|[. ]$|^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i;

/** Whether it is a path with slashes that leads into a folder by its names alone. */
export function isPlain(file: string, platform: NodeJS.Platform = process.platform): boolean {
  const isName = (part: string) =>
    part !== '' &&
    part !== '.' &&
    part !== '..' &&
    !(platform === 'win32' && NO_NAME_ON_WINDOWS.test(part));
  return !file.includes('\0') && file.split('/').every(isName);
}

/** The folder that a path is in; the workspace itself is the empty path. */
export function folderOf(file: string): string {
  const folder = path.posix.dirname(file);
  return folder === '.' ? '' : folder;
}

export function nameOf(file: string): string {
  return path.posix.basename(file);
}

export function inFolder(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

/** A folder and those it is in, the outermost first and without the workspace. */
export function stepsTo(folder: string): string[] {
  const parts = folder === '' ? [] : folder.split('/');
  return parts.map((_, index) => parts.slice(0, index + 1).join('/'));
}

/** Where a path is after something has been moved; `undefined` if that was not moved with it. */
export function moved(
  file: string,
  { from, to }: { readonly from: string; readonly to: string },
): string | undefined {
  if (file === from) return to;
  return file.startsWith(`${from}/`) ? to + file.slice(from.length) : undefined;
}
