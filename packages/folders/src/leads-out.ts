import path from 'node:path';

/** Whether a path is neither a folder nor below it; both are real paths. */
export function leadsOutOf(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative.split(path.sep)[0] === '..' || path.isAbsolute(relative);
}
